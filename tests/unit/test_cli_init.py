"""`truerank init` writes a study that passes the checks, says what it guessed, and overwrites nothing."""

import pytest
import yaml
from truerank.cli import main
from truerank.config.checks import check_config
from truerank.config.merging import merged


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [f"u{i % 30},i{i * 7 % 300},{1 + i % 5},{10**9 + i}" for i in range(1800)]
    (tmp_path / "ratings.csv").write_text("\n".join(["userId,movieId,rating,ts", *lines]) + "\n")
    return tmp_path


def test_the_study_says_what_was_guessed_and_passes_the_checks(folder, capsys):
    assert main(["init", "ratings.csv"]) == 0
    told = capsys.readouterr().out
    assert "ratings.csv: 1,800 rows, 30 users, 300 items" in told
    assert "columns    user userId, item movieId, rating rating, timestamp ts" in told
    assert "explicit   ratings from 1 to 5; relevant from 4" in told
    assert "then: truerank run my.yaml" in told
    study = yaml.safe_load((folder / "my.yaml").read_text())
    assert study["datasets"]["ratings"]["columns"]["user"] == "userId"
    assert study["relevance"] == {"threshold": 4}
    assert study["select"]["sampling"]["split"] == "last_one"
    check_config(*merged(study))
    comments = [line for line in (folder / "my.yaml").read_text().splitlines() if "#" in line]
    assert len(comments) > 8


def test_nothing_is_overwritten(folder, capsys):
    (folder / "my.yaml").write_text("mine")
    assert main(["init", "ratings.csv"]) == 1
    assert "my.yaml exists already and is not overwritten; give another file after --to" in capsys.readouterr().err
    assert (folder / "my.yaml").read_text() == "mine"
    assert main(["init", "ratings.csv", "--to", "other.yaml"]) == 0
    assert main(["init", "ratings.csv", "--to", "none/other.yaml"]) == 1


@pytest.mark.parametrize("name", ["index.csv", "a b;'c.csv", "no.csv", "{x}.csv", "ümläut.csv", "..csv"])
def test_any_name_of_a_file_makes_a_study(folder, name):
    (folder / "ratings.csv").rename(folder / name)
    assert main(["init", name]) == 0
    study = yaml.safe_load((folder / "my.yaml").read_text())
    (dataset,) = study["datasets"].values()
    assert dataset["path"] == name


@pytest.mark.parametrize("header", ["yes,no,null,~", '"a: b",#x,true,1e3', "user,item,'rating',{t}"])
def test_any_names_of_columns_are_written_as_they_are(folder, header):
    lines = (folder / "ratings.csv").read_text().splitlines()
    (folder / "ratings.csv").write_text("\n".join([header, *lines[1:]]))
    names = [name.strip('"') for name in header.split(",")]
    columns = ",".join(f"{role}={name}" for role, name in zip(("user", "item", "rating"), names, strict=False))
    assert main(["init", "ratings.csv", "--columns", columns]) == 0
    study = yaml.safe_load((folder / "my.yaml").read_text())
    assert list(study["datasets"]["ratings"]["columns"].values())[:3] == names[:3]


@pytest.mark.parametrize("text", ["users=a", "user", "user=", "=a"])
def test_columns_that_cannot_be_read_are_told(capsys, text):
    assert main(["init", "ratings.csv", "--columns", text]) == 1
    assert "expected ROLE=NAME with a role of user, item, rating, timestamp" in capsys.readouterr().err


def test_a_small_catalogue_is_not_sampled(folder):
    rows = [f"u{i % 9},i{i % 7}" for i in range(63)]
    (folder / "ratings.csv").write_text("\n".join(["user,item", *rows]) + "\n")
    assert main(["init", "ratings.csv"]) == 0
    assert yaml.safe_load((folder / "my.yaml").read_text())["select"].keys() == {"datasets", "ranking"}
