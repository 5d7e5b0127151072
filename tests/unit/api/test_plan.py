"""Plans: figures of the paper, one table for every kind, and mistakes in one sentence."""

import json

import pytest
import truerank as tr
from truerank.api.plan import KINDS
from truerank.cli import main
from truerank.cli.plan import KINDS as WORDS


def test_users_for_a_margin_are_the_papers_figures():
    """z(.975)^2 / 4 / .01^2 = 9,604, and ln(2 / .05) / 2 / .01^2 = 18,445 without assumptions."""
    found = tr.plan("users", margin=0.01)
    assert dict(zip(found.plan.method, found.plan.users, strict=True)) == {"normal": 9604, "Hoeffding": 18445}
    assert found.plan.equals(tr.plan(margin=0.01).plan), "users are what is planned where no kind is given"
    assert tr.plan(margin=0.01, models=2, population=6040).plan.users.tolist() == [4079, 4596, 6040]


def test_shell_and_python_have_the_same_kinds_and_numbers(tmp_path, capsys):
    assert WORDS == KINDS
    for kind in ([], ["users"]):
        assert main(["plan", *kind, "--margin", "0.02", "--models", "3", "--json", str(tmp_path / "plan.json")]) == 0
        told = [int(line.split()[0].replace(",", "")) for line in capsys.readouterr().out.splitlines()]
        assert json.loads((tmp_path / "plan.json").read_text()) == tr.plan("users", 0.02, models=3).to_dict()
        assert told == tr.plan("users", 0.02, models=3).plan.users.tolist()


def test_plans_that_make_no_sense_are_refused():
    for given, sentence in [
        ({"kind": "days"}, "kind of plan 'days'"),
        ({"margin": 0}, "margin is 0, expected more than 1e-06"),
        ({"margin": 0.1, "models": 1.5}, "models is 1.5, expected a whole number"),
        ({"margin": 0.1, "confidence": 1}, "confidence is 1"),
    ]:
        with pytest.raises(tr.UserError, match=sentence):
            tr.plan(**given)
