"""Names that try to be HTML, given to a dataset and a model of the fixture."""

from truerank.artefacts.files import read_table, write_table

HOSTILE = "<script>alert(1)<"


def give_hostile_names(results, config):
    """Rename the dataset ``toy`` and its model ``random``, in the results and in the config that selects them."""
    for path in sorted(results.rglob("toy*")):
        path.rename(path.with_name(path.name.replace("toy", HOSTILE)))
    for path in results.glob("ranks/*/*/random.parquet"):
        path.rename(path.with_stem(HOSTILE))
    for path in results.glob("metrics/*/*/summary.parquet"):
        write_table(path, read_table(path).replace({"model": {"random": HOSTILE}}))
    config["datasets"][HOSTILE] = config["datasets"]["toy"]
    config["models"][HOSTILE] = {"kind": "random"}
    config["select"]["datasets"] = [HOSTILE]
