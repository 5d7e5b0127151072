"""Ids as codes: 1, "1" and 1.0 are one id wherever they stand, "007" is another."""

import re
from collections.abc import Sequence
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from truerank.datasets._core.interactions import INTEGER, id_order
from truerank.ranking.order import mix

MOST_SPAN = 1 << 26  # from the least to the largest integer that a table has a place for
LARGEST_EXACT = 2**53  # of whole numbers in floats
WHOLE_FLOAT = re.compile(r"(0|-?[1-9][0-9]{0,17})\.0+")
FEW_RUNS = 8


class Ids:
    """The ids of users or items, numbered from 0 as they come.

    Whole numbers that lie close to each other are looked up in a table, all others, and texts, in a dictionary; which
    of the two it is makes no difference to codes.
    """

    def __init__(self) -> None:
        self.n = 0
        self.numbers: list[np.ndarray] = []  # by code, as long as all ids are whole numbers
        self.base, self.table = 0, np.empty(0, np.int32)
        self.codes: dict[str, int] | None = None  # text -> code, once there is a text or too wide a span
        self.hashed = np.empty(0, np.uint64)

    def encode(self, column: pa.Array | pa.ChunkedArray | np.ndarray, add: bool = True) -> np.ndarray:
        """Return int32 codes of a column without nulls; new ids get the next codes, or -1 if ``add`` is False."""
        plain = as_plain(column)
        if isinstance(plain, np.ndarray):
            change = np.flatnonzero(plain[1:] != plain[:-1]) + 1
            if len(plain) > FEW_RUNS * (len(change) + 1):
                begin = np.append(0, change)
                return np.repeat(self.of_numbers(plain[begin], add), np.diff(np.append(begin, len(plain))))
            return self.of_numbers(plain, add)
        place, texts = plain
        return self.of_texts(texts, add)[place]

    def of_numbers(self, numbers: np.ndarray, add: bool) -> np.ndarray:
        if not len(numbers):
            return np.empty(0, np.int32)
        if self.codes is None and not add:
            place = numbers - self.base
            inside = (place >= 0) & (place < len(self.table))
            return np.where(inside, self.table[place * inside], -1) if len(self.table) else np.full(len(place), -1)
        if self.codes is None and not self.cover(int(numbers.min()), int(numbers.max())):
            self.use_dictionary()
        if self.codes is not None:
            place, unique = pd.factorize(numbers)
            return self.of_texts([str(number) for number in unique.tolist()], add)[place]
        place = numbers - self.base
        found = self.table[place]
        if found.min() < 0:
            self.add_places(place[found < 0])
            found = self.table[place]
        return found

    def add_places(self, place: np.ndarray) -> None:
        """Give the next codes to places of the table, in the order in which they first stand here."""
        nth = np.arange(len(place), dtype=np.int32)
        self.table[place[::-1]] = nth[::-1]  # of equal places the first is written last
        new = place[self.table[place] == nth]
        self.table[new] = np.arange(self.n, self.n + len(new))
        self.numbers.append(new + self.base)
        self.n += len(new)

    def cover(self, least: int, most: int) -> bool:
        """Give the table places for numbers from ``least`` to ``most``; return whether that is possible."""
        if len(self.table):
            least, most = min(least, self.base), max(most, self.base + len(self.table) - 1)
        if most - least >= MOST_SPAN:
            return False
        if least < self.base or most - least >= len(self.table):
            wider = np.full(max(most - least + 1, len(self.table) * 3 // 2), -1, np.int32)
            wider[self.base - least : self.base - least + len(self.table)] = self.table
            self.base, self.table = least, wider
        return True

    def of_texts(self, texts: Sequence[str], add: bool) -> np.ndarray:
        """Return the code of each text."""
        texts = [spelt(text) for text in texts]
        if self.codes is None:
            if all(map(INTEGER.fullmatch, texts)):
                numbers = np.array([int(text) for text in texts], np.int64)
                if not add or not len(numbers) or self.cover(int(numbers.min()), int(numbers.max())):
                    return self.of_numbers(numbers, add)
            self.use_dictionary()
        codes: Any = self.codes
        if add:
            for text in texts:
                codes.setdefault(text, len(codes))
            self.n = len(codes)
        return np.fromiter((codes.get(text, -1) for text in texts), np.int32, len(texts))

    def use_dictionary(self) -> None:
        self.hashed = np.empty(0, np.uint64)
        self.codes = {str(number): code for code, number in enumerate(self.values())}
        self.numbers, self.table = [], np.empty(0, np.int32)

    def values(self) -> list:
        """Return the ids by code: integers if all are, else texts."""
        return self.column().tolist()

    def column(self, first: int = 0) -> np.ndarray:
        """Return the ids by code as an array, from a code on."""
        if self.codes is not None:
            return np.fromiter(islice(self.codes, first, None), object, self.n - first)
        return np.concatenate([np.empty(0, np.int64), *self.numbers])[first:]

    def sort(self) -> np.ndarray:
        """Number the ids anew in their order, as numbers if all are; return the new code of each old one."""
        order = np.argsort(self.column(), kind="stable") if self.codes is None else id_order(self.values())
        return self.arrange(np.asarray(order))

    def arrange(self, order: np.ndarray) -> np.ndarray:
        """Number the ids anew; return the new code of each old one. order : old codes."""
        self.hashed = np.empty(0, np.uint64)
        new = np.empty(self.n, np.int32)
        new[order] = np.arange(self.n)
        if self.codes is None:
            self.numbers = [self.column()[order]]
            self.table[self.numbers[0] - self.base] = np.arange(self.n)
        else:
            values = self.values()
            self.codes = {values[old]: code for code, old in enumerate(order)}
        return new

    def hashes(self) -> np.ndarray:
        """Return a number per code that follows from the id alone, to decide ties by; known ones are kept."""
        new = self.column(len(self.hashed))
        if len(new):
            more = mix(new.view(np.uint64)) if self.codes is None else pd.util.hash_array(new, categorize=False)
            self.hashed = np.concatenate([self.hashed, more])
        return self.hashed

    def name(self, code: int) -> Any:
        return self.values()[code]

    @property
    def texts(self) -> list[str]:
        return [str(value) for value in self.values()]


def as_plain(column: pa.Array | pa.ChunkedArray | np.ndarray) -> np.ndarray | tuple[np.ndarray, list[str]]:
    """Return whole numbers as int64, and anything else as places in a list of different texts."""
    if isinstance(column, np.ndarray):
        column = pa.array(column)
    kind = column.type
    if pa.types.is_integer(kind) and kind != pa.uint64():
        return numbers_of(column).astype(np.int64, copy=False)
    if pa.types.is_floating(kind):
        numbers = numbers_of(column).astype(float)
        if np.all((numbers == np.floor(numbers)) & (np.abs(numbers) < LARGEST_EXACT)):
            return numbers.astype(np.int64)
        place, unique = pd.factorize(numbers)
        return place, [repr(number).removesuffix(".0") for number in unique.tolist()]
    if not pa.types.is_dictionary(kind):
        column = column.cast(pa.string()).dictionary_encode()
    if isinstance(column, pa.ChunkedArray):
        column = column.unify_dictionaries().combine_chunks()
        if isinstance(column, pa.ChunkedArray):
            column = column.chunk(0)
    texts = column.dictionary
    if pa.types.is_integer(texts.type) or pa.types.is_floating(texts.type):
        found = as_plain(texts)
        if isinstance(found, np.ndarray):
            return found[column.indices.to_numpy(zero_copy_only=False)]
    return column.indices.to_numpy(zero_copy_only=False), texts.cast(pa.string()).to_pylist()


def numbers_of(column: pa.Array | pa.ChunkedArray) -> np.ndarray:
    return column.to_numpy() if isinstance(column, pa.ChunkedArray) else column.to_numpy(zero_copy_only=False)


def spelt(text: str) -> str:
    """Return a whole number that is written as 1.0 the way it usually is."""
    return text.partition(".")[0] if WHOLE_FLOAT.fullmatch(text) else text


def loosely(text: str) -> str:
    """Return an id without what ids often differ in by mistake: blanks, case and leading zeros."""
    return text.strip().casefold().lstrip("0") or "0"
