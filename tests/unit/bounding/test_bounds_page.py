"""Bounds hold as often as they say, by the simulation that makes docs/bounds.md."""

import runpy

from truerank.provenance import generator

from tests.support import ROOT, for_each

SIMULATION = runpy.run_path(str(ROOT / "docs" / "make_bounds.py"), run_name="make_bounds")
LAWS = SIMULATION["made_up"](600)


@for_each("name", LAWS)
def test_bounds_hold_for_laws_with_heads_gaps_and_steps(name):
    """Of 200 samples of 400 ranks among 19 of 600 items: 95 %, less three standard errors, or more."""
    rng = generator(1, "coverage", name)
    held, inside, recall, low, high = SIMULATION["measure"](LAWS[name], 19, rng, samples=200, n_ranks=400)
    assert inside >= held >= 0.95 - 3 * (0.05 * 0.95 / 200) ** 0.5
    assert low <= recall <= high


def test_the_page_has_ten_laws_that_hold_95_in_100_times():
    text = SIMULATION["PAGE"].read_text(encoding="utf-8")
    rows = [row.split(" | ") for row in text.splitlines() if row.startswith("| ")][1:]
    assert len({row[0] for row in rows}) == 10
    assert len(rows) == 30
    assert all(0.95 <= float(row[4]) <= float(row[5]) <= 1 for row in rows)
