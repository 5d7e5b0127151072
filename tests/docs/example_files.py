"""Files of the names that README and docs use, small, in a folder of their own."""

import random

import pandas as pd

from tests.support import ROOT

USERS, ITEMS = 40, 60


def write_examples(folder):
    """Write every file that a command of the pages reads."""
    (folder / "runs").mkdir()
    link_results(folder / "results")
    draw = random.Random(5)
    liked = {user: draw.sample(range(ITEMS), 12) for user in range(USERS)}
    ratings = [(f"u{user}", f"i{item}", 1 + item % 5, 10**9 + item) for user in liked for item in liked[user]]
    names = ["userId", "movieId", "rating", "ts"]
    pd.DataFrame(ratings, columns=names).to_csv(folder / "ratings.csv", index=False)
    test = [(user, item) for user in liked for item in liked[user][:3]]
    for name, columns in (("test.csv", ["user", "item"]), ("purchases.parquet", ["customer_id", "sku"])):
        write(folder / name, pd.DataFrame(test, columns=columns))
    train = [(user, item) for user in liked for item in liked[user][3:]]
    write(folder / "train.csv", pd.DataFrame(train, columns=["user", "item"]))
    scores = [(user, item, draw.random()) for user in liked for item in range(ITEMS)]
    write(folder / "scores.csv", pd.DataFrame(scores, columns=["user", "item", "score"]))
    for place, (csv, parquet) in enumerate((("run_a.csv", "recs_v1.parquet"), ("run_b.csv", "recs_v2.parquet"))):
        rows = [
            (user, item, rank)
            for user in liked
            for rank, item in enumerate([*draw.sample(liked[user][:3], 2 - place), ITEMS + place], 1)
        ]
        write(folder / csv, pd.DataFrame(rows, columns=["user", "item", "rank"]))
        write(folder / parquet, pd.DataFrame(rows, columns=["customer_id", "sku", "position"]))
    for name in ("ease.csv", "ials.csv", "runs/popularity.csv", "one.csv", "other.csv", "third.csv"):
        values = [(user, draw.randint(0, 10) / 10) for user in range(USERS)]
        independent = name in ("one.csv", "other.csv", "third.csv")
        frame = pd.DataFrame(values, columns=["user", "value"])
        write(folder / name, frame[["value"]] if independent else frame)
    valued = [(model, user, draw.random(), draw.random()) for model in "abc" for user in range(USERS)]
    write(folder / "per_user.csv", pd.DataFrame(valued, columns=["model", "user", "ndcg@10", "recall@20"]))
    write(folder / "ranks.csv", pd.DataFrame({"rank": [draw.randint(1, 60) for _ in range(200)]}))
    (folder / "my.yaml").write_text(own_study())
    for name in ("given.yaml", "more.yaml"):
        (folder / name).write_text("seed: 3\n")


def link_results(folder):
    """Let the results of a small study stand under the name of the data that the pages have."""
    for kind in (ROOT / "tests" / "fixture" / "results").iterdir():
        (folder / kind.name).mkdir(parents=True)
        for path in kind.iterdir():
            (folder / kind.name / path.name.replace("toy", "ml-100k")).symlink_to(path)


def write(path, frame):
    frame.to_parquet(path) if path.suffix == ".parquet" else frame.to_csv(path, index=False)


def own_study():
    """Return the study that docs/install.md shows."""
    lines = (ROOT / "docs" / "install.md").read_text(encoding="utf-8").splitlines()
    start = lines.index("    # my.yaml")
    end = next(place for place in range(start, len(lines)) if not lines[place])
    return "\n".join(line.removeprefix("    ") for line in lines[start:end]) + "\n"
