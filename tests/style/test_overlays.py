"""An overlay changes one ready study for one dataset: merged as Snakemake merges them, both are a right study."""

import pytest
from snakemake.utils import update_config
from truerank.config.checks import check_config
from truerank.config.merging import merged
from truerank.workflow_files import overlays, ready_studies, study_below

from tests.support import ROOT, load_yaml

ALS = {"kind": "ials", "preference": "rating", "weight": 0, "iterations": 15}
KNN = {"kind": "item_knn", "similarity": "cosine", "normalise": False}
MODELS = {  # what each overlay is for; models of the study that are not named here stay as they are
    "li2024-yelp": {
        "item_knn": KNN | {"neighbours": 350},
        "ease": {"kind": "ease", "l2": 500},
        "als": ALS | {"factors": 75, "regularisation": 0.01},
    },
    "li2024-ml-20m": {
        "item_knn": KNN | {"neighbours": 150},
        "ease": {"kind": "ease", "l2": 3000},
        "als": ALS | {"factors": 95, "regularisation": 100},
    },
    "aftab2022-ml-1m-binary": {"bpr_triplet": {"triplets": 100_000}, "lc_nn": {"epochs": 3, "rate": 0.0003}},
}
DATA = {
    "li2024-yelp": {"source": "yelp", "ratings": False},
    "li2024-ml-20m": {"source": "ml-20m", "implicit_threshold": 4, "per_user": 5},
    "aftab2022-ml-1m-binary": {"source": "ml-1m", "binary_threshold": 4},
}


def both(overlay):
    """Return the study of an overlay, and the study with the overlay on top."""
    study = load_yaml(ready_studies()[study_below(overlay)])
    own = load_yaml(ready_studies()[study_below(overlay)])
    update_config(own, load_yaml(overlays()[overlay]))
    return study, own


def test_every_overlay_is_checked_here():
    assert set(overlays()) == set(MODELS) == set(DATA)


@pytest.mark.parametrize("overlay", MODELS)
def test_study_and_overlay_pass_the_checks(overlay):
    study, own = both(overlay)
    config, sources = merged(own)
    check_config(config, [*sources, overlays()[overlay]])
    (dataset,) = own["select"]["datasets"]
    assert overlay == f"{study_below(overlay)}-{dataset}"
    assert own["paper"] == study["paper"] == study_below(overlay)
    assert config["datasets"][dataset] == DATA[overlay]


@pytest.mark.parametrize("overlay", MODELS)
def test_models_are_those_of_the_study_with_settings_of_the_dataset(overlay):
    study, own = both(overlay)
    (part,) = (part for part in ("ranking", "sampling") if part in own["select"])
    for name in own["select"][part]["models"]:
        changed = MODELS[overlay].get(name, {})
        assert own["models"][name] == study["models"][name] | changed
    assert set(MODELS[overlay]) <= set(own["select"][part]["models"])
    apart = {key for key, value in own["select"][part].items() if value != study["select"][part][key]}
    assert apart == ({"split"} if overlay == "li2024-ml-20m" else set())


def test_only_movielens_20m_has_no_split_of_its_own():
    assert both("li2024-yelp")[1]["select"]["sampling"]["split"] == "given"
    assert both("li2024-ml-20m")[1]["select"]["sampling"]["split"] == "last_one"


@pytest.mark.parametrize("overlay", MODELS)
def test_the_page_on_papers_says_how_to_run_it(overlay):
    assert f"truerank run {study_below(overlay)} {overlay}" in (ROOT / "docs" / "papers.md").read_text("utf-8")
