"""Times as files have them, numbers since 1970 in one of four units or dates of ISO 8601, as whole seconds."""

import re
from datetime import datetime

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from truerank.datasets._core.interactions import EARLIEST, LATEST, NO_TIME
from truerank.datasets._core.reading.faults import NUMBER

UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
BANDS = np.array([1e8, 1e11, 1e14, 1e17])  # from here on a number is a time of 1973 or later, in the unit of its place
TOO_MANY = 2.0**63
DATES, ANY = "iso8601", "a number of any unit"
MOMENT = pa.timestamp("s")  # the type of a column of dates
ISO = (
    r"[ \t]*(?P<date>\d{4}-\d{2}-\d{2})(?:[Tt ](?P<time>\d{2}:\d{2}(?::\d{2})?)(?:[.,]\d+)?"
    r"(?P<zone>[Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?[ \t]*"
)
DATE = re.compile(ISO, re.ASCII)
EXPECTED = "expected s, ms, us or ns since 1970, a date such as 2016-04-20T18:15:22Z, or an empty cell"


def seconds(column: pa.ChunkedArray, unit: str = "auto") -> tuple[np.ndarray, str | None] | None:
    """A column of numbers or times as int64 seconds, ``NO_TIME`` where it is null, and the unit that it has.

    The largest number tells the unit of all: it is a time from 1973 to 5138 in that unit. A number near 0 may be of any
    unit, and a column of such numbers has seconds. Returns None where two numbers tell different units, where a time is
    not in the years 1 to 9999, and where a number near 0 has a fraction: that is rather a rating than a time. Any other
    fraction of a second is left off, downwards.
    """
    known, present = column.is_valid().to_numpy(), column.drop_null()
    if pa.types.is_timestamp(column.type):
        found, unit = present.cast(pa.int64()).to_numpy(), DATES
    else:
        number = present.to_numpy()
        own = unit_of(number) if unit == "auto" else unit
        if own is None or not are_times(number):
            return None
        found, unit = number // UNITS[own], own
    if not ((found >= EARLIEST) & (found <= LATEST)).all():
        return None
    result = np.full(len(column), NO_TIME, dtype=np.int64)
    result[known] = found
    return result, unit if len(found) else None


class TimeUnits:
    """The units that times tell, which come some at a time. seen : units; near : whether a number was near 0."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.near = False

    def add(self, column: pa.ChunkedArray, unit: str = "auto") -> bool:
        """Hear some times; tell whether they are sound, each for itself."""
        found = seconds(column, unit)
        if found is None or found[1] is None:
            return found is not None
        units = [found[1]]
        if unit == "auto" and not pa.types.is_timestamp(column.type):
            far = band(column.drop_null().to_numpy())
            self.near |= bool((far == 0).any())
            units = units if far.any() else []
        units = [*self.seen, *units]
        mixed = [ANY] if self.near and DATES in units else []  # which a column cannot have beside dates
        self.seen = list(dict.fromkeys(units + mixed))
        return True

    @property
    def unit(self) -> str | None:
        """The unit of all, None where no row has a time."""
        return self.seen[0] if self.seen else "s" if self.near else None


def unit_of(number: np.ndarray) -> str | None:
    """The unit that numbers tell, seconds if none does; None if they tell several."""
    places = np.unique(band(number))
    places = places[places > 0]
    return None if len(places) > 1 else list(UNITS)[places[0] - 1] if len(places) else "s"


def are_times(number: np.ndarray | float) -> bool:
    """Tell whether numbers can be times: finite, of at most 63 bits, and near 0 without a fraction."""
    whole = (number == np.floor(number)) | (band(number) > 0)
    return bool((whole & (np.abs(np.asarray(number, dtype=np.float64)) < TOO_MANY)).all())


def band(number: np.ndarray | float) -> np.ndarray | np.intp:
    """0 for numbers near 0, else the place of the unit in which the number is a time of 1973 or later, from 1."""
    return np.searchsorted(BANDS, np.abs(np.asarray(number, dtype=np.float64)), side="right")


def dates(texts: pa.StringArray | pa.ChunkedArray) -> pa.TimestampArray | pa.ChunkedArray:
    """Texts of ISO 8601 as timestamps in seconds, null for empty ones; ArrowInvalid if there is anything else.

    A date is the start of its day; a time without a zone is UTC; a fraction of a second is left off.
    """
    texts = pc.if_else(pc.equal(texts, ""), pa.scalar(None, pa.string()), texts)
    parts = pc.extract_regex(texts, f"^{ISO}$")
    if parts.null_count != texts.null_count:
        raise pa.ArrowInvalid("a text is no date of ISO 8601")
    date, time, zone = (pc.struct_field(parts, name) for name in ("date", "time", "zone"))
    moment = pc.binary_join_element_wise(date, pc.if_else(pc.equal(time, ""), "00:00", time), "T")
    return pc.subtract(moment.cast(MOMENT), offset(zone))


def offset(zone: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """How far zones such as +05:30 are ahead of UTC, as durations; those that are empty or Z are not."""
    far = pc.match_substring_regex(zone, r"^[+-]")
    digits = pc.replace_substring(pc.if_else(far, zone, "+0000"), ":", "")
    hours = pc.utf8_slice_codeunits(digits, 1, 3).cast(pa.int64())
    minutes = pc.utf8_slice_codeunits(pc.utf8_rpad(digits, 5, "0"), 3, 5).cast(pa.int64())
    ahead = pc.add(pc.multiply(hours, 3600), pc.multiply(minutes, 60))
    return pc.if_else(pc.starts_with(digits, "-"), pc.negate(ahead), ahead).cast(pa.duration("s"))


def whole_seconds(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column of times or dates as timestamps in seconds UTC, rounded down."""
    if pa.types.is_date(column.type):
        return column.cast(MOMENT)
    return pc.floor_temporal(column.cast(pa.timestamp(column.type.unit)), unit="second").cast(MOMENT)


class TimesSoFar:
    """Hear the times of a file one after the other, and say what is wrong with one that does not fit."""

    def __init__(self, unit: str = "auto") -> None:
        self.unit = unit
        self.first: dict[str, str] = {}  # unit -> the text that told it

    def fault(self, text: str) -> str | None:
        """What is wrong with a time, None if nothing is."""
        if not text:
            return None
        unit, time = self.read(text)
        if unit is None or time is None:
            return EXPECTED
        if not EARLIEST <= time <= LATEST:
            return f"in {unit}, expected a time in the years 1 to 9999"
        other = next((other for other in self.first if apart(unit, other)), None)
        if other is not None:
            return f"in {unit}, expected {other} as {self.first[other]!r} before; write all times in one way"
        self.first.setdefault(unit, text)
        return None

    def read(self, text: str) -> tuple[str | None, float | None]:
        """The unit of a text, and the seconds it means, None if it is no time."""
        if NUMBER.fullmatch(text):
            number = float(text)
            place = int(band(number))
            if not are_times(number):
                return None, None
            unit = (list(UNITS)[place - 1] if place else ANY) if self.unit == "auto" else self.unit
            return unit, number // UNITS.get(unit, 1)
        parts = DATE.fullmatch(text)
        if not parts:
            return None, None
        try:
            zone = (parts["zone"] or "Z").upper()
            return DATES, datetime.fromisoformat(f"{parts['date']}T{parts['time'] or '00:00'}{zone}").timestamp()
        except ValueError:
            return None, None


def apart(unit: str, other: str) -> bool:
    """Tell whether a column cannot have both units: a number near 0 goes with any but a date."""
    return unit != other and (ANY not in (unit, other) or DATES in (unit, other))
