"""Ranks among sampled candidates, as people have them: an array, a frame or a file."""

from dataclasses import dataclass
from pathlib import Path
from reprlib import repr as shortened
from typing import Any

import numpy as np
import pandas as pd

from truerank.cli_input import named, read_rank_rows
from truerank.errors import UserError

RANK, USER = "rank", "user"


@dataclass(frozen=True)
class SampledRanks:
    """rank : from 1 to m + 1. user : number of each rank's user, None where every rank is another user's."""

    rank: np.ndarray
    user: np.ndarray | None = None

    @property
    def n_users(self) -> int:
        return len(self.rank) if self.user is None else int(self.user.max()) + 1

    def shares(self, negatives: int, weights: np.ndarray | None = None) -> np.ndarray:
        """Return how often each rank was seen; of several ranks a user's weigh 1 together. weights : per user."""
        if self.user is None:
            of_rank = weights
        else:
            of_rank = (1 / np.bincount(self.user))[self.user] * (1 if weights is None else weights[self.user])
        return np.bincount(self.rank - 1, of_rank, minlength=negatives + 1)


def sampled_ranks(ranks: Any, negatives: int, users: Any = None) -> SampledRanks:
    """Read ranks: a path to text or Parquet, a frame with the column ``rank`` (and ``user``), or numbers.

    users : the user of each rank, if ``ranks`` does not have it. Users whose ranks are one each are no matter.
    """
    if isinstance(ranks, str | Path):
        rank, user = from_file(str(ranks), negatives)
    elif isinstance(ranks, SampledRanks):
        rank, user = ranks.rank, ranks.user
    else:
        rank, user = from_memory(ranks, negatives)
    if users is not None and np.ndim(users):
        user = np.asarray(users)
        if len(user) != len(rank):
            raise UserError(f"users has {len(user):,} values, and there are {len(rank):,} ranks; give one for each")
    if user is None:
        return SampledRanks(rank)
    code = pd.factorize(np.asarray(user))[0]
    return SampledRanks(rank, code if len(rank) > code.max() + 1 else None)


def from_file(path: str, negatives: int) -> tuple[np.ndarray, np.ndarray | None]:
    if path.endswith(".parquet"):
        try:
            return from_frame(pd.read_parquet(path), negatives, path)
        except (OSError, ValueError) as failure:
            raise UserError(f"{path} cannot be read: {str(failure).splitlines()[0]}; give ranks") from None
    rank, user = read_rank_rows(path, negatives)
    return np.array(rank), None if user is None else np.array(user)


def from_memory(ranks: Any, negatives: int) -> tuple[np.ndarray, np.ndarray | None]:
    if isinstance(ranks, pd.DataFrame):
        return from_frame(ranks, negatives, "ranks")
    if hasattr(ranks, "__arrow_c_stream__") and hasattr(ranks, "columns"):  # a table of another library
        import pyarrow as pa

        return from_frame(pa.table(ranks).to_pandas(), negatives, "ranks")
    return checked(np.asarray(ranks).ravel(), negatives, "ranks"), None


def from_frame(frame: pd.DataFrame, negatives: int, where: str) -> tuple[np.ndarray, np.ndarray | None]:
    if RANK not in frame.columns:
        there = ", ".join(map(str, frame.columns)) or "none"
        raise UserError(f"{named(where)} has the columns {there}, expected {RANK}; rename the one that has the ranks")
    rank = checked(frame[RANK].to_numpy(), negatives, where)
    return rank, frame[USER].to_numpy() if USER in frame.columns else None


def checked(rank: np.ndarray, negatives: int, where: str) -> np.ndarray:
    """Return ranks as whole numbers from 1 to negatives + 1."""
    if not len(rank):
        raise UserError(f"{named(where)} has no ranks, expected one for each test item; give them")
    try:
        numbers = rank.astype(float)
    except (TypeError, ValueError):
        raise UserError(f"{named(where)} has ranks that are no numbers, expected 1 to {negatives + 1}") from None
    bad = ~((numbers >= 1) & (numbers <= negatives + 1) & (numbers == np.floor(numbers)))
    if bad.any():
        place = int(np.flatnonzero(bad)[0])
        raise UserError(
            f"{named(where)}: rank number {place + 1} is {shortened(rank[place].item())}, expected a whole number from "
            f"1 to {negatives + 1}, that is negatives + 1; correct it or negatives"
        )
    return numbers.astype(np.int64)
