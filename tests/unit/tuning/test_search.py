"""A search draws from its spaces, is the same for the same generator, and goes on where it was interrupted."""

import pytest
from truerank.provenance import generator
from truerank.tuning.search import Range, Trial, best, search

SPACES = {"factors": Range(2, 64, log=True, whole=True), "weight": Range(0.5, 2), "mode": ["a", None, 3]}


def value(settings):
    """Best at 16 factors and a weight of 1; one mode cannot be used."""
    return None if settings["mode"] == "a" else -abs(settings["factors"] - 16) - abs(settings["weight"] - 1)


def run(n_trials=25, seed=1, spaces=SPACES, value_of=value, **options):
    return list(search(spaces, value_of, n_trials, generator(seed, "search"), **options))


def test_settings_are_within_their_spaces():
    for trial in run():
        assert list(trial.settings) == list(SPACES)
        assert 2 <= trial.settings["factors"] <= 64
        assert isinstance(trial.settings["factors"], int)
        assert 0.5 <= trial.settings["weight"] <= 2
        assert trial.settings["mode"] in SPACES["mode"]
        assert trial.value == value(trial.settings)


def test_the_generator_alone_decides():
    assert run() == run()
    assert run()[0] != run(seed=2)[0]


def test_more_trials_begin_with_the_same_ones():
    assert run(25)[:12] == run(12)


@pytest.mark.parametrize("n_finished", [0, 1, 11, 24, 25])
def test_finished_trials_are_not_run_again_and_the_rest_is_the_same(n_finished):
    undisturbed, asked = run(), []

    def counted(settings):
        asked.append(settings)
        return value(settings)

    assert run(value_of=counted, finished=undisturbed[:n_finished]) == undisturbed
    assert asked == [trial.settings for trial in undisturbed[n_finished:]]


def test_settings_that_are_drawn_again_are_not_tried_again():
    asked = []

    def counted(settings):
        asked.append(settings)
        return float(len(settings["mode"]))

    trials = run(10, spaces={"mode": ["a", "bb"]}, value_of=counted)
    assert len(trials) == 10
    assert sorted(settings["mode"] for settings in asked) == ["a", "bb"]
    assert all(trial.value == len(trial.settings["mode"]) for trial in trials)


def test_trials_of_another_search_are_not_believed():
    """From the first trial that this search would not have tried, all are run."""
    undisturbed = run()
    strange = [undisturbed[0], Trial({"factors": 3, "weight": 1.0, "mode": 3}, 100.0), undisturbed[2]]
    assert run(finished=strange) == undisturbed
    assert run(value_of=lambda settings: 5.0, finished=strange)[2].value == 5.0


def test_it_learns_from_earlier_trials():
    """The last trials of a search for the lowest value are better than the first, which are drawn blindly."""
    spaces = {"x": Range(-10, 10)}
    trials = run(60, spaces=spaces, value_of=lambda settings: settings["x"] ** 2, higher_is_better=False)
    values = [trial.value for trial in trials]
    assert sum(values[-20:]) < sum(values[:20]) / 3


def test_the_best_trial_is_the_first_of_equals():
    trials = [Trial({}, value) for value in (None, 0.1, 0.3, 0.3, 0.2)]
    assert best(trials) == 2
    assert best(trials, higher_is_better=False) == 1
    assert best([Trial({}, None)]) is None
    assert best([]) is None
