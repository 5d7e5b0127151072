"""The example of docs/informed.md, in small."""

import runpy

import pytest

from tests.support import ROOT


@pytest.mark.slow
def test_the_example_evaluates_a_neural_model_in_every_mode(capsys):
    main = runpy.run_path(str(ROOT / "docs" / "slow_scorer.py"))["main"]
    main(["--users", "60", "--items", "120", "--epochs", "1", "--seconds", "0"])
    exact, budget, audited = capsys.readouterr().out.strip().split("\n\n")
    assert exact.startswith("exact: ")
    assert "Exact: the metrics of a full ranking." in exact
    assert float(exact.split()[1]) < 100, "of 100 candidates"
    assert "Budget 100 scores per user, of which 0% for the audit." in budget
    assert "of which 33% for the audit" in audited
    low, high = (float(each) for each in exact.splitlines()[2].split()[-2:])
    assert low == high == float(exact.splitlines()[2].split()[2])
