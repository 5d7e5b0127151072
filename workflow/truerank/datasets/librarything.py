"""LibraryThing: books that people have, in two collections: ratings with tags, and reviews."""

from typing import Any

from truerank.datasets._core.archives import Archive, find
from truerank.datasets._core.collecting import Collector, number
from truerank.datasets._core.downloads import from_address
from truerank.datasets._core.interactions import Context, Interactions
from truerank.registry import DATASETS

TAGGED = Archive(
    file="UI2.txt", inside="librarything", checksum=None, address="http://www.macle.nl/tud/LT/", fetch=None
)
REVIEWS = Archive(
    file="lthing_data.tar.gz",
    inside="lthing_data",
    checksum=None,
    address="https://mcauleylab.ucsd.edu/public_datasets/data/librarything/lthing_data.tar.gz",
    fetch=from_address,
    mirrors=("http://deepyeti.ucsd.edu/jmcauley/datasets/librarything/lthing_data.tar.gz",),
    folder="librarything-reviews",
)
LICENCE = "published for research by the authors of the paper; no licence is stated"
CLEMENTS = "Clements, de Vries & Reinders 2008, Optimizing Single Term Queries using a Personalized Markov Random Walk \
over the Social Graph, ESAIR workshop at ECIR"
ZHAO = "Zhao, McAuley & King 2015, Improving Latent Factor Models via Personalized Feature Projection for One Class \
Recommendation, CIKM"
SCALE = (0.5, 5)


@DATASETS.register("librarything", archives=(TAGGED,), licence=LICENCE, citation=CLEMENTS, scale=SCALE)
def librarything(context: Context) -> Interactions:
    """Read LibraryThing as Valcarce et al. 2018 use it: 749,401 ratings, 0.5 to 5, by 7,279 users of 37,232 books.

    UI2.txt has a line per tag, user, work, twice the rating and the tag: the pair occurs once per tag. A rating of 0 is
    none and left out. You must download the file yourself.
    """
    from truerank.datasets._core.reading.records import Records

    archive = find(TAGGED, marker=TAGGED.file)
    lines, rows = Records(*archive.locate(TAGGED.file), parse=tagged, encoding="latin-1"), Collector()
    for line in lines:
        if line["rating"]:
            rows.add(line["user"], line["item"], line["rating"])
        else:
            rows.left_out["rows_without_rating"] += 1
    rows.left_out["lines_unreadable"] = lines.unreadable
    return rows.rows(archive.path, SCALE).noting(**archive.notes)


def tagged(line: str) -> dict[str, Any]:
    """One line of UI2.txt: user, work, twice the rating, and a tag that may hold blanks or be missing."""
    user, item, twice = line.split(maxsplit=3)[:3]
    rating = number(twice, 0, 10)
    if rating is None:
        raise ValueError("no rating")
    return {"user": user, "item": item, "rating": rating / 2}


@DATASETS.register("librarything-reviews", archives=(REVIEWS,), licence=LICENCE, citation=ZHAO, scale=SCALE)
def librarything_reviews(context: Context) -> Interactions:
    """Read reviews of LibraryThing that have 0.5 to 5 stars, about 1.4 million; another collection than `librarything`.

    Reviews without a user, a work or stars are left out. A user who reviewed a work again counts with the last line.
    """
    from truerank.datasets._core.reading.records import Records, literal

    archive = find(REVIEWS, marker=("reviews.json", "reviews.txt"))
    path, member = archive.locate("reviews.txt" if archive.lacks("reviews.json") else "reviews.json")
    reviews = Records(path, member and (member, f"{REVIEWS.inside}/reviews.txt"), parse=literal)
    rows = Collector()
    rows.add_reviews(reviews, SCALE, user="user", item="work", rating="stars", timestamp="unixtime")
    return rows.rows(archive.path, SCALE).noting(**archive.notes)
