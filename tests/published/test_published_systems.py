"""Systems of Valcarce et al. 2018 on their own split, each by the definition that its study has.

The data may not be redistributed: these tests run where the folders ``ml-1m-holdout`` and ``published`` are, in
``$TRUERANK_SHARED_DATA`` or in ``shared/data`` beside the repository.
"""

import os
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from truerank.artefacts.split import TestRows
from truerank.core.evaluation import evaluate_by_rule
from truerank.core.ranking import rank
from truerank.core.training import train
from truerank.models import rocchio
from truerank.models._core.base import Train

from tests.support import ROOT, load_yaml

FOLDER = Path(os.environ.get("TRUERANK_SHARED_DATA", ROOT.parent / "shared" / "data"))
FIGURES = FOLDER / "published" / "valcarce2018-ml-1m-systems.csv"
RATED = FOLDER / "ml-1m-holdout" / "train-rated.csv.gz"
STUDY = load_yaml(ROOT / "workflow" / "studies" / "valcarce2018.yaml")
SEED, TOLERANCE = STUDY["seed"], 0.0005
FIRM = {
    "Pop": "popularity",
    "RW": "rw",
    "RSV": "rsv",
    "KLD": "kld",
    "CHI2": "chi2",
    "PureSVD": "pure_svd",
    "HT": "hitting_time",
    "LM-WSR-UB": "lm_wsr_user",
    "LM-WSR-IB": "lm_wsr_item",
    "RM1": "rm1",
}
COLUMNS = {
    "P_10": "precision@10",
    "P_100": "precision@100",
    "recall_100": "recall@100",
    "map": "ap@100",
    "ndcg": "ndcg_full@100",
    "ndcg_cut_10": "ndcg@10",
    "ndcg_cut_100": "ndcg@100",
    "recip_rank": "rr@100",
    "bpref": "bpref@100",
    "infAP2": "infap@100",
}

pytestmark = [
    pytest.mark.skipif(
        not FIGURES.is_file() or not RATED.is_file(),
        reason="the split and figures of Valcarce et al. 2018 are not here; TRUERANK_SHARED_DATA names their folder",
    ),
    pytest.mark.slow,
]


@cache
def rated_split():
    """Return training and test rows with codes from 0."""
    tables = [pd.read_csv(path) for path in (RATED, RATED.with_name("test.csv.gz"))]
    for key in ("user", "item"):
        ids = np.unique(np.concatenate([table[key] for table in tables]))
        for table in tables:
            table[key] = np.searchsorted(ids, table[key]).astype(np.int32)
    rows, test = (table.sort_values(["user", "item"]) for table in tables)
    n_users, n_items = (max(table[key].max() for table in tables) + 1 for key in ("user", "item"))
    columns = [table[key].to_numpy() for table in (rows, test) for key in ("user", "item", "rating")]
    history = Train(*columns[:2], n_users, n_items, columns[2].astype(np.float32))
    return history, TestRows(*columns[3:5], columns[5].astype(np.float32))


@cache
def shared_neighbours(neighbours):
    """Return the neighbourhoods that four of the systems have in common, found once."""
    return FIND(rated_split()[0].rated.astype(np.float64), neighbours)


FIND = rocchio.cosine_neighbours


@pytest.mark.parametrize("system", FIRM)
def test_every_published_mean_comes_out(system, monkeypatch):
    monkeypatch.setattr(rocchio, "cosine_neighbours", lambda _, k: shared_neighbours(k).copy())
    history, test = rated_split()
    names = ("ml-1m", "given", FIRM[system])
    part = STUDY["select"]["ranking"]
    model = train(STUDY["models"][FIRM[system]], history, names, SEED)
    table, _ = rank(model, history, test, names, SEED, candidates=part["candidates"], threads=2)
    metrics = {name: {"kind": name} for name in part["metrics"]}
    values = evaluate_by_rule(table.judgements(history, (1, 5)), metrics, [10, 100], {"threshold": 4})
    printed = pd.read_csv(FIGURES, index_col="system").loc[system]
    apart = {name: np.nan_to_num(values[ours]).mean() - printed[name] for name, ours in COLUMNS.items()}
    assert max(map(abs, apart.values())) <= TOLERANCE, apart
