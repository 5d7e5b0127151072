"""What training tells of items, for metrics of lists."""

import numpy as np
from scipy import sparse

from truerank.artefacts.files import column_names, read_columns
from truerank.artefacts.split import Split
from truerank.metrics._core.listed import Catalogue


def read_catalogue(split: Split) -> Catalogue:
    """Return the training ratings of items, 1 where there are none, and their genres where the data has any."""
    history = split.history()
    rating = np.ones(len(history.user)) if history.rating is None else history.rating.astype(float)
    shape = history.n_items, history.n_users
    ratings = sparse.csr_matrix((rating, (history.item, history.user)), shape=shape)
    if "genres" not in column_names(split.item_table):
        return Catalogue(ratings)
    return Catalogue(ratings, label_matrix(read_columns(split.item_table, "genres")[0]))


def label_matrix(texts: np.ndarray) -> sparse.csr_matrix:
    """Return items x labels, of labels that are joined by ``|``."""
    labels = [sorted(set(text.split("|"))) if text else [] for text in texts]
    code = {label: number for number, label in enumerate(sorted({label for of_item in labels for label in of_item}))}
    item = np.repeat(np.arange(len(labels)), [len(of_item) for of_item in labels])
    column = [code[label] for of_item in labels for label in of_item]
    return sparse.csr_matrix((np.ones(len(item)), (item, column)), shape=(len(labels), len(code)))
