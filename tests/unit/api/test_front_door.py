"""Every name of the front door: imported when used, typed, with an example that runs and a result that saves itself."""

import doctest
import inspect
import io
import json
import subprocess
import sys
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
import truerank as tr
from truerank.api.plan import KINDS
from truerank.api.results import Result

FUNCTIONS = [name for name in tr.OFFERED if name != "UserError"]
EXAMPLES = {name: tr.OFFERED[name] for name in FUNCTIONS} | {
    f"plan {kind}": f"truerank.api.planning.{kind}" for kind in KINDS
}
RNG = np.random.default_rng(1)
RANKS = 1 + RNG.binomial(20, RNG.beta(0.5, 3, 200))
TEST = {user: [user % 5] for user in range(30)}
RUN = {user: [user % 3, 4] for user in range(30)}
RESULTS = {
    "evaluate": lambda: tr.evaluate(RUN, TEST, "hit@1"),
    "compare": lambda: tr.compare({"a<b": RUN, "c": TEST}, TEST, "hit@1"),
    "rank": lambda: tr.rank(RUN, None, TEST),
    "correct": lambda: tr.correct(RANKS, items=1000, negatives=20, metrics=["recall@10"]),
    "bounds": lambda: tr.bounds(RANKS, items=1000, negatives=20),
    "plan": lambda: tr.plan("users", margin=0.1),
    "trial": lambda: tr.trial(tr.compare({"a<b": RUN, "c": TEST}, TEST, ["hit@1", "ndcg@2"])),
    "score": lambda: tr.score(lambda user, items: -items, {0: [8], 1: [9]}, {0: [0], 1: [5]}, ["hit@1"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_in_docstrings_give_what_they_say(name):
    tested = doctest.testmod(import_module(EXAMPLES[name]))
    assert tested.attempted >= 2
    assert tested.failed == 0


def test_every_function_is_typed_and_explained():
    for name in FUNCTIONS:
        function = getattr(tr, name)
        signature = inspect.signature(function)
        untyped = [each for each, one in signature.parameters.items() if one.annotation is inspect.Parameter.empty]
        assert not untyped, name
        assert function.__doc__, name
        assert signature.return_annotation is not inspect.Signature.empty, name


def test_every_function_is_tried_here():
    assert {*RESULTS, "run_study"} == set(FUNCTIONS)


@pytest.mark.slow
def test_names_are_imported_when_they_are_used():
    program = "import sys, truerank; assert not {'numpy', 'pandas', 'pyarrow', 'numba', 'scipy'} & set(sys.modules)"
    subprocess.run(
        [sys.executable, "-c", f"{program}; [getattr(truerank, name) for name in dir(truerank)]"], check=True
    )
    with pytest.raises(AttributeError, match="no attribute 'grade'"):
        tr.grade  # noqa: B018


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_shows_and_saves_itself(name, tmp_path):
    found = RESULTS[name]()
    assert isinstance(found, Result)
    assert all(isinstance(note, str) and note for note in found.notes)
    first, frame = next(iter(found.frames.items()))
    assert len(frame)
    assert json.loads(found.to_json(tmp_path / "a.json"))[first][0].keys() == set(frame)
    assert set(json.loads((tmp_path / "a.json").read_text())) >= set(found.frames)
    read = pd.read_csv(io.StringIO(found.to_csv(tmp_path / "a.csv")), dtype={"k": str}, keep_default_na=False)
    assert list(read) == list(frame)
    assert found.to_latex(tmp_path / "a.tex").count(r"\\") == len(frame) + 1
    page = found.to_html(tmp_path / "a.html")
    assert page == (tmp_path / "a.html").read_text()
    assert found._repr_html_() in page
    assert "a<b" not in page
    assert all(str(column) in str(found) for column in frame)
    if "k" in frame:
        assert all(isinstance(k, str) for k in frame.k)
    assert all(np.isfinite(frame[column]).any() for column in frame.select_dtypes("number") if "ci" not in column)
