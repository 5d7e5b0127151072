"""A clock that was set back, and a locale that knows nothing but ASCII."""

import os
import shutil
import subprocess
import time
from urllib.parse import unquote

from bs4 import BeautifulSoup

from tests.faults.surroundings import STUBBORN
from tests.workflow.conftest import SNAKEMAKE

TRAIN = "results/splits/small/holdout/train.parquet"
TOMORROW = time.time() + 86_400


def test_results_from_the_future_are_used_and_not_made_again(study):
    study.done(TRAIN)
    before = study.contents()
    shutil.rmtree(study.results / "splits")
    for place, path in enumerate(sorted(study.results.rglob("*.*"), key=lambda path: path.stat().st_mtime)):
        os.utime(path, (TOMORROW + place, TOMORROW + place))
    told = study.done(TRAIN).stderr
    assert study.contents() == before
    assert "fetch_dataset" not in told


def test_a_file_of_the_user_from_the_future_is_told_until_it_is_touched(study):
    ratings = study.folder / "ratings.csv"
    os.utime(ratings, (TOMORROW, TOMORROW))
    run = study.run(TRAIN)
    assert run.returncode != 0
    told = [line for line in run.stderr.splitlines() if not line.startswith("Using workflow")]
    assert len(told) == 1, run.stderr
    assert told[0].startswith("truerank: ratings.csv is from ")
    assert "touch ratings.csv" in told[0]
    os.utime(ratings)
    study.done(TRAIN)


def test_names_in_other_scripts_are_understood_in_the_c_locale_from_another_folder(study):
    """The paths on the command line are relative to where it is typed, and the target's name is not ASCII."""
    name = "größe & 中文"
    study.config["datasets"] = {name: study.config["datasets"]["small"]}
    study.config["select"]["datasets"] = [name]
    study.command()  # writes the config
    target = f"results/datasets/{name}/interactions.parquet"
    here = ["--directory", study.folder.name, "--configfile", f"{study.folder.name}/study.yaml"]
    command = [SNAKEMAKE, target, "--cores", "1", "--snakefile", study.repository / "Snakefile", *here]
    locale = os.environ | STUBBORN
    run = subprocess.run(command, cwd=study.folder.parent, env=locale, capture_output=True, encoding="utf-8")
    assert run.returncode == 0, run.stderr
    assert (study.folder / target).exists()


def test_the_oddest_names_that_are_admitted_reach_the_page(study):
    """Quotes, signs of the shell, of regular expressions, addresses and tables, and spaces at both ends."""
    odd, heading = " ~$HOME`id`';&|*?[x]\\%41,#:\"@!^=+() ", "metric"
    config, part = study.config, study.config["select"]["ranking"]
    config["datasets"] = {odd: config["datasets"]["small"]}
    config["splits"] = {odd: {"kind": "user_fraction", "test": 0.3}}
    config["models"] = {odd: {"kind": "popularity"}, heading: {"kind": "random"}}
    config["metrics"] = {odd: {"kind": "recall"}, "a@5": {"kind": "ndcg"}}
    config["samplers"] = {odd: {"kind": "uniform", "negatives": 5, "repeats": 3}}
    config["estimators"] = {odd: {"kind": "uncorrected"}}
    part |= {"split": odd, "models": [odd, heading], "metrics": [odd, "a@5"], "cutoffs": [1]}
    config["select"] = {
        "datasets": [odd],
        "ranking": part,
        "sampling": part | {"samplers": [odd], "estimators": [odd]},
    }
    study.done()
    folder = study.results / "report"
    index, page = (
        BeautifulSoup((folder / name).read_text(encoding="utf-8"), "html.parser")
        for name in ("index.html", f"{odd}.html")
    )
    links = {unquote(link["href"]) for link in index.select("a[href$='.html']")}
    assert links == {f"{odd}.html"}
    assert page.title.get_text().startswith(odd)
    assert f"{odd}@1" in page.get_text()
