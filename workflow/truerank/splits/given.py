"""Use the split that the data came with."""

import numpy as np

from truerank.errors import UserError
from truerank.registry import SPLITS
from truerank.splits._core.rows import Cut, Rows, all_kept


@SPLITS.register("given", by_user=True)
def given(rows: Rows, rng: np.random.Generator) -> Cut:
    """Hold out the test file of a dataset whose source is ``files``; any other dataset is an error."""
    if rows.part is None:
        raise UserError(
            "the split given needs a dataset in two parts and this one has no such parts; give its train and "
            "test files with `source: files`, or use the split user_fraction, leave_last_out or global_time"
        )
    return all_kept(rows.part, "all are of the training file; give a test file with rows")
