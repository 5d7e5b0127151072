"""Arrays that come in parts, against arrays that are there at once."""

from itertools import pairwise

import numpy as np
import pytest
from truerank.artefacts import array_parts
from truerank.artefacts.array_parts import StoredArrays, write_array_parts
from truerank.artefacts.files import write_arrays
from truerank.errors import UserError

RNG = np.random.default_rng(1)
ARRAYS = {
    "models": np.array(["a", "bcd"]),
    "rank": RNG.integers(1, 99, (2, 3, 11)).astype(np.int32),
    "hits": RNG.integers(0, 9, (2, 3, 11, 4)),
    "negatives": np.int32(7),
    "exact": RNG.random((2, 3, 11)) < 0.5,
    "candidates": np.arange(11),
}
GROWING = {"rank": -1, "hits": -2, "exact": -1, "candidates": -1, "negatives": -1}


def cut(edges):
    for start, stop in pairwise(edges):
        rows = {-1: (..., slice(start, stop)), -2: (..., slice(start, stop), slice(None))}
        yield {n: each[rows[GROWING[n]]] if n in GROWING and each.ndim else each for n, each in ARRAYS.items()}


@pytest.mark.parametrize("in_memory", [1, 1 << 20])
def test_parts_give_the_bytes_of_the_whole(tmp_path, monkeypatch, in_memory):
    monkeypatch.setattr(array_parts, "IN_MEMORY", in_memory)
    write_arrays(tmp_path / "whole.npz", ARRAYS)
    for edges in ([0, 11], [0, 4, 4, 9, 11]):
        write_array_parts(tmp_path / "parts.npz", cut(edges), GROWING)
        assert (tmp_path / "parts.npz").read_bytes() == (tmp_path / "whole.npz").read_bytes()


def test_parts_are_read(tmp_path):
    write_arrays(tmp_path / "a.npz", ARRAYS)
    stored = StoredArrays(tmp_path / "a.npz", GROWING)
    np.testing.assert_array_equal(stored.part("rank", slice(3, 8)), ARRAYS["rank"][..., 3:8])
    parts = list(stored.parts(4, without="candidates"))
    assert [part["rank"].shape[-1] for part in parts] == [4, 4, 3]
    for name in ("rank", "exact", "hits"):
        np.testing.assert_array_equal(np.concatenate([part[name] for part in parts], axis=GROWING[name]), ARRAYS[name])
    for name in ("rank", "hits"):
        np.testing.assert_array_equal(stored.part(name, slice(3, 8), (1, 2)), ARRAYS[name][1, 2, 3:8])
    assert stored.length("hits") == 11
    assert sorted(stored.fixed) == ["models", "negatives"]
    assert parts[0]["negatives"] == 7
    assert "candidates" not in parts[0]


def test_nothing_is_written_where_a_part_fails(tmp_path):
    def failing():
        yield from cut([0, 4])
        raise UserError("no more")

    with pytest.raises(UserError):
        write_array_parts(tmp_path / "a.npz", failing(), GROWING)
    assert not list(tmp_path.iterdir())


def test_a_file_that_was_cut_off_is_told(tmp_path):
    write_arrays(tmp_path / "a.npz", ARRAYS)
    stored = StoredArrays(tmp_path / "a.npz", GROWING)
    (tmp_path / "a.npz").write_bytes((tmp_path / "a.npz").read_bytes()[:700])
    with pytest.raises(UserError, match="is damaged"):
        stored.part("candidates", slice(0, 11))
    with pytest.raises(UserError, match="is damaged"):
        StoredArrays(tmp_path / "a.npz", GROWING)
