"""Write what a study found in the formats of other tools: runs and qrels for trec_eval, tables for pandas and LaTeX."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from truerank.api.results import latex_lines
from truerank.artefacts.files import read_columns, read_table
from truerank.errors import UserError
from truerank.provenance import PathLike, whole

UNKNOWN = "%unknown-"  # a sign that ``without_blanks`` leaves in no name
BLANK = re.compile(r"[\s%]")


def export(results: PathLike, to: PathLike, threshold: float | None = None) -> Iterator[str]:
    """Write the splits of a study's ``results`` to the folder ``to`` and yield a sentence for each.

    Per dataset and split: ``test.qrels``, one ``{model}.run`` per model, ``per_user.csv``, ``summary.csv`` and
    ``summary.tex``. threshold : ratings of at least this are relevance 1 and others 0; without it, qrels have the
    ratings themselves, which have to be whole. A test row without a rating has relevance 1.
    """
    tests = sorted(Path(results).glob("splits/*/*/test.parquet"))
    if not tests:
        raise UserError(f"{results} has no splits/*/*/test.parquet; give the results folder of a study that has run")
    for test in tests:
        dataset, split = test.parts[-3:-1]
        folder = Path(to) / dataset / split
        users, items = (trec_ids(id_table(Path(results), dataset, kind)) for kind in ("users", "items"))
        write_lines(folder / "test.qrels", qrels(test, users, items, threshold))
        runs = sorted((Path(results) / "lists" / dataset / split).glob("*.parquet"))
        for run in runs:
            write_lines(folder / f"{run.stem}.run", run_lines(run, users, items))
        write_values(Path(results), dataset, split, folder)
        rule = "is the rating" if threshold is None else f"1 from a rating of {threshold:g}"
        n_users = len(set(read_columns(test, "user")[0]))
        yield f"{folder}: qrels of {n_users:,} users (relevance {rule}), {len(runs)} runs"


def id_table(results: Path, dataset: str, kind: str) -> Path:
    """The table of a dataset's users or items, which has to be there."""
    table = results / "datasets" / dataset / f"{kind}.parquet"
    if not table.is_file():
        raise UserError(f"{table} does not exist, expected the ids of {kind}; give the whole results folder of a study")
    return table


def trec_ids(table: Path) -> list[str]:
    """The ids of a table by code, as TREC can have them."""
    return [without_blanks(name) for name in read_columns(table, "id")[0]]


def without_blanks(name: str) -> str:
    """A name whose blanks, which separate the fields of TREC, are written as in web addresses: %20."""
    return BLANK.sub(lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), name)


def qrels(test: Path, users: list[str], items: list[str], threshold: float | None) -> Iterator[str]:
    """Lines of topic, iteration, document and relevance."""
    user, item, rating = read_columns(test, "user", "item", "rating")
    rating = rating.astype(float)
    relevance = np.where(np.isnan(rating), 1, rating if threshold is None else rating >= threshold)
    if (relevance != np.floor(relevance)).any():
        raise UserError(
            f"{test} has ratings such as {relevance[relevance != np.floor(relevance)][0]:g}, but relevance in qrels is "
            "a whole number; give --threshold, the lowest rating that is relevant"
        )
    return (f"{users[u]} 0 {items[i]} {r}" for u, i, r in zip(user, item, relevance.astype(int), strict=True))


def run_lines(run: Path, users: list[str], items: list[str]) -> Iterator[str]:
    """Lines of topic, Q0, document, rank, score and tag, in the order of the lists whatever the tool does with ties.

    At a place without an item of the dataset stands one that no dataset can have, so that those below keep theirs.
    """
    user, position, item, score = read_columns(run, "user", "position", "item", "score")
    order, tag = np.lexsort((position, user)), without_blanks(run.stem)
    user, position = user[order], position[order]
    above = np.where(np.append(True, np.diff(user) != 0), 0, np.append(0, position[:-1]))[: len(user)]
    row = np.repeat(np.arange(len(user)), position - above)  # a listed item, after the empty places above it
    place = np.arange(len(row)) - np.repeat(np.cumsum(position - above), position - above) + position[row] + 1
    for at, rank, value in zip(row, place, falling(user[row], score[order][row]), strict=True):
        name = items[item[order[at]]] if rank == position[at] else f"{UNKNOWN}{rank}"
        yield f"{users[user[at]]} Q0 {name} {rank} {value:.9g} {tag}"


def falling(user: np.ndarray, score: np.ndarray) -> np.ndarray:
    """Scores as float32, which trec_eval reads; a user's next is always lower, if need be by the least step."""
    result = score.astype(np.float32)
    same = np.append(False, user[1:] == user[:-1])
    for row in np.flatnonzero(np.append(False, np.diff(result) >= 0) & same):
        while row < len(result) and same[row] and result[row] >= result[row - 1]:
            result[row] = np.nextafter(result[row - 1], np.float32(-np.inf))
            row += 1
    return result


def write_values(results: Path, dataset: str, split: str, folder: Path) -> None:
    """Values per user with the users' own ids, and the summary, if the split was evaluated."""
    source = results / "metrics" / dataset / split
    if not source.is_dir():
        return
    values = read_table(source / "per_user.parquet")
    ids = read_columns(id_table(results, dataset, "users"), "id")[0]
    with whole(folder / "per_user.csv") as temporary:
        values.assign(user=ids[values["user"]]).to_csv(temporary, index=False, lineterminator="\n")
    summary = read_table(source / "summary.parquet")
    write_lines(folder / "summary.csv", summary.to_csv(index=False, lineterminator="\n").splitlines())
    write_lines(folder / "summary.tex", latex_lines(summary))


def write_lines(path: Path, lines: Iterable[str]) -> None:
    with whole(path) as temporary, open(temporary, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
