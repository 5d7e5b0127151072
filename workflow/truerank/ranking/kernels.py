"""Compiled inner loops over one block of scores; ``exact`` calls them, and nothing else does.

In a block, ``scores`` is rows x items. Training items are overwritten with NaN: every comparison with them is false, so
they are no candidates. Of two items that tie, the one with the smaller hash comes first: ``order.hashes``, except for
the user's test items, whose hash is given, so that a tie policy can put them anywhere.
"""

import numpy as np
from numba import njit

from truerank.ranking import order

mix = njit(order.mix, cache=True, inline="always")


LOW = 2**32 - 1
TILE, LANES = 4096, 256  # a lane is every 256th item of a tile
CHUNK = 2048  # scores that stay in the first-level cache while they are compared with every test item
MOST_COUNTED = 256  # keys that are sorted by counting
NO_CODE, LOWEST, STEPS = -(2**15), -(2**15) + 1, 2**16 - 3  # codes of NaN and of minus infinity, and steps above them


@njit(nogil=True, cache=True)
def rank_block(
    scores, salts, train_start, train_item, test_start, test_item, test_hash, score, above, tied, before, lists, values
):
    """Rank the test items of every row, and list its best items.

    salts : per row, ``order.salt`` of the user. train_start, test_start : rows + 1 offsets into ``train_item``, and
    into ``test_item`` (ascending in a row), ``test_hash`` and the outputs ``score``, ``above``, ``tied``, ``before``.
    lists, values : rows x depth outputs. Returns the first row that cannot be ranked, or -1.
    """
    best, codes, keys = scratch(scores.shape[1])
    for b in range(len(scores)):
        row = scores[b]
        history = train_item[train_start[b] : train_start[b + 1]]
        for j in history:
            if not row[j] < np.inf:
                return b
            row[j] = np.nan
        t = slice(test_start[b], test_start[b + 1])
        low, high = lane_maxima(row, best)
        if high == np.inf or encode(row, low, high, codes) > len(history):
            return b
        count_above(row, codes, test_item[t], score[t], above[t], tied[t])
        place_ties(row, salts[b], test_item[t], test_hash[t], tied[t], before[t])
        list_best(row, best, salts[b], test_item[t], test_hash[t], lists[b], values[b], keys)
    return -1


@njit(nogil=True, cache=True)
def scratch(n_items):
    """Return room for what a row is turned into: the best of every lane, codes, and sort keys."""
    return np.empty(-(-n_items // TILE) * LANES, np.float32), np.empty(n_items, np.int16), np.empty(n_items, np.int64)


@njit(nogil=True, cache=True)
def lane_maxima(row, best):
    """Write the best score of every lane: of items start + lane + 256 i in a tile of 4,096 that begins at start.

    Returns the least finite score of the row, and the best.
    """
    best[:] = -np.inf
    least = np.full(LANES, np.inf, np.float32)
    for start in range(0, len(row), TILE):
        lanes = best[start // TILE * LANES :]
        for first in range(start, min(start + TILE, len(row)), LANES):
            part = row[first : first + LANES]
            for j in range(len(part)):
                s = part[j]
                lanes[j] = s if s > lanes[j] else lanes[j]
                least[j] = s if (s < least[j]) & (s > -np.inf) else least[j]
    return least.min(), best.max()


@njit(nogil=True, cache=True)
def encode(row, low, high, codes):
    """Write scores as 16 bits that never order two of them the wrong way round; return how many are NaN."""
    width = high - low
    scale = np.float32(STEPS) / width if width > 0 else np.float32(0)
    scale = scale if scale < np.inf else np.float32(0)
    for j in range(len(row)):
        s = row[j]
        step = (s - low) * scale
        step = step if step < STEPS else np.float32(STEPS)
        code = np.int32(step if s >= low else np.float32(-1)) + (LOWEST + 1)
        codes[j] = code if s == s else NO_CODE
    missing = 0
    for start in range(0, len(codes), CHUNK):
        missing += count(codes[start : start + CHUNK], np.int16(NO_CODE))[1]
    return missing


@njit(nogil=True, cache=True)
def count_above(row, codes, test_item, score, above, tied):
    """Count the scores above, and equal to, that of every test item.

    Codes are compared, of which a register holds twice as many as of scores; where another item shares the test
    item's code, the scores of that chunk are.
    """
    above[:] = 0
    tied[:] = -1
    for t in range(len(test_item)):
        score[t] = row[test_item[t]]
    for start in range(0, len(row), CHUNK):
        chunk, coded = row[start : start + CHUNK], codes[start : start + CHUNK]
        for t in range(len(test_item)):
            own = start <= test_item[t] < start + CHUNK
            higher, equal = count(coded, codes[test_item[t]])
            if equal > own:
                higher, equal = count(chunk, score[t])
            above[t] += higher
            tied[t] += equal


@njit(nogil=True, cache=True)
def count(values, value):
    """Count the values above, and equal to, a value, in a chunk; of codes or of scores."""
    higher, equal = np.int16(0), np.int16(0)  # stay 16 bits wide by the conversions
    for j in range(len(values)):
        higher = np.int16(higher + (values[j] > value))
        equal = np.int16(equal + (values[j] == value))
    return higher, equal


@njit(nogil=True, cache=True)
def place_ties(row, salt, test_item, test_hash, tied, before):
    """Count, for every test item, the tied candidates of smaller hash, test items by the hash given for them.

    Candidates scored minus infinity are not recommended, so they do not tie: the test items among them come last.
    """
    before[:] = 0
    for t in range(len(test_item)):
        if tied[t] == 0:
            continue
        s, h = row[test_item[t]], test_hash[t]
        if s == -np.inf:
            before[t] = tied[t]
            for other in range(len(test_item)):
                before[t] -= row[test_item[other]] == s and test_hash[other] > h
            continue
        for j in range(len(row)):
            before[t] += row[j] == s and mix(salt + np.uint64(j)) < h
        for other in range(len(test_item)):
            j = test_item[other]
            if row[j] == s:
                before[t] += test_hash[other] < h
                before[t] -= mix(salt + np.uint64(j)) < h


@njit(nogil=True, cache=True)
def list_best(row, best, salt, test_item, test_hash, item, value, keys):
    """Fill the best items of a row into ``item`` and ``value``, in order; places past the last are -1 and NaN.

    An item scored minus infinity is not listed. Only items above a floor that enough items reach are sorted.
    best : of the row, from ``lane_maxima``. keys : room for as many as there are items.
    """
    depth = len(item)
    given = test_item, test_hash
    floor = floor_of(best, depth)
    size = collect(row, best, floor, keys)
    if size < depth and floor > -np.inf:
        size += add_ties(row, salt, given, floor, depth - size, keys[size:])
    sort(keys[:size])
    order_ties(salt, given, keys[:size], depth)
    for place in range(min(size, depth)):
        item[place] = keys[place] & LOW
        value[place] = row[item[place]]
    item[size:] = -1
    value[size:] = np.nan


@njit(nogil=True, cache=True)
def floor_of(best, depth):
    """Return a score that at least ``depth`` items reach, as that many groups of lanes do; or minus infinity.

    It is searched for by halving, over the whole numbers that order as floats do, until few more groups reach it.
    """
    if len(best) < depth:
        return np.float32(-np.inf)
    groups = best[: max(2 * depth, LANES)].copy()
    for start in range(len(groups), len(best), len(groups)):
        part = best[start : start + len(groups)]
        for j in range(len(part)):
            groups[j] = part[j] if part[j] > groups[j] else groups[j]
    steps = groups.view(np.int32)
    for j in range(len(steps)):
        steps[j] = rising(steps[j])
    low, high = np.int64(steps.min()), np.int64(steps.max()) + 1
    while high - low > 1:
        middle = (low + high) // 2
        reached = count_reached(steps, np.int32(middle))
        if reached >= depth:
            low = middle
        else:
            high = middle
        if depth <= reached <= depth + depth // 8:
            break
    return rising(np.int32(low)).view(np.float32)


@njit(nogil=True, cache=True)
def count_reached(steps, limit):
    reached = np.int32(0)
    for j in range(len(steps)):
        reached = np.int32(reached + (steps[j] >= limit))
    return reached


@njit(nogil=True, cache=True)
def collect(row, best, floor, keys):
    """Write ``key`` of all items that score more than ``floor``, looking only into lanes whose best does."""
    size = 0
    for lane in range(len(best)):
        if best[lane] > floor:
            start = lane // LANES * TILE
            for j in range(start + lane % LANES, min(start + TILE, len(row)), LANES):
                if row[j] > floor:
                    keys[size] = key(row[j], j)
                    size += 1
    return size


@njit(nogil=True, cache=True)
def add_ties(row, salt, given, floor, missing, keys):
    """Write ``key`` of the ``missing`` items of least hash that score ``floor``, or of all if there are not as many.

    Hashes are even, so those below a limit that lets a few more through are enough; if not, the limit is raised.
    """
    tied = 0
    for j in range(len(row)):
        tied += row[j] == floor
    if tied == 0:
        return 0
    hashes, items = np.empty(tied, np.uint64), np.empty(tied, np.int64)
    share = (missing + 4 * np.sqrt(missing) + 8) / tied
    while True:
        limit = np.uint64(share * 2.0**63) << np.uint64(1) if share < 1 else np.uint64(2**64 - 1)
        size = 0
        for j in range(len(row)):
            if row[j] == floor:
                h = hash_of(salt, given, j)
                if h <= limit:
                    hashes[size], items[size] = h, j
                    size += 1
        if size >= missing or share >= 1:
            break
        share *= 2
    best = np.argsort(hashes[:size])[:missing]
    for place in range(len(best)):
        keys[place] = key(floor, items[best[place]])
    return len(best)


@njit(nogil=True, cache=True)
def order_ties(salt, given, keys, depth):
    """Put runs of equal scores among sorted keys in the order of their hashes, as far as they reach the list."""
    start = 0
    while start < min(depth, len(keys)):
        end = start + 1
        while end < len(keys) and keys[end] >> 32 == keys[start] >> 32:
            end += 1
        if end - start > 1:
            run = keys[start:end].copy()
            hashes = np.empty(len(run), np.uint64)
            for place in range(len(run)):
                hashes[place] = hash_of(salt, given, run[place] & LOW)
            keys[start:end] = run[np.argsort(hashes)]
        start = end


@njit(nogil=True, cache=True)
def sort(keys):
    """Sort keys of which no two are the same; few of them by counting those before each, which needs no branches."""
    if len(keys) > MOST_COUNTED:
        keys.sort()
        return
    given = keys.copy()
    for i in range(len(given)):
        before = 0
        for j in range(len(given)):
            before += given[j] < given[i]
        keys[before] = given[i]


@njit(nogil=True, cache=True, inline="always")
def key(score, j):
    """Return a number that sorts by falling score, then by item."""
    bits = np.float32(score + np.float32(0)).view(np.int32)  # adding 0 makes one zero of the two
    return np.int64(~rising(bits)) << 32 | j


@njit(nogil=True, cache=True, inline="always")
def rising(bits):
    """Turn the bits of a float into a whole number that orders as the float does, and back."""
    return np.int32(bits ^ ((bits >> 31) & 0x7FFFFFFF))


@njit(nogil=True, cache=True, inline="always")
def hash_of(salt, given, j):
    test_item, test_hash = given
    place = np.searchsorted(test_item, j)
    is_test = place < len(test_item) and test_item[place] == j
    return test_hash[place] if is_test else mix(salt + np.uint64(j))
