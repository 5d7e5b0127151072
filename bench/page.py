"""The table of a run of the bench, as Markdown for the terminal and the docs, and as a page."""

import html

HEADS = ("job", "against", "ours, s", "theirs, s", "theirs / ours", "ours / bound", "MB, ours / theirs", "aim", "met")
STYLE = """\
body { font: 16px/1.5 system-ui, sans-serif; max-width: 78rem; margin: 2rem auto; padding: 0 1rem; }
:root { color-scheme: light dark; }
div { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid #8886; text-align: left; }
td:nth-child(n+3):nth-child(-n+7) { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
"""
SMALL = ", at small sizes, which only shows that everything works"
ABOUT = (
    "Medians of runs in separate processes, in turn; the number after ± is half the distance from the fastest to the "
    "slowest. The bound is a lower limit of the time: the bare matrix product, or one pass over the memory. At a small "
    "size every tool does the complete job, and all results agree; at full size a peer that would take too long does a "
    "part of it, and its seconds are scaled."
)


def cells(row):
    """Return one row as text, in the order of HEADS."""
    against = row["peer"] or "–"
    if row["note"]:
        against += f" ({row['note']})"
    memory = "–" if row["peak_mb"] is None else f"{row['peak_mb']:,.0f}"
    if row["peer_peak_mb"] is not None:
        memory += f" / {row['peer_peak_mb']:,.0f}"
    return (
        row["job"],
        against,
        timed(row["ours_seconds"], row["ours_spread"]),
        timed(row["peer_seconds"], row["peer_spread"]),
        factor(row["ratio"]),
        factor(row["bound_ratio"]),
        memory,
        row["aim"] or "–",
        {True: "yes", False: "no", None: "–"}[row["met"]],
    )


def timed(seconds, spread):
    if seconds is None:
        return "–"
    half = (spread[1] - spread[0]) / 2
    return number(seconds) + (f" ± {100 * half / seconds:.0f} %" if half and seconds else "")


def number(value):
    """Return three digits, without an exponent."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.2g}"


def factor(ratio):
    return "–" if ratio is None else f"{number(ratio)}x"


def markdown(rows, machine):
    lines = ["| " + " | ".join(line) + " |" for line in (HEADS, *map(cells, rows))]
    table = "\n".join([lines[0], "|" + "---|" * len(HEADS), *lines[1:]])
    return f"Measured on {machine}. {ABOUT}\n\n{table}\n"


def page(rows, machine):
    heads = "".join(f'<th scope="col">{html.escape(head)}</th>' for head in HEADS)
    body = "\n".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells(row)) + "</tr>" for row in rows)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>Truerank, measured</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>Truerank, measured</h1>\n"
        f"<p>Measured on {html.escape(machine)}. {html.escape(ABOUT)}</p>\n"
        f'<div role="region" aria-label="Measurements" tabindex="0">\n<table>\n<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody>\n</table>\n</div>\n</body>\n</html>\n"
    )
