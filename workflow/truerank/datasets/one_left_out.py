"""Pinterest-20 and Yelp as He et al. split them: one item of every user is left out for the test."""

from collections.abc import Mapping, Sequence

import numpy as np

from truerank.datasets._core.archives import Archive, find
from truerank.datasets._core.downloads import from_address
from truerank.datasets._core.interactions import Bounds, Context, Interactions, joined
from truerank.datasets._core.reading import Layout
from truerank.datasets._core.sizes import check_size
from truerank.datasets.files import check_users
from truerank.registry import DATASETS

ADDRESS = "https://raw.githubusercontent.com/hexiangnan/adversarial_personalized_ranking/\
54f708f9fe4338cdb5ffe82205e69327bf22466a/Data/"
MIRROR = "https://raw.githubusercontent.com/hexiangnan/neural_collaborative_filtering/master/Data/"
PARTS = ("train", "test")
SIZES = {"pinterest-20": {"users": 55_187}, "yelp": {"users": 25_677}}


def archives_of(name: str, mirror: str | None = None) -> tuple[Archive, ...]:
    files = [f"{name}.{part}.rating" for part in PARTS]
    return tuple(
        Archive(file, name, None, ADDRESS + file, from_address, (mirror + file,) if mirror else ()) for file in files
    )


PINTEREST, YELP = archives_of("pinterest-20", MIRROR), archives_of("yelp")
LICENCE = "in the authors' repositories, under Apache 2.0 where a licence is stated"


@DATASETS.register(
    "pinterest-20",
    archives=PINTEREST,
    licence=LICENCE,
    citation="He, Liao, Zhang, Nie, Hu & Chua 2017, Neural Collaborative Filtering, doi:10.1145/3038912.3052569",
    comes_split=True,
)
def pinterest_20(context: Context) -> Interactions:
    """Read Pinterest-20: 1,463,581 pins of 9,916 images by 55,187 users, without ratings or times.

    One pin of every user is the test: use the split ``given``. The negatives that come with it are not read.
    """
    return read(PINTEREST, context, {"user": 0, "item": 1})


@DATASETS.register(
    "yelp",
    archives=YELP,
    licence=LICENCE,
    citation="He, He, Du & Chua 2018, Adversarial Personalized Ranking for Recommendation, doi:10.1145/3209978.3209981",
    scale=(1, 5),
    comes_split=True,
)
def yelp(context: Context, *, ratings: bool = True) -> Interactions:
    """Read Yelp as Li et al. 2024 use it: 696,865 ratings from 1 to 5 of 25,815 businesses by 25,677 users.

    The last rating of every user is the test: use the split ``given``. The negatives that come with it are not read.
    Without ``ratings`` these are not read either, and models take every row as 1, as those of Li et al. do.
    """
    if not ratings:
        return read(YELP, context, {"user": 0, "item": 1, "timestamp": 3})
    return read(YELP, context, {"user": 0, "item": 1, "rating": 2, "timestamp": 3}, scale=(1, 5))


def read(
    archives: Sequence[Archive], context: Context, columns: Mapping[str, str | int], scale: Bounds | None = None
) -> Interactions:
    """The training rows and the test rows, tab-separated; ``columns`` are places by role.

    A pair that is in both belongs to the test.
    """
    from truerank.datasets._core.cleaning import merged
    from truerank.datasets._core.reading.table import TableFile

    found = [find(archive, marker=archive.file) for archive in archives]
    layout = Layout(columns, "tsv", header=False, scale=scale)
    tables = [TableFile(each.locate(archive.file)[0], layout) for each, archive in zip(found, archives, strict=True)]
    every = [table.read(optional=("timestamp",)) for table in tables]
    parts = [merged(rows, "last") for rows in every]
    removed = sum(map(len, every)) - sum(map(len, parts))
    rows = joined(*parts)
    assert rows.part is not None
    again = ~rows.part & np.isin(rows.pair, rows.pair[rows.part])
    rows = rows.take(~again)
    check_users(rows, tables[1], tables[0].path)
    check_size(tables[0].path, {"users": len(rows.users["id"])}, SIZES[archives[0].inside])
    checksums = {each.path.name: each.checksum for each in found}
    origin = ", ".join(each.path.name for each in found)
    notes = {"duplicate_policy": "last", "duplicates_removed": removed, "training_rows_in_test": int(again.sum())}
    notes["archive_checksum"] = checksums
    return rows.noting(origin=origin, **notes).canonical()
