"""BeerAdvocate: beers and what their drinkers thought of them."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from truerank.datasets._core.archives import Archive, Found, find
from truerank.datasets._core.collecting import Attributes, Collector, knowing, moment, number
from truerank.datasets._core.downloads import from_address
from truerank.datasets._core.interactions import Context, Interactions
from truerank.datasets._core.sizes import check_size
from truerank.datasets._core.unpacked import spellings
from truerank.registry import DATASETS

LITERALS, PARAGRAPHS = "beeradvocate.json.gz", "Beeradvocate.txt.gz"
ARCHIVES = (
    Archive(
        file=LITERALS,
        inside="beeradvocate",
        checksum="sha256:1e62c122f3645e46bffa6fd00d5d8b46ee4f61dc01fc8a60b0c35be16c2315a8",
        address=f"https://mcauleylab.ucsd.edu/public_datasets/data/beer/{LITERALS}",
        fetch=from_address,
    ),
    Archive(
        file=PARAGRAPHS,
        inside="beeradvocate",
        checksum=None,
        address=f"https://snap.stanford.edu/data/{PARAGRAPHS}",
        fetch=from_address,
    ),
)
LICENCE = "published for research by the authors of the paper; no licence is stated"
CITATION = "McAuley, Leskovec & Jurafsky 2012, Learning Attitudes and Attributes from Multi-Aspect Reviews, \
doi:10.1109/ICDM.2012.110"
SCALE = (1, 5)
SIZE = {"reviews": 1_586_614}

if TYPE_CHECKING:
    from truerank.datasets._core.reading.records import Records


@DATASETS.register("beeradvocate", archives=ARCHIVES, licence=LICENCE, citation=CITATION, scale=SCALE)
def beeradvocate(context: Context) -> Interactions:
    """Read BeerAdvocate: 1,586,614 reviews of 66,055 beers by 33,388 users, overall from 1 to 5 in halves, 1998-2012.

    Reviews without a user's name or with an overall of 0 are left out. A beer that a user reviewed again counts with
    the last review of the file. Items have a name and a style. Valcarce et al. 2018 count 1,571,808 pairs.
    """
    archive = find(*ARCHIVES, marker=LITERALS)
    (lines, reviews), rows = records(archive), Collector()
    names: Attributes = {"title": {}, "style": {}}
    for review in reviews:
        user, item = str(review.get("review/profileName") or "").strip(), str(review.get("beer/beerId") or "").strip()
        rating = number(review.get("review/overall"), *SCALE)
        if not user or not item or rating is None:
            rows.left_out["rows_without_user" if rating is not None else "rows_without_rating"] += 1
            continue
        rows.add(user, item, rating, moment(review.get("review/time")))
        names["title"][item] = review.get("beer/name")
        names["style"][item] = review.get("beer/style")
    if archive.path.name in spellings(PARAGRAPHS):  # the other file has a checksum
        check_size(archive.path, {"reviews": len(rows.user) + sum(rows.left_out.values())}, SIZE)
    rows.left_out["lines_unreadable"] = lines.unreadable
    return knowing(rows.rows(archive.path, SCALE).noting(**archive.notes), items=names)


def records(archive: Found) -> tuple["Records", Iterable[dict[str, Any]]]:
    """Lines and reviews of either file: one Python literal per line, or paragraphs of ``key: value`` in latin-1."""
    from truerank.datasets._core.reading.records import Records, literal, pair, paragraphs

    if archive.path.name in spellings(PARAGRAPHS):
        lines = Records(archive.path, parse=pair, encoding="latin-1")
        return lines, paragraphs(lines)
    lines = Records(archive.path, parse=literal)
    return lines, lines
