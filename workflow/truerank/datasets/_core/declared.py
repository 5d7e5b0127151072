"""A catalogue that is declared: items that nobody touched are candidates like any other."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice

from truerank.datasets._core.cleaning import AnyRows, wrong
from truerank.datasets._core.interactions import id_order
from truerank.errors import UserError

UNTOUCHED = "untouched-"


def with_catalogue(rows: AnyRows, name: str, items: int | str) -> AnyRows:
    """Return rows whose items are all that are declared: their number, or a file that has an id per line.

    rows : canonical. Items without a row follow the others and have no attributes; of a file they are sorted by id, of
    a bare number they are called untouched-1, untouched-2 and so on, without the names that the data has.
    """
    found = list(rows.items["id"])
    if isinstance(items, int):
        if items < len(found):
            raise wrong(name, "items", f"is {items:,}, but found {len(found):,} items that have a row; raise it")
        added = list(islice(made_up(set(found)), items - len(found)))
    else:
        ids = ids_in(items)
        missing = [each for each in found if each not in ids]
        if missing:
            few = f"{len(missing):,} of the {len(found):,} items that have a row, such as {missing[0]!r}"
            raise wrong(
                name, "items", f"is {items!r}, which lacks {few}: found {len(ids):,} ids, expected all; add them"
            )
        new = list(ids.keys() - set(found))
        added = [new[place] for place in id_order(new)]
    table = {key: list(column) + (added if key == "id" else [None] * len(added)) for key, column in rows.items.items()}
    return replace(rows, items=table).noting(items_declared=len(table["id"]), items_without_rows=len(added))


def made_up(taken: set[str]) -> Iterator[str]:
    return (name for name in (f"{UNTOUCHED}{number}" for number in count(1)) if name not in taken)


def ids_in(path: str) -> dict[str, int]:
    """Return the ids of a file, plain or gzipped, with their lines; blank lines are passed over."""
    from truerank.datasets._core.reading.content import content
    from truerank.datasets._core.reading.encoding import encoding_of

    data, _ = content(path)
    try:
        text = data.decode(encoding_of(data).replace("utf-8", "utf-8-sig"))
    except UnicodeDecodeError as failure:
        place = data.count(b"\n", 0, failure.start) + 1
        raise UserError(
            f"{path}, line {place}: found bytes that are not UTF-8 text, expected an id; correct it"
        ) from None
    ids: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        own = line.strip()
        if own in ids:
            raise UserError(
                f"{path}, lines {ids[own]} and {number}: found the id {own!r} twice, expected once; delete one"
            )
        if own:
            ids[own] = number
    return ids
