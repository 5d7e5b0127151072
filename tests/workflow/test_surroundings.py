"""A clock that was set back, and a locale that knows nothing but ASCII."""

import os
import shutil
import time

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
