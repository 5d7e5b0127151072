"""Write ranx_values.json, what ranx says about small cases: python tests/unit/api/make_ranx_values.py, where ranx is.

ranx 0.3.21 compiles each metric anew in every process, a minute of work, so its values are kept beside the test.
"""

import json
import random
from pathlib import Path

ITEMS = [f"i{number:02}" for number in range(14)]
CUTOFFS = (1, 2, 3, 5, 10)
METRICS = [f"{name}@{k}" for name in ("precision", "recall", "hit_rate", "mrr", "map", "ndcg", "f1") for k in CUTOFFS]
METRICS += ["map", "mrr", "bpref", "rbp.95"]


def case(draw, number):
    """Return qrels and lists: short ones, with items that no qrels have, and now and then a user without one."""
    users = [f"u{user}" for user in range(draw.randint(1, 6))]
    qrels = {user: {item: draw.randint(0, 1) for item in draw.sample(ITEMS, draw.randint(1, 8))} for user in users}
    for own in qrels.values():
        own[draw.choice(list(own))] = 1
    qrels[users[0]][ITEMS[0]] = 1
    listed = [*ITEMS, "new1", "new2", "new3"]
    lists = {user: draw.sample(listed, draw.randint(1, 14)) for user in users}
    lists[users[0]] = [*ITEMS[1:4], ITEMS[0]]
    if number % 3 == 0 and len(users) > 1:
        del lists[users[-1]]
    return qrels, lists


def judged(qrels, lists):
    from ranx import Qrels, Run, evaluate

    scores = {user: {item: float(len(own) - place) for place, item in enumerate(own)} for user, own in lists.items()}
    run = Run(scores)
    evaluate(Qrels(qrels), run, METRICS, make_comparable=True)
    return {name: {user: plain(value) for user, value in own.items()} for name, own in run.scores.items()}


def plain(value):
    """Return a number, None for NaN: bpref of a user without an item that is judged and not relevant."""
    return None if value != value else round(float(value), 9)


if __name__ == "__main__":
    draw = random.Random(7)
    found = [(qrels, lists, judged(qrels, lists)) for qrels, lists in (case(draw, number) for number in range(12))]
    lines = [json.dumps(dict(zip(("qrels", "lists", "ranx"), each, strict=True))) for each in found]
    Path(__file__).with_name("ranx_values.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
