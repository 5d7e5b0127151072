"""MovieLens 1M from the original archive."""

from truerank.datasets._core.archives import Archive, Found, find, without
from truerank.datasets._core.downloads import from_address
from truerank.datasets._core.interactions import Context, Interactions
from truerank.datasets._core.movielens import CITATION, LICENCE, Described, described, records, title_and_year
from truerank.datasets._core.reading import Layout
from truerank.datasets._core.sizes import check_size, size
from truerank.registry import DATASETS

ORIGINAL = Archive(
    file="ml-1m.zip",
    inside="ml-1m",
    checksum="md5:c4d9eecfca2ab87c1945afe126590906",
    address="https://files.grouplens.org/datasets/movielens/ml-1m.zip",
    fetch=from_address,
)
COLUMNS = {"user": 0, "item": 1, "rating": 2, "timestamp": 3}
SIZE = {"users": 6_040, "items": 3_706, "ratings": 1_000_209}
OCCUPATIONS = [
    "other",
    "academic/educator",
    "artist",
    "clerical/admin",
    "college/grad student",
    "customer service",
    "doctor/health care",
    "executive/managerial",
    "farmer",
    "homemaker",
    "K-12 student",
    "lawyer",
    "programmer",
    "retired",
    "sales/marketing",
    "scientist",
    "self-employed",
    "technician/engineer",
    "tradesman/craftsman",
    "unemployed",
    "writer",
]
JOBS = [str(number) for number in range(len(OCCUPATIONS))]


@DATASETS.register(
    "ml-1m", archives=(ORIGINAL,), licence=LICENCE, citation=CITATION, scale=(1, 5), user_attributes=True
)
def ml_1m(context: Context) -> Interactions:
    """Read MovieLens 1M: 1,000,209 ratings from 1 to 5 by 6,040 users of 3,706 films, 2000-2003.

    Users have gender, age (the youngest of their age group), occupation and zip code, items a title, a year
    and genres joined by ``|``; a folder of extracted files may lack them. Looked for in the folder that $TRUERANK_DATA
    names, in the cache, and at GroupLens, in this order.
    """
    from truerank.datasets._core.reading.table import TableFile

    archive = find(ORIGINAL, marker="ratings.dat")
    path, member = archive.locate("ratings.dat")
    layout = Layout(COLUMNS, "double_colon", header=False, scale=(1, 5))
    rows = TableFile(path, layout, member).read().canonical()
    check_size(path, size(rows), SIZE)
    absent = archive.lacks("users.dat", "movies.dat")
    users = None if "users.dat" in absent else user_table(archive)
    items = None if "movies.dat" in absent else item_table(archive)
    return described(rows.noting(**archive.notes, **without(absent)), users, items, archive.path)


def user_table(archive: Found) -> Described:
    """What users.dat says of users, by id."""
    return {
        code: {"gender": gender, "age": int(age), "occupation": OCCUPATIONS[int(job)], "zip_code": zip_code}
        for code, gender, age, job, zip_code in records(archive, "users.dat", "::", 5).values()
        if age.isdigit() and job in JOBS
    }


def item_table(archive: Found) -> Described:
    """What movies.dat says of films, by id."""
    return {
        code: dict(zip(("title", "year"), title_and_year(text), strict=True)) | {"genres": genres}
        for code, text, genres in records(archive, "movies.dat", "::", 3).values()
    }
