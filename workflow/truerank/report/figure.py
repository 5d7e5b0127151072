"""Figures as inline SVG: text stays text, and follows the colours of the page."""

import re
from collections.abc import Mapping
from functools import cached_property

from markupsafe import Markup, escape
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from truerank.report.block import Block, render
from truerank.report.canvas import to_svg
from truerank.report.line_names import fit_beside, name_lines
from truerank.report.metric_names import with_written_names
from truerank.report.theme import INK, LINE, REST, Style, mpl, theme

FOLLOWS_THE_PAGE = {INK: "currentColor", LINE: f"var(--line, {LINE})"}
TAG, LONG_NUMBER = re.compile(r"<[^>]*>"), re.compile(r"(\d\.\d\d)\d+")  # hundredths of a point are fine enough
FAMILY = "Arial, DejaVu Sans, sans-serif"
# Said once for the whole picture, or the default anyway.
NEEDLESS = re.compile(r'font-family: [^;]*; |; stroke-linejoin: miter| transform="rotate\(-0 [^"]*"')
FONT, ROW, GLYPH, LETTER = 9, 14, 14, 5.6  # of the key in a saved figure, in points


class Figure(Block):
    """One or more panels under one caption: three side by side where there is room, two ``wide`` ones; more unfold.

    ``panels`` maps what a panel shows, in words for those who cannot see it, to its axes.
    ``legend`` maps names to styles; those drawn in grey share one entry. ``lines`` : they are lines, whose names stand
    beside them where there is room, ``beside``, and not in the legend.
    """

    def __init__(
        self,
        name: str,
        panels: Mapping[str, Axes],
        caption: str,
        legend: Mapping[str, Style] | None = None,
        wide: bool = False,
        lines: bool = False,
    ) -> None:
        self.name = name
        self.panels = panels
        self.caption = caption
        self.legend = with_the_rest_in_one(legend or {})
        self.beside: dict[str, Style] = {}
        if lines and fit_beside(self.legend):
            self.beside = {name: look for name, look in self.legend.items() if look is not REST}
            self.legend = {name: look for name, look in self.legend.items() if look is REST}
        self.wide = wide

    @property
    def html(self) -> Markup:
        images = {f"{self.name}-{place}": image for place, image in enumerate(self.images, 1)}
        return render("figure.html.j2", figure=self, images=images)

    @property
    def files(self) -> dict[str, str]:
        images = {f"{self.name}-{place}.svg": standalone(image) for place, image in enumerate(self.images, 1)}
        return {name: with_written_names(image) for name, image in images.items()}

    @cached_property
    def images(self) -> list[Markup]:
        with theme():
            for axes in self.panels.values():
                name_lines(axes, self.beside)
        return [
            svg(axes.figure, text, f"{self.name} {text}", self.legend)  # type: ignore[arg-type]  # not a SubFigure
            for text, axes in self.panels.items()
        ]


def with_the_rest_in_one(legend: Mapping[str, Style]) -> dict[str, Style]:
    """Return a legend in which all that is grey has one entry, the last."""
    shown = {name: look for name, look in legend.items() if look is not REST}
    n_rest = len(legend) - len(shown)
    return shown | ({f"the other {n_rest}, in grey": REST} if n_rest > 1 else {k: REST for k in legend.keys() - shown})


def svg(canvas: Canvas, text: str, salt: str, legend: Mapping[str, Style]) -> Markup:
    """Return a canvas as an SVG element with ``text`` as its title, the same characters each time.

    The legend stands below what the view box shows: the page has its own, and a saved figure opens the box to
    ``data-whole``.
    """
    with theme(), mpl.rc_context({"svg.hashsalt": salt}):
        drawing = to_svg(canvas)
    drawing = drawing[drawing.index("<svg") :]
    drawing = re.sub(r"<(metadata|style)\b.*?</\1>", "", drawing, flags=re.DOTALL)
    drawing = re.sub(r'<g id="[^"]*"', "<g", drawing)
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawing)
    width, height = map(float, box.groups())  # type: ignore[union-attr]  # every SVG of matplotlib has one
    drawing = drawing[drawing.index(">") + 1 : drawing.rindex("</svg>")]
    for colour, following in FOLLOWS_THE_PAGE.items():
        drawing = drawing.replace(colour, following)
    drawing = TAG.sub(lambda tag: LONG_NUMBER.sub(r"\1", NEEDLESS.sub("", tag[0])), drawing)
    drawing = re.sub(r">\s+<", "><", drawing)
    key, whole = key_below(legend, width, height)
    head = (
        f'<svg role="img" font-family="{FAMILY}" '
        f'viewBox="0 0 {width:g} {height:g}" data-whole="0 0 {width:g} {whole:g}" '
        f'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><title>{escape(text)}</title>'
    )
    return Markup(head + drawing + key + "</svg>")


def key_below(legend: Mapping[str, Style], width: float, height: float) -> tuple[str, float]:
    """Return the legend as SVG below ``height``, its rows broken at ``width``, and where it ends."""
    entries, x, y = [], 4.0, height + ROW
    for name, look in legend.items():
        advance = GLYPH + LETTER * len(name) + 10
        if x > 4 and x + advance > width:
            x, y = 4, y + ROW
        text = Markup(
            '<text x="{:g}" y="{:g}" fill="{}">{}</text><text x="{:g}" y="{:g}" fill="currentColor">{}</text>'
        )
        entries.append(text.format(x, y, look.colour, look.glyph, x + GLYPH, y, name))
        x += advance
    style = f'aria-hidden="true" font-size="{FONT}"'
    return (f"<g {style}>{''.join(entries)}</g>", y + ROW / 2) if entries else ("", height)


def standalone(image: str) -> str:
    """Return an image of the page as a file of its own: dark on white, its legend in view."""
    whole = re.search(r'data-whole="([^"]*)"', image)[1]  # type: ignore[index]  # see ``svg``
    image = re.sub(r'viewBox="[^"]*" data-whole="[^"]*"', f'viewBox="{whole}"', str(image), count=1)
    width, height = whole.split()[2:]
    paper = f'</title><rect width="{width}" height="{height}" fill="#fff"/>'
    return image.replace("<svg ", f'<svg color="{INK}" ', 1).replace("</title>", paper, 1) + "\n"
