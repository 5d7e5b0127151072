"""Formulas as MathML, which browsers show without a script."""

import re

from latex2mathml.converter import convert


def block(latex: str) -> str:
    """Return a displayed formula as HTML on one line."""
    return f'<div class="math">{convert(" ".join(latex.split()), display="block")}</div>'


def inline(latex: str) -> str:
    return convert(" ".join(latex.split()))


def with_formulas(markdown: str) -> str:
    """Replace fences ``math``."""
    return re.sub(r"^```math\n(.*?)^```$", lambda found: block(found[1]), markdown, flags=re.M | re.S)
