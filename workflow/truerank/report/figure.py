"""Figures as inline SVG: text stays text, and follows the colours of the page."""

import io
import re

from markupsafe import Markup, escape

from truerank.report.block import Block, render
from truerank.report.theme import INK, LINE, mpl, theme

FOLLOWS_THE_PAGE = {INK: "currentColor", LINE: f"var(--line, {LINE})"}
NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


class Figure(Block):
    """One or more panels under one caption; the page puts as many side by side as there is room for.

    ``panels`` maps what a panel shows, in words for those who cannot see it, to its axes.
    ``legend`` maps names to styles.
    """

    def __init__(self, name, panels, caption, legend=None):
        self.name = name
        self.panels = panels
        self.caption = caption
        self.legend = legend or {}

    @property
    def html(self):
        images = [svg(axes.figure, text, f"{self.name} {text}") for text, axes in self.panels.items()]
        return render("figure.html.j2", figure=self, images=images)


def svg(canvas, text, salt):
    """Return a canvas as an SVG element with ``text`` as its title, the same characters each time."""
    buffer = io.StringIO()
    with theme(), mpl.rc_context({"svg.hashsalt": salt}):
        canvas.savefig(buffer, format="svg", metadata=NO_METADATA)
    drawing = buffer.getvalue()
    drawing = drawing[drawing.index("<svg") :]
    drawing = re.sub(r"<(metadata|style)\b.*?</\1>", "", drawing, flags=re.DOTALL)
    drawing = re.sub(r'<g id="[^"]*"', "<g", drawing)
    opening = re.search(r'viewBox="[^"]*"', drawing)[0]
    drawing = drawing[drawing.index(">") + 1 :]
    for colour, following in FOLLOWS_THE_PAGE.items():
        drawing = drawing.replace(colour, following)
    head = f'<svg role="img" {opening} xmlns:xlink="http://www.w3.org/1999/xlink"><title>{escape(text)}</title>'
    return Markup(head + drawing)
