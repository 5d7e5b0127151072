"""A user's mistake ends in one sentence, a non-zero exit code, and all earlier results as they were."""

import gzip
import os
import resource
import shutil

import pytest

from tests.workflow.conftest import ALONE, MEASURED, METRICS, write_ratings

EARLIER = ("datasets", "splits", "models", "ranks", "lists", "metrics", "report")


def refused(study, *arguments, **options):
    """Run a study that cannot succeed; return the one sentence."""
    run = study.run(*arguments, **options)
    assert run.returncode != 0, run.stderr
    assert "Traceback" not in run.stderr
    said = [line for line in run.stderr.splitlines() if not line.startswith(("Using workflow", "[", "  log:"))]
    said = [line for line in said if " jobs in " not in line]
    assert len(said) == 1, run.stderr
    return said[0]


def test_bad_row_keeps_earlier_results_and_is_told_until_mended(finished):
    before = finished.contents(EARLIER)
    ratings = finished.folder / "ratings.csv"
    good = ratings.read_text()
    lines = good.splitlines()
    lines[6] = "u1,i2,five,1000000000"
    ratings.write_text("\n".join(lines) + "\n")
    for asked in ([], ["results/metrics/small/holdout/summary.parquet"], []):
        sentence = refused(finished, *asked)
        for part in ("ratings.csv", "line 7", "'five'", "number"):
            assert part in sentence
        assert finished.contents(EARLIER) == before
    ratings.write_text(good)
    finished.done(*MEASURED)
    unchanged = [folder for folder in EARLIER if folder != "report"]
    assert finished.contents(unchanged) == {p: b for p, b in before.items() if not p.startswith("report/")}


CONFIG_MISTAKES = {
    "unknown key": (lambda c: c.update(sed=1), ["'sed'", "did you mean 'seed'"]),
    "unknown setting": (lambda c: c["models"]["ials"].update(factor=3), ["'factor'", "did you mean 'factors'"]),
    "missing file": (lambda c: c["datasets"]["small"].update(path="nowhere.csv"), ["nowhere.csv", "does not exist"]),
}


@pytest.mark.parametrize("mistake", CONFIG_MISTAKES)
def test_config_mistakes_name_the_line_before_any_job(study, mistake):
    spoil, parts = CONFIG_MISTAKES[mistake]
    spoil(study.config)
    sentence = refused(study)
    assert "study.yaml, line " in sentence
    for part in parts:
        assert part in sentence
    assert not study.results.exists()


def test_config_that_is_not_yaml(study):
    command = study.command()
    (study.folder / "study.yaml").write_text("select: [1,\nseed: 2")
    study.command = lambda *_, **__: command
    assert "study.yaml, line 2" in refused(study)


def test_config_whose_aliases_explode(study):
    """Ten mappings in each of ten, nine times: Snakemake itself would copy them until the memory is full."""
    names = [f"a{n}: &a{n} {{{', '.join(f'k{key}: *a{n - 1}' for key in range(10))}}}" for n in range(1, 10)]
    command = study.command("--dry-run")
    (study.folder / "study.yaml").write_text("\n".join(["a0: &a0 {x: 1}", *names]))
    study.command = lambda *_, **__: command
    assert "study.yaml has aliases that make more than 100,000 values" in refused(study, timeout=60)


def test_config_that_is_a_program(study):
    command = study.command("--dry-run")
    with open(study.folder / "study.yaml", "a") as file:
        file.write("__use_yte__: true\nproof: ?open('proof', 'w').close()\n")
    study.command = lambda *_, **__: command
    assert "__use_yte__ makes Snakemake run Python" in refused(study)
    assert not (study.folder / "proof").exists()


def test_config_that_does_not_exist(study):
    command = [word if word != "study.yaml" else "nowhere.yaml" for word in study.command()]
    study.command = lambda *_, **__: command
    assert "nowhere.yaml cannot be read: no such file" in refused(study)


def test_gzip_cut_off_in_the_middle(study):
    packed = gzip.compress((study.folder / "ratings.csv").read_bytes())
    (study.folder / "ratings.csv.gz").write_bytes(packed[: len(packed) // 2])
    study.config["datasets"]["small"]["path"] = "ratings.csv.gz"
    assert "ratings.csv.gz" in refused(study)


BROKEN = '''
import numpy as np
from truerank.models import MODELS, Recommender


@MODELS.register("broken", uses=(), predicts_ratings=False, time="1", memory="1")
class Broken(Recommender):
    """Score nothing but NaN."""

    def fit(self, train, rng, callback=None):
        return {"nothing": np.zeros(1)}

    def scores(self, learnt, train, users):
        return np.full((len(users), train.n_items), np.nan, np.float32)
'''


def test_model_that_yields_nan(study):
    """A model of one's own is one file; one that yields NaN is refused by name."""
    (study.folder / "broken.py").write_text(BROKEN)
    study.config["extensions"] = ["broken.py"]
    study.config["models"]["mine"] = {"kind": "broken"}
    study.config["select"]["ranking"]["models"] = ["mine"]
    sentence = refused(study)
    for part in ("'mine'", "broken", "not a finite number"):
        assert part in sentence


def test_disk_that_takes_no_more(finished):
    """No file may grow past 60 kB: as on a full disk, the stage ends in a sentence and earlier results stay."""
    before = finished.contents(EARLIER)
    write_ratings(finished.folder / "ratings.csv", users=900, items=80)
    limit = 60_000
    surroundings = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))}
    sentence = refused(finished, METRICS, env=os.environ | ALONE, **surroundings)
    assert "interactions.parquet" in sentence
    assert "cannot be read or written" in sentence
    assert finished.contents(EARLIER) == before


def test_artefact_changed_by_hand_is_noticed(finished):
    """A rank table that is not the one its stage wrote never becomes a number."""
    ranks = finished.results / "ranks/small/holdout/ials.parquet"
    shutil.copy(finished.results / "ranks/small/holdout/popularity.parquet", ranks)
    sentence = refused(finished, cores=1)
    assert "ranks/small/holdout/ials.parquet" in sentence
    assert "changed" in sentence
