"""Read the profiles: what they share is the same, and the cluster's resources are those of the rules."""

import re

import pytest
import truerank
from truerank.config.together import TOGETHER
from truerank.registry import DATASETS

from tests.support import ROOT, load_yaml

PROFILES = ROOT / "workflow" / "profiles"
RULES = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "workflow" / "rules").glob("*.smk"))
LIMITS = re.findall(
    r"^use rule stage as (\w+) with:.*?\*\*limits\(mem_mb=([\w.]+), minutes=(\d+)\)", RULES, re.M | re.S
)
NEEDS = {
    name: ({"mem_mb": int(memory)} if memory.isdigit() else {}) | {"runtime": int(minutes)}
    for name, memory, minutes in LIMITS
}


@pytest.fixture(scope="module")
def slurm():
    return load_yaml(PROFILES / "slurm" / "config.yaml")


def test_a_cluster_reruns_and_reports_as_a_local_run_does(slurm):
    local = load_yaml(PROFILES / "default" / "config.yaml")
    assert {key: slurm.get(key) for key in local} == local


def test_the_default_profile_which_wins_over_the_cluster_s_sets_no_limit():
    assert not {"cores", "jobs", "executor"} & load_yaml(PROFILES / "default" / "config.yaml").keys()


def test_the_image_of_pods_has_this_version():
    """No key of the profile, since each user has an image of their own, but what the comment on it says."""
    text = (PROFILES / "kubernetes" / "config.yaml").read_text(encoding="utf-8")
    assert re.findall(r"truerank:([\w.]+)", text) == [truerank.__version__]


def test_every_rule_starts_with_its_own_memory_and_time_and_gets_more_when_it_is_tried_again(slurm):
    """A rule without an entry would get the same again; one with another number would surprise."""
    assert NEEDS
    expected = {name: {key: f"{value} * attempt" for key, value in needs.items()} for name, needs in NEEDS.items()}
    found = {
        name: {key: needs[key] for key in needs.keys() - {"in_turn"}} for name, needs in slurm["set-resources"].items()
    }
    assert found == expected, "write set-resources of workflow/profiles/slurm anew from the rules"


def test_jobs_of_one_submission_run_in_turn_but_models_side_by_side(slurm):
    """Or a submission asks for the cores and the memory of all its jobs, which a small node does not have."""
    in_turn = {name for name, needs in slurm["set-resources"].items() if needs.get("in_turn") == 1}
    assert in_turn == {
        rule for group, rules in TOGETHER.items() if group not in slurm["group-components"] for rule in rules
    }
    assert slurm["resources"] == ["in_turn=1"]
    assert slurm["set-resource-scopes"] == ["in_turn=local"]


def test_data_known_to_be_large_gets_the_memory_that_its_rows_take(slurm):
    """Megabytes per million rows as measured, docs/data.md; an entry of the profile would win over the rule's own."""
    assert "mem_mb" not in slurm["set-resources"]["fetch_dataset"]
    assert ("fetch_dataset", "study.memory_of_source") in [limit[:2] for limit in LIMITS]
    for source, millions, each in (("ml-20m", 20, 150), ("ml-25m", 25, 150), ("amazon-clothing", 32, 450)):
        assert DATASETS[source].facts.memory_mb > 1.1 * millions * each


def test_only_rules_are_grouped(slurm):
    assert {rule for rules in TOGETHER.values() for rule in rules} <= NEEDS.keys()
    assert slurm["group-components"].keys() <= TOGETHER.keys()
