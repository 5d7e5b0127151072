"""Compiled inner loops over one block of scores; ``exact`` calls them, and nothing else does.

In a block, ``scores`` is rows x items. Items that are no candidates are overwritten with NaN: every comparison with
them is false. Of two items that tie, the one with the smaller hash comes first: ``order.hashes``, except for
the user's test items, whose hash is given, so that a tie policy can put them anywhere.
"""

import numpy as np
from numba import njit

from truerank.ranking import order
from truerank.ranking.compiled.shell_sort import sort_by

mix = njit(order.mix, cache=True, inline="always")


LOW = 2**32 - 1
NAN = np.int32(-(2**22))  # bits of a NaN that ``rising`` puts below minus infinity
LEAST = np.int32(-(2**31) + 2**23)  # ``rising`` of the least finite number
TILE, LANES = 4096, 512  # a lane is every 512th item of a tile
WIDTH = 128  # numbers that loops take at a time, at most: over a multiple of it they leave nothing for the end
CHUNK = 2048  # scores that stay in the first-level cache while they are compared with every test item
DEEPEST = 2**13  # list for which lanes are counted: in 16 bits, twice as many as the list is deep
MOST_COUNTED = 256  # keys that are sorted by counting
NO_KEY = -(2**63)
FACTOR = np.uint64(0x03F79D71B4CB0A89)  # its 64 windows of 6 bits all differ: de Bruijn
PLACES = np.empty(64, np.uint8)  # window -> how far it is shifted
PLACES[[(int(FACTOR) << place) % 2**64 >> 58 for place in range(64)]] = range(64)
NO_CODE, LOWEST, STEPS = -(2**15), -(2**15) + 1, 2**16 - 3  # codes of no item and of no score, and steps above them


@njit(nogil=True, cache=True)
def rank_block(
    scores,
    salts,
    barred_start,
    barred_end,
    barred_item,
    left_out,
    test_start,
    test_item,
    test_hash,
    score,
    above,
    tied,
    before,
    lists,
    values,
):
    """Rank the test items of every row, and list its best items.

    salts : per row, ``order.salt`` of the user. barred_start, barred_end : per row, where it is in ``barred_item``, the
    items that are no candidates of it. left_out : items that are no candidates of any row.
    test_start : rows + 1 offsets into ``test_item`` (ascending in a row), ``test_hash`` (empty if test items are hashed
    as others are) and the outputs ``score``, ``above``, ``tied``, ``before``. lists, values : rows x depth outputs.
    Returns the first row that cannot be ranked, or -1.
    """
    codes, best, hashes, keys = scratch(scores.shape[1])
    for b in range(len(scores)):
        row = scores[b]
        if not all_ordered(row):
            return b
        bar(row, barred_item[barred_start[b] : barred_end[b]])
        bar(row, left_out)
        low, high = bounds(row)
        encode(row, low, high, codes)
        t = slice(test_start[b], test_start[b + 1])
        count_above(row, codes, test_item[t], score[t], above[t], tied[t])
        given = salts[b], test_item[t], test_hash[t]
        place_ties(row, given, tied[t], before[t], hashes)
        list_best(row, codes, given, lists[b], values[b], best, hashes, keys)
    return -1


@njit(nogil=True, cache=True)
def all_ordered(row):
    """Tell whether no score is NaN or plus infinity: all items are looked at, which brings the row into the cache."""
    ordered = np.int32(0)
    for j in range(len(row)):
        ordered = np.int32(ordered + (row[j] < np.inf))
    return ordered == len(row)


@njit(nogil=True, cache=True)
def bar(row, items):
    """Overwrite the scores of some items with NaN."""
    bits = row.view(np.int32)
    for j in items:
        bits[j] = NAN


@njit(nogil=True, cache=True)
def scratch(n_items):
    """Return room for what a row is turned into: codes, the best of every lane, hashes, and sort keys."""
    n_tiles = -(-n_items // TILE)
    n_lanes = n_tiles * LANES
    codes = np.empty(n_tiles * TILE, np.int16)
    codes[:] = NO_CODE
    return codes, np.empty(n_lanes, np.int16), np.empty(n_items, np.uint64), np.empty(n_items + 1, np.int64)


@njit(nogil=True, cache=True)
def bounds(row):
    """Return the least finite score of a row (infinity if there is none), and the best.

    Scores are compared as whole numbers, which compilers do many at a time.
    """
    bits = row.view(np.int32)
    least, best = np.uint32(LOW), np.int32(-(2**31))
    for j in range(len(bits)):
        step = rising(bits[j])
        best = max(best, step)
        least = min(least, np.uint32(step - LEAST))  # what is below LEAST becomes large
    low = as_float(np.int32(least + LEAST)) if best >= LEAST else np.float32(np.inf)
    return low, as_float(best)


@njit(nogil=True, cache=True)
def encode(row, low, high, codes):
    """Write scores as 16 bits that never order two of them the wrong way round; LOWEST if minus infinity or NaN."""
    half = np.float32(0.5)  # so that no difference is too large
    low, width = half * low, half * high - half * low
    scale = np.float32(STEPS) / width if width > 0 else np.float32(0)
    scale = scale if scale < np.inf else np.float32(0)
    for j in range(len(row)):
        step = (half * row[j] - low) * scale
        codes[j] = np.int32(step if step >= 0 else np.float32(-1)) + (LOWEST + 1)


@njit(nogil=True, cache=True)
def count_above(row, codes, test_item, score, above, tied):
    """Count the scores above, and equal to, that of every test item.

    Test items are compared with each other, and taken out while they are compared with all others: codes are, of which
    a register holds twice as many as of scores; where another item shares the test item's code, the scores of that
    chunk are.
    """
    own = np.empty(len(test_item), np.int16)
    for t in range(len(test_item)):
        score[t], own[t] = row[test_item[t]], codes[test_item[t]]
    for t in range(len(test_item)):
        above[t], tied[t] = count(score, score[t])
        tied[t] -= 1
        row[test_item[t]], codes[test_item[t]] = np.nan, NO_CODE
    codes = codes[: -(-len(row) // WIDTH) * WIDTH]
    for start in range(0, len(codes), CHUNK):
        chunk, coded = row[start : start + CHUNK], codes[start : start + CHUNK]
        last, higher, equal = np.float32(np.nan), np.int32(0), np.int32(0)
        for t in range(len(test_item)):
            if score[t] != last:  # many test items may tie
                last, equal = score[t], np.int32(0)
                higher, shared = compare(coded, own[t])
                if shared:
                    higher, equal = count(chunk, last)
            above[t] += higher
            tied[t] += equal
    for t in range(len(test_item)):
        row[test_item[t]], codes[test_item[t]] = score[t], own[t]


@njit(nogil=True, cache=True)
def compare(codes, code):
    """Count the codes above one, none of them equal, in a chunk, or tell that one is: the least difference is 0.

    Signs of differences are added up, which takes an operation less than comparisons do with AVX-512.
    """
    lower, nearest = np.int16(0), np.uint16(2**16 - 1)  # stay 16 bits wide by the conversions
    for j in range(len(codes)):
        gap = np.int16(min(max(np.int32(codes[j]) - np.int32(code), np.int32(-(2**15))), np.int32(2**15 - 1)))
        lower = np.int16(lower + np.int16(gap >> np.int16(15)))
        nearest = min(nearest, np.uint16(gap))
    return np.int32(len(codes) + lower), nearest == 0


@njit(nogil=True, cache=True)
def count(scores, score):
    """Count the scores above, and equal to, a score."""
    higher, equal = np.int32(0), np.int32(0)
    for j in range(len(scores)):
        higher = np.int32(higher + (scores[j] > score))
        equal = np.int32(equal + (scores[j] == score))
    return higher, equal


@njit(nogil=True, cache=True)
def place_ties(row, given, tied, before, hashes):
    """Count, for every test item, the tied candidates of smaller hash.

    Candidates scored minus infinity are not recommended, so they do not tie: the test items among them come last.
    given : salt of the user, test items and their hashes, if they have their own.
    """
    test_item = given[1]
    before[:] = 0
    any_tied = False
    for t in range(len(tied)):
        any_tied |= tied[t] > 0
    if not any_tied:
        return
    write_hashes(given, hashes)
    for t in range(len(test_item)):
        s, h = row[test_item[t]], hash_of(given, test_item[t])
        if s == -np.inf:
            before[t] = tied[t]
            for other in range(len(test_item)):
                before[t] -= row[test_item[other]] == s and hash_of(given, test_item[other]) > h
        elif tied[t] > 0:
            smaller = np.int32(0)
            for j in range(len(row)):
                smaller = np.int32(smaller + ((row[j] == s) & (hashes[j] < h)))
            before[t] = smaller


@njit(nogil=True, cache=True)
def write_hashes(given, hashes):
    """Write the hashes of all items."""
    salt, test_item, test_hash = given
    for j in range(len(hashes)):
        hashes[j] = mix(salt + np.uint64(j))
    for t in range(len(test_hash)):
        hashes[test_item[t]] = test_hash[t]


@njit(nogil=True, cache=True)
def list_best(row, codes, given, item, value, best, hashes, keys):
    """Fill the best items of a row into ``item`` and ``value``, in order; places past the last are -1 and NaN.

    An item scored minus infinity is not listed. best, hashes, keys : room, as from ``scratch``.
    """
    depth = len(item)
    lane_maxima(codes, best)
    floor = floor_of(best, depth)
    lowest, highest = steps_at(row, codes, floor) if reaching(codes, floor) > 2 * depth else (0, 1)
    if lowest < highest:
        size = collect(codes, best, floor, keys)
    else:  # one long tie that reaches over the end of the list
        size = collect(codes, best, np.int16(floor + 1), keys) if floor < 2**15 - 1 else 0
    if size > 2 * depth:
        size = select(row, given, depth, hashes, keys[:size])
    elif lowest == highest and size < depth:
        size += add_ties(row, given, as_float(np.int32(lowest)), depth - size, hashes, keys[size:])
    for place in range(size):
        keys[place] = key(row[keys[place]], keys[place])
    sort(keys[:size])
    order_ties(given, keys[:size], depth)
    for place in range(min(size, depth)):
        j = keys[place] & LOW
        item[place], value[place] = j, row[j]
    item[size:] = -1
    value[size:] = np.nan


@njit(nogil=True, cache=True)
def lane_maxima(codes, best):
    """Write the best code of every lane: of items start + lane + 512 i in a tile of 4,096 that begins at start."""
    best[:] = NO_CODE
    for start in range(0, len(codes), TILE):
        lanes = best[start // TILE * LANES :]
        for first in range(start, start + TILE, LANES):
            part = codes[first : first + LANES]
            for j in range(LANES):
                lanes[j] = max(lanes[j], part[j])


@njit(nogil=True, cache=True)
def floor_of(best, depth):
    """Return a code that at least ``depth`` items reach, as that many groups of lanes do; or the lowest of a score."""
    lowest = np.int16(LOWEST + 1)
    if depth > min(len(best), DEEPEST):
        return lowest
    groups = best[: max(2 * depth, LANES)].copy()
    for start in range(len(groups), len(best), len(groups)):
        part = best[start : start + len(groups)]
        for j in range(len(part)):
            groups[j] = max(groups[j], part[j])
    return max(lowest, limit_of(groups, depth, 2**15))


@njit(nogil=True, cache=True)
def limit_of(values, depth, end):
    """Return a limit that at least ``depth`` values reach, and few more, or else the highest that as many reach.

    It is searched for by halving. end : values are from -end to end - 1.
    """
    low, high = -end, end
    while high - low > 1:
        middle = (low + high) // 2
        reached = count_reached(values, values.dtype.type(middle))
        if reached >= depth:
            low = middle
        else:
            high = middle
        if depth <= reached <= depth + depth // 8:
            break
    return values.dtype.type(low)


@njit(nogil=True, cache=True)
def count_reached(values, limit):
    reached = values.dtype.type(0)  # as wide as the values, so that as many fit into a register
    for j in range(len(values)):
        reached = values.dtype.type(reached + (values[j] >= limit))
    return reached


@njit(nogil=True, cache=True)
def reaching(codes, floor):
    """Count the codes that reach ``floor``, a tile at a time, whose number fits into 16 bits."""
    n = 0
    for start in range(0, len(codes), TILE):
        n += count_reached(codes[start : start + TILE], floor)
    return n


@njit(nogil=True, cache=True)
def steps_at(row, codes, code):
    """Return the lowest and the highest step of the scores that have a code."""
    lowest, highest = np.int32(2**31 - 1), np.int32(-(2**31))
    for j in range(len(row)):
        step, same = as_step(row[j]), codes[j] == code
        lowest = min(lowest, step if same else np.int32(2**31 - 1))
        highest = max(highest, step if same else np.int32(-(2**31)))
    return lowest, highest


@njit(nogil=True, cache=True)
def collect(codes, best, floor, items):
    """Write the items whose code reaches ``floor``, looking only into lanes whose best does; return how many.

    The lanes of 64 are the bits of a number. No branch depends on a code: an item is written, and kept by going on to
    the next place.
    """
    size = np.uint64(0)  # without a sign, which would be looked at
    for first in range(0, len(best), 64):
        part, reached = best[first : first + 64], np.uint64(0)
        for lane in range(64):
            reached |= np.uint64(part[lane] >= floor) << np.uint64(lane)
        start = np.uint64(first // LANES * TILE + first % LANES)
        while reached:
            j = start + lowest_bit(reached)
            reached &= reached - np.uint64(1)
            for _ in range(TILE // LANES):
                items[size] = j
                size += np.uint64(codes[j] >= floor)
                j += np.uint64(LANES)
    return np.int64(size)


@njit(nogil=True, cache=True, inline="always")
def lowest_bit(bits):
    """Return the place of the lowest bit of a number that is not 0."""
    return np.uint64(PLACES[((bits & (~bits + np.uint64(1))) * FACTOR) >> np.uint64(58)])


@njit(nogil=True, cache=True)
def select(row, given, depth, hashes, items):
    """Put the ``depth`` best of many items to the front, in any order, at most as many more; return how many.

    If a long tie reaches over the end of the list, those of least hash are taken from it.
    """
    steps = np.empty(len(items), np.int32)
    for place in range(len(items)):
        steps[place] = as_step(row[items[place]])
    limit = limit_of(steps, depth, 2**31)
    if count_reached(steps, limit) <= 2 * depth:
        return keep(items, steps, limit)
    size = keep(items, steps, np.int32(limit + 1))
    return size + add_ties(row, given, as_float(limit), depth - size, hashes, items[size:])


@njit(nogil=True, cache=True)
def keep(items, steps, limit):
    """Put the items whose step reaches a limit to the front; return how many."""
    size = np.uint64(0)
    for place in range(len(items)):
        items[size] = items[place]
        size += np.uint64(steps[place] >= limit)
    return np.int64(size)


@njit(nogil=True, cache=True)
def add_ties(row, given, floor, missing, hashes, items):
    """Write the ``missing`` items of least hash that score ``floor``, of which there are at least as many.

    Hashes spread evenly, so those below a limit that lets a few more through are enough; if not, it is raised.
    """
    write_hashes(given, hashes)
    tied = np.int32(0)
    for j in range(len(row)):
        tied = np.int32(tied + (row[j] == floor))
    share = (missing + 4 * np.sqrt(missing) + 8) / tied
    found, drawn = np.empty(tied, np.int64), np.empty(tied, np.uint64)
    size = 0
    while size < missing:
        limit = np.uint64(share * 2.0**63) << np.uint64(1) if share < 1 else np.uint64(2**64 - 1)
        size = 0
        for first in range(0, len(row), 64):
            part, own, chosen = row[first : first + 64], hashes[first : first + 64], np.uint64(0)
            for j in range(len(part)):
                chosen |= np.uint64((part[j] == floor) & (own[j] <= limit)) << np.uint64(j)
            while chosen:
                j = lowest_bit(chosen)
                chosen &= chosen - np.uint64(1)
                found[size], drawn[size] = first + np.int64(j), own[j]
                size += 1
        share *= 2
    sort_by(drawn[:size], found[:size])
    for place in range(missing):
        items[place] = found[place]
    return missing


@njit(nogil=True, cache=True)
def order_ties(given, keys, depth):
    """Put runs of equal scores among sorted keys in the order of their hashes, as far as they reach the list."""
    start = 0
    while start < min(depth, len(keys)):
        end = start + 1
        while end < len(keys) and keys[end] >> 32 == keys[start] >> 32:
            end += 1
        if end - start > 1:
            run = keys[start:end]
            hashes = np.empty(len(run), np.uint64)
            for place in range(len(run)):
                hashes[place] = hash_of(given, run[place] & LOW)
            sort_by(hashes, run)
        start = end


@njit(nogil=True, cache=True)
def sort(keys):
    """Sort keys by score; few of them by counting the better ones of each, which needs no branches."""
    if len(keys) > MOST_COUNTED:
        rising_keys = np.empty(len(keys), np.uint64)
        for i in range(len(keys)):
            rising_keys[i] = np.uint64(keys[i]) ^ np.uint64(2**63)
        sort_by(rising_keys, keys)
        return
    scores = np.empty(-(-len(keys) // WIDTH) * WIDTH, np.int32)
    scores[:] = 2**31 - 1
    for i in range(len(keys)):
        scores[i] = keys[i] >> 32
    given = keys.copy()
    keys[:] = NO_KEY
    for i in range(len(given)):
        place = np.int32(0)
        for j in range(len(scores)):
            place = np.int32(place + (scores[j] < scores[i]))
        while keys[place] != NO_KEY:  # of an equal score
            place += 1
        keys[place] = given[i]


@njit(nogil=True, cache=True, inline="always")
def key(score, j):
    """Return a number that sorts by falling score, then by item."""
    return np.int64(~as_step(score)) << 32 | j


@njit(nogil=True, cache=True, inline="always")
def rising(bits):
    """Turn the bits of a float into a whole number that orders as the float does, and back."""
    return np.int32(bits ^ ((bits >> 31) & 0x7FFFFFFF))


@njit(nogil=True, cache=True, inline="always")
def as_step(score):
    return rising(np.float32(score + np.float32(0)).view(np.int32))  # adding 0 makes one zero of the two


@njit(nogil=True, cache=True, inline="always")
def as_float(step):
    """Turn what ``rising`` gave back into a float."""
    return rising(step).view(np.float32)


@njit(nogil=True, cache=True)
def hash_of(given, j):
    salt, test_item, test_hash = given
    low, high = 0, len(test_hash)
    while low < high:  # as searchsorted, which takes a second to compile
        middle = (low + high) // 2
        if test_item[middle] < j:
            low = middle + 1
        else:
            high = middle
    is_test = low < len(test_hash) and test_item[low] == j
    return test_hash[low] if is_test else mix(salt + np.uint64(j))
