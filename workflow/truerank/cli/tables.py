"""Tables of text: names to the left and numbers to the right of their columns."""

from collections.abc import Iterator, Mapping, Sequence

MISSING = "-"
LEAST_P = 1e-300  # smaller ones are no longer told from 0


def lines_of(columns: Mapping[str, Sequence[str]], n_names: int = 1) -> Iterator[str]:
    """Yield a heading and a line per row; the first ``n_names`` columns are names."""
    cells = [[name, *column] for name, column in columns.items()]
    widths = [max(map(len, column)) for column in cells]
    for row in zip(*cells, strict=True):
        sides = (
            cell.ljust(width) if place < n_names else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(sides).rstrip()


def decimal(value: float, digits: int = 4) -> str:
    return MISSING if value != value else f"{value:.{digits}f}"


def interval(low: float, high: float) -> str:
    return MISSING if low != low else f"[{decimal(low)}, {decimal(high)}]"


def p_value(p: float) -> str:
    return f"{p:.3g}" if p >= LEAST_P else f"<{LEAST_P:g}"
