"""A canvas as SVG text, its axes as large as their labels allow."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.figure import Figure as Canvas

PAD = 3  # points between labels and the edge
POINTS = 72  # per inch; the unit of an SVG
NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))
FOUND_AGAIN = ("_update_ticks", "_get_ticklabel_bboxes")  # of an axis


def to_svg(canvas: Canvas) -> str:
    """Return a canvas with one axes as SVG; one renderer measures its text and draws it."""
    (axes,) = canvas.axes
    canvas.set_dpi(POINTS)
    buffer = io.StringIO()
    renderer = RendererSVG(*canvas.bbox.size, buffer, metadata=NO_METADATA)
    with ticks_found_once(axes):
        fit(axes, renderer)
    with ticks_found_once(axes):
        canvas.draw(renderer)
    renderer.finalize()
    return buffer.getvalue()


def fit(axes: Axes, renderer: RendererBase) -> None:
    """Give the axes all the room that their labels leave, in one pass: constrained layout takes two drawings."""
    canvas = axes.figure
    inner, outer = axes.get_window_extent(renderer), axes.get_tightbbox(renderer) or canvas.bbox
    width, height = canvas.bbox.size
    left, below = inner.x0 - outer.x0 + PAD, inner.y0 - outer.y0 + PAD
    right, above = outer.x1 - inner.x1 + PAD, outer.y1 - inner.y1 + PAD
    box = (left / width, below / height, 1 - (left + right) / width, 1 - (below + above) / height)
    axes.set_position(box)


@contextmanager
def ticks_found_once(axes: Axes) -> Iterator[None]:
    """Find ticks and the boxes of their labels once, as long as the axes keep their size.

    Matplotlib finds them anew for each label that it places: half of the time of a drawing. A version of it that has
    other names for this draws the same, slowly.
    """
    changed = [(axis, name) for axis in (axes.xaxis, axes.yaxis) for name in FOUND_AGAIN if hasattr(axis, name)]
    for axis, name in changed:
        setattr(axis, name, once(getattr(axis, name)))
    try:
        yield
    finally:
        for axis, name in changed:
            delattr(axis, name)


def once(find: Any) -> Any:
    """Return a function that finds something when it is first called, and returns that ever after."""
    found: list[Any] = []

    def first(*arguments: Any) -> Any:
        if not found:
            found.append(find(*arguments))
        return found[0]

    return first
