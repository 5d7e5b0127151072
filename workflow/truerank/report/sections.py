"""Sections of a page that were drawn before their notebook shows them."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from markupsafe import Markup

from truerank.artefacts.pages import FILES
from truerank.report.block import Block


class Drawn(Block):
    """What was drawn before. bundle : what its cell shows, by MIME type."""

    def __init__(self, bundle: dict[str, Any]) -> None:
        self.bundle = bundle

    @property
    def html(self) -> Markup:
        return Markup(self.bundle["text/html"])

    @property
    def files(self) -> dict[str, str]:
        return self.bundle.get(FILES, {})

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return self.bundle


def unless_drawn(make: Callable[..., Block]) -> Callable[..., Block]:
    """Make a section show what was drawn of it before, where the study has that."""

    @wraps(make)
    def show(study: Any, *arguments: Any) -> Block:
        drawn = None if arguments else study.drawn.get(make.__name__)
        return Drawn(drawn) if drawn else make(study, *arguments)

    return show
