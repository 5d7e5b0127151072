"""Which edits run which stages again."""

import pytest

from tests.workflow.conftest import Study

EVALUATED = {"evaluate_shard", "evaluate_metrics"}


@pytest.fixture
def editable(own_workflow, tmp_path):
    """A finished study over a copy of the workflow, up to the metrics, and a function that edits the copy."""
    folder = tmp_path / "study"
    folder.mkdir()
    study = Study(folder, own_workflow)
    study.config["select"]["ranking"]["models"] = ["popularity"]
    study.done("results/metrics/small/holdout/per_user.parquet")
    target = "results/metrics/small/holdout/per_user.parquet"

    def after(*edits):
        before = {}
        for file, old, new in edits:
            path = own_workflow / "workflow/truerank" / file
            text = path.read_text()
            assert old in text
            before.setdefault(path, text)
            path.write_text(text.replace(old, new, 1))
        told = study.done("--dry-run", target).stderr.splitlines()
        for path, text in before.items():
            path.write_text(text)
        return {line.split()[2].rstrip(":") for line in told if line.startswith("would run ")}

    return after


def test_edits_rerun_exactly_what_could_notice(editable):
    recall = "metrics/precision.py"
    unnoticed = [
        (recall, '"""Metrics that count', '"""Another docstring. Metrics that count'),
        (recall, "\n\n\n@additive", "\n\n# A remark.\n\n\n@additive"),
        ("metrics/average_precision.py", "Term(judged.relevant, PRECISION)", "Term(judged.relevant)"),  # not selected
        ("models/popularity.py", "len(users), 1", "len(users),  1"),  # layout only
        ("models/ease.py", "+= self.l2", "+= 2 * self.l2"),  # not selected
    ]
    assert editable(*unnoticed) == set()
    assert editable((recall, "return judged.relevant", "return 2 * judged.relevant")) == EVALUATED
    assert editable(("models/popularity.py", "np.float32)}", "np.float32) * 2}")) == {
        *("train_model", "rank_shard", "rank_items"),
        *EVALUATED,
    }
    assert editable(("ranking/exact.py", "MOST_ROWS, FEWEST_ROWS = 512", "MOST_ROWS, FEWEST_ROWS = 256")) == {
        *("rank_shard", "rank_items"),
        *EVALUATED,
    }
