"""Amazon reviews of clothing, shoes and jewellery, 1996-2018: ratings only, or the dense part with reviews."""

from pathlib import Path
from typing import Literal

from truerank.datasets._core.archives import Archive, find
from truerank.datasets._core.collecting import Collector
from truerank.datasets._core.downloads import from_address
from truerank.datasets._core.interactions import Context, Interactions
from truerank.datasets._core.reading import Layout
from truerank.registry import DATASETS

ADDRESS = "https://mcauleylab.ucsd.edu/public_datasets/data/amazon_v2/categoryFilesSmall/"
MIRROR = "https://jmcauley.ucsd.edu/data/amazon_v2/categoryFilesSmall/"
RATINGS, FIVE_CORE = "Clothing_Shoes_and_Jewelry.csv", "Clothing_Shoes_and_Jewelry_5.json.gz"
ARCHIVES = {
    "ratings": Archive(
        file=RATINGS,
        inside="amazon-clothing",
        checksum="sha256:8b78d8a965e2351468deeebe99edb6118561711be4d5b6294e24e25f910c4d3d",
        address=ADDRESS + RATINGS,
        fetch=from_address,
        mirrors=(MIRROR + RATINGS,),
    ),
    "five_core": Archive(
        file=FIVE_CORE,
        inside="amazon-clothing",
        checksum=None,
        address=ADDRESS + FIVE_CORE,
        fetch=from_address,
        mirrors=(MIRROR + FIVE_CORE,),
    ),
}
LICENCE = "published for research by the authors of the paper; no licence is stated"
CITATION = "Ni, Li & McAuley 2019, Justifying Recommendations using Distantly-Labeled Reviews and Fine-Grained \
Aspects, doi:10.18653/v1/D19-1018"
SCALE = (1, 5)
COLUMNS = {"item": 0, "user": 1, "rating": 2, "timestamp": 3}


@DATASETS.register(
    "amazon-clothing",
    archives=tuple(ARCHIVES.values()),
    licence=LICENCE,
    citation=CITATION,
    scale=SCALE,
    memory_mb=16_000,
)
def amazon_clothing(context: Context, *, version: Literal["ratings", "five_core"] = "ratings") -> Interactions:
    """Read Amazon ratings from 1 to 5 of clothing, shoes and jewellery, 1996-2018; about 32 million.

    ``version: five_core`` is the part in which every user and item has five reviews, about 11 million. A user who
    rated an item again counts with the last row of the file.
    """
    archive = find(ARCHIVES[version], marker=ARCHIVES[version].file)
    path, member = archive.locate(ARCHIVES[version].file)
    return (rated if version == "ratings" else reviewed)(path, member).noting(**archive.notes)


def rated(path: Path, member: str | None) -> Interactions:
    """The rows of the file of ratings: item, user, rating, time, without a header."""
    from truerank.datasets._core.cleaning import merged
    from truerank.datasets._core.reading.table import TableFile

    every = TableFile(path, Layout(COLUMNS, "csv", header=False, scale=SCALE), member).read()
    kept = merged(every, "last")
    return kept.noting(duplicate_policy="last", duplicates_removed=len(every) - len(kept)).canonical()


def reviewed(path: Path, member: str | None) -> Interactions:
    """The rows of a file of reviews, one JSON object per line."""
    from truerank.datasets._core.reading.records import Records

    rows = Collector()
    rows.add_reviews(
        Records(path, member), SCALE, user="reviewerID", item="asin", rating="overall", timestamp="unixReviewTime"
    )
    return rows.rows(path, SCALE)
