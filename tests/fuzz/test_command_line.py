"""Files of ranks and values that are almost right: numbers or one sentence, and no number taken for another."""

import io
import sys

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from truerank.cli_input import read_ranks, read_user_values, read_values
from truerank.errors import UserError

from tests.fuzz.guard import guarded, stop_watching
from tests.fuzz.inputs import changed

SOUND = [b"value\n0.4\n1\n0\n", b"user,value\n1,0.4\n2,1\n3,0\n", b'"a";"0.4"\n"b";"1"\n', b"1\t3\n2\t4.0\n", b"3\n1\n"]
fuzzed = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
numbers = st.one_of(st.integers(-999, 999), st.floats(-1e6, 1e6)).map(str)


def user_values(name):
    return np.array(list(read_user_values(name).values()))


@pytest.fixture(autouse=True, scope="module")
def _watching():
    yield
    stop_watching()


@fuzzed
@given(st.sampled_from(SOUND).flatmap(changed))
def test_files_are_read_or_refused_and_standard_input_alike(tmp_path, monkeypatch, data):
    path = tmp_path / "x.csv"
    path.write_bytes(data)
    found = {}
    for name in (str(path), "-"):
        for reader in (lambda name: read_ranks(name, 50), read_values, user_values):
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
            with guarded(len(data)):
                try:
                    told = reader(name)
                    assert np.isfinite(told).all()
                    told = told.tolist()
                except UserError as mistake:
                    told = str(mistake).replace("standard input", str(path))
                    assert len(told) < 500 + len(str(path))
                found.setdefault(name, []).append(told)
    assert found[str(path)] == found["-"]


@fuzzed
@given(st.lists(numbers, min_size=2, max_size=5), st.sampled_from(["", "17;", "17\t", "17,", "ann,", "ann;"]))
def test_a_number_with_a_decimal_comma_is_never_read_as_another(tmp_path, written, before):
    """Whatever stands in front, and in every file that has such a number."""
    path = tmp_path / "x.csv"
    path.write_text("".join(f"{before}{number.replace('.', ',')}\n" for number in written))
    if any("." in number for number in written):
        with pytest.raises(UserError, match="expected a number without a decimal comma"):
            read_values(path)
    elif before != "17,":
        assert read_values(path).tolist() == [float(number) for number in written]
