"""Ask a caller's scorer by its own ids: in batches, in parallel if wanted, each score once, kept on disk if wanted."""

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from reprlib import repr as shortened
from typing import IO, Any

import numpy as np

from truerank.errors import UserError
from truerank.provenance import PathLike

Scorer = Callable[[Any, Any], Any]
Map = Callable[..., Iterable[Any]]
HEADING = {"truerank": "scores", "version": 1}
SECONDS_BETWEEN = 0.5  # of progress


@dataclass(frozen=True)
class Failed:
    """What a scorer raised instead of returning scores."""

    error: Exception


@dataclass(frozen=True)
class Call:
    """Call a scorer for one task, here or in another process; what it raises is returned."""

    scorer: Scorer

    def __call__(self, task: tuple[Any, Any]) -> Any:
        try:
            return self.scorer(*task)
        except Exception as error:
            return Failed(error)


@dataclass
class Asker:
    """A scorer as a search asks it: by codes, elementwise. users, items : ids by code.

    scorer : function from a user's id and an array of items' ids to a score each. batch : most items of a call. map :
    like the builtin, to run several calls at once. cache : a file to which scores are added as they come, and whose
    scores are not asked for again; it belongs to one scorer.
    """

    scorer: Scorer
    users: np.ndarray
    items: np.ndarray
    batch: int = 1000
    map: Map = map
    cache: PathLike | None = None
    scores: dict[int, float] = field(default_factory=dict)
    asked: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.progress = Progress()
        self.file: IO[bytes] | None = None
        if self.cache is not None:
            self.scores, self.file = opened(self.cache, self.users, self.items)

    def __call__(self, users: np.ndarray, items: np.ndarray) -> np.ndarray:
        """Return the scores of pairs of codes."""
        code = users.astype(np.int64) * len(self.items) + items
        codes = code.tolist()
        self.asked.update(codes)
        missing = np.array([each not in self.scores for each in codes], bool)
        if missing.any():
            self.fetch(code[missing])
        self.progress.show(len(self.asked))
        return np.array([self.scores[each] for each in codes], np.float32)

    def fetch(self, code: np.ndarray) -> None:
        """Ask the scorer, one call for each user and batch."""
        user, item = np.divmod(code, len(self.items))
        first = np.flatnonzero(np.diff(user, prepend=-1))
        ends = np.append(first[1:], len(user))
        cuts = [(a, min(a + self.batch, b)) for f, b in zip(first, ends, strict=True) for a in range(f, b, self.batch)]
        tasks = [(plain(self.users[user[a]]), self.items[item[a:b]]) for a, b in cuts]
        for (a, b), task, found in zip(cuts, tasks, self.map(Call(self.scorer), tasks), strict=True):
            scores = checked(found, *task)
            self.scores.update(zip(code[a:b].tolist(), scores, strict=True))
            self.keep(*task, scores)

    def keep(self, user: Any, items: np.ndarray, scores: list[float]) -> None:
        if self.file is not None:
            line = json.dumps([user, items.tolist(), scores]) + "\n"
            self.file.write(line.encode())
            self.file.flush()

    def close(self) -> None:
        self.progress.end()
        if self.file is not None:
            self.file.close()


def checked(found: Any, user: Any, items: np.ndarray) -> list[float]:
    """Return what a scorer gave as numbers; anything but one finite number per item is an error."""
    about = f"for user {shortened(user)}"
    if isinstance(found, Failed):
        kind, first = type(found.error).__name__, shortened(plain(items[0]))
        more = f" and {len(items) - 1:,} more" if len(items) > 1 else ""
        raise UserError(
            f"the scorer raised {kind} {about}, item {first}{more}: {found.error}; fix it and run again"
        ) from found.error
    try:
        scores = np.asarray(found if found is not None else "nothing", float)
    except (TypeError, ValueError):
        raise UserError(
            f"the scorer returned {shortened(found)} {about}, expected an array of numbers; fix it"
        ) from None
    if scores.shape != items.shape:
        shape = f"{scores.size:,} scores" if scores.ndim == 1 else f"an array of shape {scores.shape}"
        raise UserError(
            f"the scorer returned {shape} {about} and {len(items):,} items, expected one score for each item; fix it"
        )
    with np.errstate(over="ignore"):
        scores = scores.astype(np.float32)
    bad = np.flatnonzero(~np.isfinite(scores))
    if len(bad):
        item, value = shortened(plain(items[bad[0]])), np.asarray(found, float)[bad[0]]
        raise UserError(
            f"the scorer returned {value} {about}, item {item}, expected a finite number; fix it and run again"
        )
    return scores.tolist()


def plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def opened(path: PathLike, users: np.ndarray, items: np.ndarray) -> tuple[dict[int, float], IO[bytes]]:
    """Return the scores that a cache has of these users and items, and the file, open to add more.

    A last line that a killed process did not finish is cut off.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = open(path, "a+b")  # noqa: SIM115  it stays open while scores come
        file.seek(0)
        content = file.read()
        whole = content.rfind(b"\n") + 1
        if not content:
            file.write(json.dumps(HEADING).encode() + b"\n")
            file.flush()
        elif whole < len(content):
            file.truncate(whole)
    except OSError as failure:
        reason = (failure.strerror or str(failure)).lower()
        raise UserError(f"cache {path} cannot be used: {reason}; give another file") from None
    try:
        return dict(read_cache(path, content[:whole].splitlines(), users, items)), file
    except UserError:
        file.close()
        raise


def read_cache(path: Path, lines: Sequence[bytes], users: np.ndarray, items: np.ndarray) -> Iterator[tuple[int, float]]:
    """Yield code and score of what a cache has."""
    of_user, of_item = ({plain(each): code for code, each in enumerate(ids)} for ids in (users, items))
    for number, line in enumerate(lines, start=1):
        try:
            found = json.loads(line)
            if number == 1:
                if found != HEADING:
                    raise ValueError
                continue
            user, own, scores = found
            if user in of_user:
                start = of_user[user] * len(items)
                pairs = zip(own, scores, strict=True)
                yield from ((start + of_item[item], float(score)) for item, score in pairs if item in of_item)
        except (ValueError, TypeError):
            raise UserError(
                f"{path}, line {number}: {shortened(line.decode(errors='replace'))} is no line of a cache of scores, "
                "expected one that Truerank wrote; give another file, or delete it"
            ) from None


class Progress:
    """How many scores were asked for, on one line of a terminal that watches; nothing elsewhere."""

    def __init__(self) -> None:
        self.shown = sys.stderr is not None and sys.stderr.isatty()
        self.last = 0.0
        self.open = False

    def show(self, n_scores: int) -> None:
        now = time.monotonic()
        if self.shown and now - self.last > SECONDS_BETWEEN:
            self.last, self.open = now, True
            with contextlib.suppress(OSError):
                print(f"\r{n_scores:,} scores", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self.open:
            print(file=sys.stderr)
