"""The report shows what was searched for and what was chosen."""

import pytest
from truerank.artefacts.files import write_json, write_table
from truerank.report import open_study, tuning


def test_nothing_was_searched_for(study):
    assert "No settings were searched for" in tuning(study).html


@pytest.fixture
def tuned(results, config):
    config["models"]["item_cf"]["tune"] = {"power": {"low": 1, "high": 5}}
    for split, power in (("holdout", 2.5), ("last_one", 3.25)):
        folder = results / "tuning" / "toy" / split
        chosen = {"metric": "ndcg@10", "settings": {"power": power}, "value": 0.4, "trial": 2, "trials": 3}
        write_json(folder / "item_cf.json", chosen | {"validation": {"kind": "user_fraction", "test": 0.2}})
        trials = {"trial": [1, 2, 3], "power": [1.0, power, 4.0], "value": [0.3, 0.4, None]}
        write_table(folder / "item_cf.parquet", trials)
    return open_study(results, "toy", config, {})


def test_chosen_settings_and_the_whole_search_are_shown(tuned):
    shown = tuning(tuned)
    lines = shown.files["tuning.csv"].splitlines()
    assert lines[0] == "split,model,chosen settings,metric,value,trials,held out"
    assert lines[1:] == [
        'holdout,item_cf,power: 2.5,ndcg@10,0.4,3,"kind: user_fraction, test: 0.2"',
        'last_one,item_cf,power: 3.25,ndcg@10,0.4,3,"kind: user_fraction, test: 0.2"',
    ]
    assert shown.files["search_last_one_item_cf.csv"].splitlines() == [
        "trial,power,value",
        "1,1.0,0.3",
        "2,3.25,0.4",
        "3,4.0,",
    ]
    assert "trial 2 was chosen" in shown.html
