"""Rows cut into blocks, and blocks shared out between jobs.

Numbers depend on the block that they are computed in (a matrix product rounds by its shape), never on the job: a job
takes whole blocks, and blocks follow from the data alone.
"""


def blocks(n: int, size: int) -> list[slice]:
    """Return ``n`` rows as slices of ``size`` and, last, what is left."""
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]


def shard_of(n: int, size: int, number: int = 0, count: int = 1) -> slice:
    """Return the rows of one of ``count`` shards as a slice: whole blocks, as equally as can be, maybe none."""
    n_blocks = -(-n // size)
    first, end = (min(size * (n_blocks * place // count), n) for place in (number, number + 1))
    return slice(first, end)
