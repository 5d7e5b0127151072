"""How rows are shared out between jobs."""

from hypothesis import given
from hypothesis import strategies as st
from truerank.ranking.shards import blocks, shard_of

N, SIZE, COUNT = st.integers(0, 300), st.integers(1, 40), st.integers(1, 12)


@given(N, SIZE, COUNT)
def test_shards_have_every_block_once_and_in_order(n, size, count):
    """By walking through all blocks."""
    found = []
    for number in range(count):
        rows = shard_of(n, size, number, count)
        found += [(rows.start + block.start, rows.start + block.stop) for block in blocks(rows.stop - rows.start, size)]
    assert found == [(block.start, block.stop) for block in blocks(n, size)]


@given(N, SIZE, COUNT)
def test_shards_differ_by_one_block_at_most(n, size, count):
    sizes = [len(blocks(rows.stop - rows.start, size)) for rows in (shard_of(n, size, i, count) for i in range(count))]
    assert max(sizes) - min(sizes) <= 1


def test_a_shard_beyond_the_blocks_is_empty():
    assert [shard_of(5, 10, number, 3) for number in range(3)] == [slice(0, 0), slice(0, 0), slice(0, 5)]
