"""The committed fixture is what its script makes."""

from pathlib import Path

import pandas as pd
import pytest
from truerank.artefacts.files import read_json, read_table

from tests.support import for_each

RESULTS = Path(__file__).parents[2] / "fixture" / "results"
FILES = sorted(path.relative_to(RESULTS) for path in RESULTS.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def made(maker, tmp_path_factory):
    folder = tmp_path_factory.mktemp("fixture")
    maker["make_fixture"](folder)
    return folder


@pytest.mark.slow
def test_same_files(made):
    assert sorted(path.relative_to(made) for path in made.rglob("*") if path.is_file()) == FILES


@pytest.mark.slow
@for_each("path", FILES)
def test_same_values(made, path):
    """A difference means: run ``python tests/fixture/make_fixture.py`` and commit what it writes.

    The last digits of a sum may differ from one processor to another.
    """
    if path.suffix == ".parquet":
        pd.testing.assert_frame_equal(read_table(RESULTS / path), read_table(made / path))
    elif path.suffix == ".json":
        assert not list(differences(read_json(RESULTS / path), read_json(made / path)))
    else:
        assert (RESULTS / path).read_text() == (made / path).read_text()


def differences(one, other, *place):
    """Yield the places at which two JSON documents differ, and their values there."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one:
            yield from differences(one[key], other[key], *place, key)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, pair in enumerate(zip(one, other, strict=True)):
            yield from differences(*pair, *place, number)
    elif one != (pytest.approx(other, rel=1e-9) if isinstance(other, float) else other):
        yield place, one, other


def test_is_small():
    assert sum((RESULTS / path).stat().st_size for path in FILES) < 150_000
