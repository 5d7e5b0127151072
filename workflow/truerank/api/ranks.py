"""Ranks among sampled candidates, as people have them: an array, a frame or a file."""

from dataclasses import dataclass
from pathlib import Path
from reprlib import repr as shortened
from typing import Any

import numpy as np
import pandas as pd

from truerank.cli_input import named, read_rank_rows
from truerank.errors import UserError

RANK, USER, NEGATIVES = "rank", "user", "negatives"

Columns = tuple[np.ndarray, np.ndarray | None, np.ndarray | None]  # rank, user, negatives


@dataclass(frozen=True)
class SampledRanks:
    """rank : from 1 to m + 1. user : number of each rank's user, None where every rank is another user's. negatives :
    the m of each rank, None where that is not known."""

    rank: np.ndarray
    user: np.ndarray | None = None
    negatives: np.ndarray | None = None

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
    if isinstance(ranks, SampledRanks):
        return ranks
    sizes = None
    if isinstance(ranks, str | Path):
        rank, user, sizes = from_file(str(ranks), negatives)
    else:
        rank, user, sizes = from_memory(ranks, negatives)
    if users is not None and np.ndim(users):
        user = np.asarray(users)
        if len(user) != len(rank):
            raise UserError(f"users has {len(user):,} values, and there are {len(rank):,} ranks; give one for each")
    if user is None:
        return SampledRanks(rank, None, sizes)
    code = pd.factorize(np.asarray(user))[0]
    return SampledRanks(rank, code if len(rank) > code.max() + 1 else None, sizes)


def from_file(path: str, negatives: int) -> Columns:
    if path.endswith(".parquet"):
        try:
            return from_frame(pd.read_parquet(path), negatives, path)
        except (OSError, ValueError) as failure:
            raise UserError(f"{path} cannot be read: {str(failure).splitlines()[0]}; give ranks") from None
    rank, user, sizes = read_rank_rows(path, negatives)
    return np.array(rank), None if user is None else np.array(user), None if sizes is None else np.array(sizes)


def from_memory(ranks: Any, negatives: int) -> Columns:
    if isinstance(ranks, pd.DataFrame):
        return from_frame(ranks, negatives, "ranks")
    if hasattr(ranks, "__arrow_c_stream__") and hasattr(ranks, "columns"):  # a table of another library
        import pyarrow as pa

        return from_frame(pa.table(ranks).to_pandas(), negatives, "ranks")
    return checked(np.asarray(ranks).ravel(), negatives, "ranks"), None, None


def from_frame(frame: pd.DataFrame, negatives: int, where: str) -> Columns:
    if RANK not in frame.columns:
        there = ", ".join(map(str, frame.columns)) or "none"
        raise UserError(f"{named(where)} has the columns {there}, expected {RANK}; rename the one that has the ranks")
    rank = checked(frame[RANK].to_numpy(), negatives, where)
    sizes = checked(frame[NEGATIVES].to_numpy(), negatives - 1, where, NEGATIVES) if NEGATIVES in frame else None
    return rank, frame[USER].to_numpy() if USER in frame.columns else None, sizes


def checked(rank: np.ndarray, negatives: int, where: str, noun: str = RANK) -> np.ndarray:
    """Return ranks, or sizes of sets, as whole numbers from 1 to negatives + 1."""
    if not len(rank):
        raise UserError(f"{named(where)} has no ranks, expected one for each test item; give them")
    try:
        numbers = rank.astype(float)
    except (TypeError, ValueError):
        raise UserError(f"{named(where)} has ranks that are not numbers, expected 1 to {negatives + 1}") from None
    bad = ~((numbers >= 1) & (numbers <= negatives + 1) & (numbers == np.floor(numbers)))
    if bad.any():
        place = int(np.flatnonzero(bad)[0])
        raise UserError(
            f"{named(where)}: {noun} number {place + 1} is {shortened(rank[place].item())}, expected a whole number "
            f"from 1 to {negatives + 1}, that is negatives + {int(noun == RANK)}; correct it or negatives"
        )
    return numbers.astype(np.int64)
