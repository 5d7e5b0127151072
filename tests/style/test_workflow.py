"""Read the Snakefile, rules, scripts, schema and configs: they keep the form that the design gives them."""

import re

import pytest
import yaml
from truerank.config.checks import check_config
from truerank.config.merging import merged, read_defaults
from truerank.provenance import source_path

from tests.support import PACKAGE, ROOT, load_yaml

SHARED = ("common", "code", "targets", "shards")  # of these, common includes the last three
RULES = sorted(path for path in (ROOT / "workflow" / "rules").glob("*.smk") if path.stem not in SHARED)
SCRIPTS = sorted((ROOT / "workflow" / "scripts").glob("*.py"))
STEM = pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)


def n_lines(path):
    return len(path.read_text(encoding="utf-8").splitlines())


def directives(path):
    """Return a rule's directives by name, with what stands below each or on its line."""
    text = path.read_text(encoding="utf-8")
    parts = re.split(r"^    (\w+):", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_the_snakefile_is_a_table_of_contents():
    assert n_lines(ROOT / "Snakefile") <= 40
    assert n_lines(ROOT / "workflow" / "rules" / "common.smk") <= 150


def test_every_rule_file_is_included_once():
    included = re.findall(r'include: "workflow/rules/(\w+)\.smk"', (ROOT / "Snakefile").read_text(encoding="utf-8"))
    assert sorted(included) == sorted([*SHARED[:1], *(path.stem for path in RULES)])


def test_every_script_has_a_rule_and_every_rule_a_script():
    assert [path.stem for path in SCRIPTS] == [path.stem for path in RULES]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_unpacks_and_calls_one_stage(path):
    assert n_lines(path) <= 12
    text = path.read_text(encoding="utf-8")
    assert f"from truerank.stages.{path.stem} import {path.stem}\n" in text
    assert "with job(snakemake):\n" in text
    assert not re.search(r"^\s*(def|for|while|class|if) ", text, re.MULTILINE)
    assert source_path(f"truerank.stages.{path.stem}")


@STEM
def test_a_rule_file_has_one_rule_of_its_name_with_a_docstring(path):
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"^(?:rule|checkpoint) (\w+):", text, re.MULTILINE) == [path.stem]
    assert re.search(r'^rule \w+:\n    """[A-Z][^"]+\."""\n', text)


@STEM
def test_a_rule_has_all_that_every_rule_has(path):
    has = directives(path)
    assert {"input", "output", "log", "benchmark", "threads", "resources", "params", "script"} <= has.keys()
    assert re.search(r"\bmem_mb=", has["resources"])
    assert re.search(r"\bruntime=", has["resources"])
    assert re.search(r"^        code=", has["params"], re.MULTILINE)
    assert not {"run", "shell", "message"} & has.keys()
    assert has["script"].strip() == f'"../scripts/{path.stem}.py"'


@STEM
def test_the_fingerprint_is_of_the_rules_own_stage(path):
    code = re.search(r"^        code=(.*)", directives(path)["params"], re.MULTILINE | re.DOTALL).group(1)
    assert re.search(rf'(fingerprint|code_of(_metrics|_sampled|_draws)?)\(\s*"{path.stem}"', code)


@STEM
def test_log_benchmark_and_receipt_are_named_after_the_rule(path):
    has = directives(path)
    assert f'"results/logs/{path.stem}' in has["log"]
    assert f'"results/benchmarks/{path.stem}' in has["benchmark"]
    assert f'receipt="results/receipts/{path.stem}' in has["output"]
    log, benchmark = (has[name].split('"')[1].partition(f"/{path.stem}")[2] for name in ("log", "benchmark"))
    assert log.removesuffix(".log") == benchmark.removesuffix(".tsv"), "cost_of finds one by the other"


@STEM
def test_every_output_but_the_receipt_outlives_a_failure(path):
    """``update`` keeps the earlier file until the new one takes its name."""
    for line in directives(path)["output"].strip().splitlines():
        assert re.match(r"\s*(receipt=|\w+=update\()", line), line


@STEM
def test_wildcards_are_names_never_parameters(path):
    found = set(re.findall(r"\{(\w+)\}", directives(path)["output"]))
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
