"""Two legal files of ratings that ask much of a reader: made up, the same bytes for the same seed."""

import csv
import io
import random
from datetime import UTC, datetime

NEGATIVE = {  # what a config says of the first file
    "source": "file",
    "path": "negative.csv",
    "columns": {"user": "who; where", "item": "joke", "rating": "funny", "timestamp": "at"},
}
WESTERN = {  # and of the second
    "source": "file",
    "path": "western.txt",
    "columns": {"user": "café", "item": "plat", "rating": "note", "timestamp": "jour"},
    "missing_rating": 0,
}
LONELY, DISLIKED = "🦉 alone", "💀"


def write_negative(path, users=40, items=25, seed=5):
    """Write ratings from -10 to 10 between semicolons: all in quotes, emoji in ids, milliseconds, some before 1970.

    One user has one row, one item is rated -10 by all. Ids hold separators, quotes and line breaks.
    """
    draw = random.Random(seed)
    rows = [["who; where", "joke", "funny", "at"], [LONELY, "😀 0", "9.5", "1200000000000"]]
    for user in range(users):
        for item in range(items):
            if draw.random() < 0.5:
                low, high = (0, 10) if (user + item) % 2 else (-10, 3)
                rating, time = draw.uniform(low, high), draw.choice([-1, 1]) * draw.randint(2 * 10**11, 10**12)
                rows.append([f'🦊 "{user}"; x', f"😀 {item}", f"{rating:.2f}", str(time)])
        rows.append([f'🦊 "{user}"; x', DISLIKED, "-10", "0"])
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=";", quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerows(rows)
    path.write_text(stream.getvalue(), encoding="utf-8", newline="")


def write_western(path, users=40, items=25, seed=6):
    """Write ratings from 0.5 to 10 and very many 0 between bars, latin-1, with dates and a header in quotes."""
    draw = random.Random(seed)
    lines = ['"café"|"plat"|"note"|"jour"']
    for user in range(users):
        for item in range(items):
            if draw.random() < 0.8:
                rating = draw.randint(1, 20) / 2 if draw.random() < 0.6 else 0
                day = datetime.fromtimestamp(draw.randint(10**9, 15 * 10**8), UTC)
                lines.append(f"élève {user}|crème, n° {item}|{rating:.1f}|{day:%Y-%m-%d}")
    path.write_bytes(("\n".join(lines) + "\n").encode("latin-1"))
