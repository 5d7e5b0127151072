"""Compiled programs are kept for the next process, change no byte, and are not needed."""

import os
import subprocess
import sys

import pytest

from tests.support import ROOT

TRAIN = """
import hashlib
import jax
import numpy as np
compiled = []
jax.monitoring.register_event_listener(lambda event, **_: compiled.append(event.endswith("/cache_misses")))
from truerank.models._core.neural.training import minimise

def loss(weights, key, row, real):
    noise = jax.random.normal(key, row.shape)
    return ((((row + noise) @ weights["factors"] - 1) ** 2).sum(axis=1) * real).sum() / real.sum()

rng = np.random.default_rng(1)
steps = [rng.random((4, 16, 8), np.float32), np.ones((4, 16), np.float32)]
learnt = minimise(loss, {}, {"factors": rng.random((8, 3), np.float32)}, lambda: [steps], 2, 0.1, rng)
print(hashlib.sha256(b"".join(array.tobytes() for array in learnt.values())).hexdigest(), sum(compiled))
"""


def train(**variables):
    """Train in a process of its own; return the digest of what it learnt, and how many programs it compiled anew."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", TRAIN],
        cwd=ROOT, env=os.environ | variables, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    digest, compiled = done.stdout.split()
    return digest, int(compiled)


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """The folder where programs were kept, and what the process that compiled them learnt."""
    folder = tmp_path_factory.mktemp("numba")
    return folder, *train(NUMBA_CACHE_DIR=str(folder))


@pytest.mark.slow
def test_the_second_process_compiles_nothing_and_learns_the_same(first):
    folder, digest, compiled = first
    kept = sorted(folder.rglob("*-cache"))
    assert compiled > 0
    assert len(kept) == compiled
    assert train(NUMBA_CACHE_DIR=str(folder)) == (digest, 0)
    assert sorted(folder.rglob("*-cache")) == kept
    assert not [path for path in folder.glob("jax-*/*") if path not in kept], "nothing unfinished is left"


@pytest.mark.slow
def test_without_kept_programs_it_learns_the_same(first):
    _, digest, compiled = first
    assert train(JAX_ENABLE_COMPILATION_CACHE="false") == (digest, 0), "no cache, so no miss"
    assert train(NUMBA_CACHE_DIR=str(ROOT / "README.md")) == (digest, compiled), "no folder can be made there"


@pytest.mark.slow
def test_a_folder_of_the_users_own_is_left_to_jax(first, tmp_path):
    folder, digest, _ = first
    kept = sorted(folder.rglob("*-cache"))
    found = train(NUMBA_CACHE_DIR=str(folder), JAX_COMPILATION_CACHE_DIR=str(tmp_path))
    assert found[0] == digest
    assert sorted(folder.rglob("*-cache")) == kept


@pytest.mark.slow
def test_where_the_code_cannot_be_written_the_users_cache_is_used(monkeypatch, tmp_path):
    from truerank import jax_cache

    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "code").write_text("a file, where no folder can be made")
    monkeypatch.setattr(jax_cache, "__file__", str(tmp_path / "code" / "jax_cache.py"))
    own = tmp_path / "own"
    own.mkdir()
    (own / "a-cache").write_bytes(b"program")
    jax_cache.keep_new(own)
    (kept,) = (tmp_path / "cache" / "truerank").glob("jax-*/*")
    assert kept.read_bytes() == b"program"
    assert (own / "a-cache").resolve() == kept
    jax_cache.keep_new(None)
