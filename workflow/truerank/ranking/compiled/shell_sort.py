"""A sort that compiled loops may call: it takes a tenth of the time of argsort to compile."""

from numba import njit


@njit(nogil=True, cache=True)
def sort_by(keys, values):
    """Sort keys, and their values with them: Shell's sort with gaps 1, 4, 13, ..

    Knuth, The Art of Computer Programming, volume 3, section 5.2.1.
    """
    gap = 1
    while gap < len(keys):
        gap = 3 * gap + 1
    while gap > 0:
        for end in range(gap, len(keys)):
            key, value, place = keys[end], values[end], end
            while place >= gap and keys[place - gap] > key:
                keys[place], values[place] = keys[place - gap], values[place - gap]
                place -= gap
            keys[place], values[place] = key, value
        gap //= 3
