"""Files of published figures have the right shape, and name only what their study makes."""

import pytest
from truerank.config.checks import PUBLISHED, SCHEMA, ConfigError, check_paper, check_shape
from truerank.config.merging import merged as with_defaults
from truerank.config.study import Study
from truerank.core.judging import USERS
from truerank.core.sampling_cost import FIGURES
from truerank.core.sampling_error import USER_MEAN
from truerank.core.user_tests import USER_TESTS
from truerank.metrics._core.evaluation import columns_of
from truerank.report.compared import figure_and_spread
from truerank.report.example import COLUMNS as EXAMPLE
from truerank.report.findings import RELATIONS
from truerank.report.published import merged

from tests.support import ROOT, load_yaml

PAPERS = sorted(path.stem for path in PUBLISHED.glob("*.yaml"))
STUDIES = {path.stem: load_yaml(path) for path in sorted((ROOT / "workflow" / "studies").glob("*.yaml"))}
FIXTURE = ROOT / "tests" / "fixture" / "published.yaml"
OF_MODELS = ["sampler", "estimator", "model", "metric", "k"]
COLUMNS = {  # what each artefact may be asked for, as docs/workflow.md and docs/sampling.md list it
    "summary": ["model", "metric", "k", "value", "ci_low", "ci_high", "users", "undefined"],
    "discriminative_power": ["metric", "k", "dp", "dp_ordered", "same_pairs", "dp_low", "dp_high"],
    "significance": ["metric", "k", "model_a", "model_b", "difference", "p_value", "p_holm"],
    "robustness": ["bias", "metric", "k", "fraction", "sample", "tau"],
    "correlation": ["metric_a", "k_a", "metric_b", "k_b", "tau", "a", "b"],
    "migration": ["model", "level", "up_sold", "down_sold", "accurate", "moved"],
    "accuracy": [*OF_MODELS, "exact", "mean", "sd", "relative_error"],
    "example": EXAMPLE,
    "facts": ["users", "items", "interactions", "density", "gini", "sparsity"],
    "error": ["sampler", "estimator", "model", "metric", "cutoffs", "error", "error_sd"],
    "mapped": ["sampler", "mapping", "k", "f", "winner", "right", "repeats"],
    "effort": ["sampler", "model", "size", *FIGURES],
    "expected": ["estimator", "negatives", "model", "metric", "k", "value"],
    "mapping": ["mapping", "negatives", "k", "f", "model", "sampled", "exact"],
    "order": ["sampler", "estimator", "metric", "k", "model_a", "model_b", "right", "repeats"],
    "winner": ["sampler", "estimator", "metric", "k", "right_top1", "right_top2", "repeats"],
    "cost": ["sampler", "model", "scores", "per_instance", "share"],
    "user_sampling": [*USERS],
    "user_tests": USER_TESTS,
}


def figures(content):
    """Yield every figure that a file asks for, merged as the report merges it."""
    for table in content.get("tables", ()):
        for column in table["columns"].values():
            for row in table["rows"].values():
                yield merged(table, column, row)
    for finding in content.get("findings", ()):
        key, values = next(iter(finding.get("each", {"": [""]}).items()))
        for value in values:
            for figure in finding.get("figures", {}).values():
                yield merged(finding, {"where": {key: value}} if key else {}, figure)


def names(study, content):
    """Return, for each column of an artefact, the names that the study has for it."""
    study = Study(with_defaults(study)[0])
    part = study.parts[content["part"]]
    metrics = study.metrics(part["split"])
    columns = [c for name, definition in metrics.items() for c in columns_of(name, definition, part["cutoffs"])]
    cutoffs = {column.rpartition("@")[2] for column in columns}
    return {
        **{column: set(metrics) for column in ("metric", "metric_a", "metric_b")},
        **{column: set(columns) for column in ("metric@k", "a", "b")},
        **{column: cutoffs for column in ("k", "k_a", "k_b")},
        "sampler": set(part.get("samplers", ())),
        "estimator": {*part.get("estimators", ()), USER_MEAN},
        "bias": {"sparsity", "popularity"},
        "dataset": set(study.config["datasets"]),
    }


@pytest.mark.parametrize("paper", PAPERS)
def test_as_many_users_are_expected_as_the_sampler_draws(paper):
    """And a table has spreads where a figure is judged against a multiple of the printed one."""
    content = load_yaml(PUBLISHED / f"{paper}.yaml")
    config = with_defaults(STUDIES[paper])[0]
    for table in content.get("tables", ()):
        for column in table["columns"].values():
            key = column.get("expected", table.get("expected", {}))
            definition = config["samplers"].get(merged(table, column)["where"].get("sampler"), {})
            if key:
                assert key.get("sampled") == definition.get("users"), table["name"]
                assert set(key["users"]) <= set(config["datasets"])
                assert table["spreads"]


def as_list(wanted):
    return wanted if isinstance(wanted, list) else [] if isinstance(wanted, dict) else [wanted]


def test_every_paper_has_its_study_and_every_study_its_paper():
    assert [study["paper"] for study in STUDIES.values() if "paper" in study] == PAPERS
    assert len(PAPERS) >= 4


@pytest.mark.parametrize("paper", PAPERS)
def test_shape(paper):
    check_paper(paper)


def test_the_fixture_has_the_shape_too_and_a_slip_is_seen():
    schema, content = load_yaml(SCHEMA.with_name("published.schema.yaml")), load_yaml(FIXTURE)
    check_shape(content, schema, ())
    content["drawings"] = [{"caption": "Fig. 1", "section": "metrics_by_rank", "example": ["ap@all"]}]
    check_shape(content, schema, ())
    content["drawings"][0]["section"] = "rank_fits"  # has no example
    with pytest.raises(ConfigError):
        check_shape(content, schema, ())
    content["drawings"] = []
    content["tables"][0]["digit"] = 2
    with pytest.raises(ConfigError, match="did you mean 'digits'"):
        check_shape(content, schema, ())


@pytest.mark.parametrize("paper", PAPERS)
def test_every_figure_is_one_that_the_study_makes(paper):
    content = load_yaml(PUBLISHED / f"{paper}.yaml")
    known = names(STUDIES[paper], content)
    asked = list(figures(content))
    assert asked
    for figure in asked:
        columns = [*COLUMNS[figure["artefact"]], "dataset"]
        assert figure["value"] in columns, figure
        for column, wanted in figure["where"].items():
            assert column in columns or (column == "metric@k" and {"metric", "k"} <= set(columns)), figure
            if column in known and figure["artefact"] != "example":
                assert set(map(str, as_list(wanted))) <= known[column], figure


@pytest.mark.parametrize("paper", PAPERS)
def test_every_drawing_has_metrics_and_cut_offs_of_the_study(paper):
    content = load_yaml(PUBLISHED / f"{paper}.yaml")
    known = names(STUDIES[paper], content)["metric@k"]
    for drawing in content.get("drawings", ()):
        assert set(drawing.get("curves", {}).values()) <= known, drawing["caption"]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_line_drawing_is_of_columns_and_names_of_the_study(paper):
    content = load_yaml(PUBLISHED / f"{paper}.yaml")
    known = names(STUDIES[paper], content)
    for drawing in content.get("drawings", ()):
        columns = COLUMNS[drawing["artefact"]] if "artefact" in drawing else []
        for key in ("x", "y", "by", "against"):
            assert drawing.get(key, None) in (None, *columns), drawing["caption"]
        for where in drawing.get("panels", {}).values():
            for column, wanted in (drawing.get("where", {}) | where).items():
                assert column in columns or column == "metric@k", drawing["caption"]
                if column in known and drawing["artefact"] != "example":
                    assert set(map(str, as_list(wanted))) <= known[column], drawing["caption"]


@pytest.mark.parametrize("paper", PAPERS)
def test_sections_of_a_worked_example_are_of_its_metrics_and_cut_offs(paper):
    content = load_yaml(PUBLISHED / f"{paper}.yaml")
    example = content.get("example", {"metrics": (), "cutoffs": ()})
    columns = {f"{metric}@{k}" for metric in example["metrics"] for k in example["cutoffs"]}
    for drawing in content.get("drawings", ()):
        assert set(drawing.get("example", ())) <= columns, drawing["caption"]


@pytest.mark.parametrize("path", [*(PUBLISHED / f"{paper}.yaml" for paper in PAPERS), FIXTURE], ids=lambda p: p.stem)
def test_cells_fill_the_columns_and_statements_name_figures(path):
    content = load_yaml(path)
    for table in content.get("tables", ()):
        for row in table["rows"].values():
            assert len(row["printed"]) == len(table["columns"])
            assert all(figure_and_spread(printed) for printed in row["printed"])
            assert {*row.get("known", ()), *row.get("apart", ())} <= set(table["columns"])
            assert ("because" in row) == ("tolerance" in row)
    for finding in content.get("findings", ()):
        assert ("cannot" in finding) != ("holds" in finding and "figures" in finding), finding["says"]
        for statement in finding.get("holds", ()):
            left, relation, right = statement.split()
            assert relation in RELATIONS
            assert left in finding["figures"]
            assert right in finding["figures"] or float(right) is not None
