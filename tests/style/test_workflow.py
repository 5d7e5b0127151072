"""Read the Snakefile, rules, schema and configs: they keep the form that the design gives them."""

import re
from functools import cache

import pytest
import yaml
from truerank.config.checks import check_config
from truerank.config.merging import merged, read_defaults

from tests.support import PACKAGE, ROOT, load_yaml

CHAPTERS = ("data", "models", "ranking", "trial", "sampling", "report")
RULES = ROOT / "workflow" / "rules"
SCRIPT = ROOT / "workflow" / "scripts" / "run_stage.py"


def text_of(path):
    return path.read_text(encoding="utf-8")


@cache
def rules():
    """Return the text of every rule by name."""
    parts = [
        re.split(r"^use rule stage as (\w+) with:", text_of(RULES / f"{chapter}.smk"), flags=re.MULTILINE)
        for chapter in CHAPTERS
    ]
    return {name: body for part in parts for name, body in zip(part[1::2], part[2::2], strict=True)}


def directives(rule):
    """Return a rule's directives by name, with what stands below each or on its line."""
    parts = re.split(r"^    (\w+):", rules()[rule], flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_the_snakefile_is_a_table_of_contents():
    assert len(text_of(ROOT / "Snakefile").splitlines()) <= 40
    included = re.findall(r'include: "workflow/rules/(\w+)\.smk"', text_of(ROOT / "Snakefile"))
    assert included == ["common", "stage", *CHAPTERS, "together"]
    assert sorted(included) == sorted(path.stem for path in RULES.glob("*.smk"))


def test_rules_and_script_are_short():
    """At most 700 lines for the 30 rules; a rule that joins them brings its own 20."""
    files = [*RULES.glob("*.smk"), *SCRIPT.parent.glob("*")]
    assert SCRIPT in files
    lines = sum(len(text_of(path).splitlines()) for path in files if path.is_file())
    assert lines <= 700 + 20 * max(len(rules()) - 30, 0)


def test_every_stage_is_run_by_the_rule_of_its_name_and_nothing_else_is():
    """So a stage that no rule asks for is found, and one that is declared is a target (test_rules.py)."""
    stages = {path.stem for path in (PACKAGE / "stages").glob("*.py") if f"\ndef {path.stem}(" in text_of(path)}
    helpers = {"render_notebook", "software", "read_run"}  # called by stages
    assert stages - helpers == rules().keys()


def test_rules_have_all_that_every_rule_has():
    for rule, text in rules().items():
        has = directives(rule)
        assert re.match(r'\n    """[A-Z][^"]+\."""\n', text), rule
        assert {"input", "output", "log", "benchmark", "resources", "params"} <= has.keys(), rule
        assert not {"run", "shell", "message", "conda", "script"} & has.keys(), rule
        assert f'**writes("{rule}"' in re.sub(r"\(\s+", "(", has["output"]), rule
        assert f'**settings("{rule}"' in re.sub(r"\(\s+", "(", has["params"]), rule
        assert f'log_of("{rule}")' in has["log"], rule
        assert f'benchmark_of("{rule}")' in has["benchmark"], rule
        assert re.search(r"\*\*limits\(mem_mb=[\w.]+, minutes=\d+\)", has["resources"]), rule
    common = text_of(RULES / "stage.smk")
    assert 'conda:\n        "../../envs/truerank.yaml"' in common
    assert 'script:\n        "../scripts/run_stage.py"' in common


def test_the_cluster_profile_knows_every_rule():
    known = load_yaml(ROOT / "workflow" / "profiles" / "slurm" / "config.yaml")["set-resources"]
    assert known.keys() == rules().keys()


def test_wildcards_are_names_never_parameters():
    found = {name for rule in rules() for name in re.findall(r"\{(\w+)\}", directives(rule)["output"])}
    assert found <= {"dataset", "split", "model", "sampler", "estimator", "paper", "shard"}


# Schema and configs


def test_every_object_of_the_schema_is_closed():
    """Except a definition, ``{kind: .., settings}``: what it may set is checked against the registered kind, whose own
    schema is closed (test_registry.py); and a mapping of names, which is open to names."""
    schema = load_yaml(PACKAGE / "config" / "schemas" / "config.schema.yaml")
    closed, definitions = [], []

    def walk(node, path=()):
        if isinstance(node, list):
            for place, child in enumerate(node):
                walk(child, (*path, place))
        if not isinstance(node, dict):
            return
        if "properties" in node and "type" in node:
            if list(node["properties"]) in (["kind"], ["source"]):
                definitions.append(path)
            else:
                closed.append(path)
                assert node.get("additionalProperties") is False, path
        elif node.get("type") == "object":
            assert "propertyNames" in node, path
        for key, child in node.items():
            walk(child, (*path, key))

    walk(schema)
    assert () in closed
    assert len(closed) >= 4
    assert {path[-1] for path in definitions} == {"additionalProperties"}


def test_the_default_study_passes_the_checks_that_a_users_does():
    check_config(*merged({}))


def test_the_study_of_models_has_all_of_them():
    study = load_yaml(ROOT / "workflow" / "studies" / "models.yaml")
    assert study["select"]["ranking"]["models"] == list(read_defaults()["models"])


def test_ready_studies_pass_the_checks():
    for path in sorted((ROOT / "workflow" / "studies").glob("*.yaml")):
        study = load_yaml(path)
        assert "select" in study, path
        config, sources = merged(study)
        check_config(config, [*sources, path])


@pytest.mark.parametrize(("name", "depth"), [("config.yaml", 2), ("workflow/truerank/config/defaults.yaml", 1)])
def test_every_key_is_commented(name, depth):
    """On its line, in the line above, or on the lines of what it holds: a list of names speaks through its entries."""
    text = (ROOT / name).read_text(encoding="utf-8")
    lines = text.splitlines()

    def check(node, level):
        for key, value in node.value:
            start, end = key.start_mark.line, max(value.end_mark.line, key.start_mark.line + 1)
            above = lines[start - 1] if start else ""
            own = any("#" in line for line in lines[start:end])
            assert own or above.lstrip().startswith("#"), f"{name}, line {start + 1}: {key.value} has no comment"
            if level < depth and isinstance(value, yaml.MappingNode):
                check(value, level + 1)

    check(yaml.compose(text), 1)
