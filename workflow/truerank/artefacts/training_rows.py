"""The training part of a split as recommenders take it."""

from truerank.artefacts.attributes import read_attributes
from truerank.artefacts.files import is_null, n_rows, read_columns
from truerank.models._core.base import Train
from truerank.models._core.context import encode


def read_train(train, user_table, item_table, users=None):
    """Read the training rows, or those of ``users`` (first and last code), with the size of the whole catalogue and
    what is known of its users."""
    user, item = read_columns(train, "user", "item", users=users)
    rating = None if is_null(train, "rating") else read_columns(train, "rating", users=users)[0]
    return Train(user, item, n_rows(user_table), n_rows(item_table), rating, encode(read_attributes(user_table)))
