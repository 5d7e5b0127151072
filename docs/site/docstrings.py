"""Docstrings in the house's form as Markdown: formulas, examples, and a list of what each parameter is."""

import re
from typing import Any

import griffe
import mathml

FORMULA = re.compile(r"^\.\. math:: *(.*(?:\n[ \t]+.*)*)", re.M)
INLINE = re.compile(r":math:`([^`]+)`")
EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\s*$).*)*(?:\n\n>>> .*(?:\n(?!\s*$).*)*)*", re.M)


def as_markdown(text: str, names: list[str]) -> str:
    """Return a docstring as Markdown. names : of parameters or fields, which a list describes as ``name : text``."""
    text = FORMULA.sub(lambda found: mathml.block(found[1]), text)
    text = INLINE.sub(lambda found: mathml.inline(found[1]), text)
    described = "|".join(map(re.escape, names)) or "(?!)"
    start = rf"(?:^|(?<=[.;:)] )|(?<=\n))((?:{described})(?:, (?:{described}))*) : "
    paragraphs = []
    for paragraph in re.split(r"\n\s*\n", EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", text)):
        if re.match(start, paragraph):
            parts = re.split(start, re.sub(r"\n\s*", " ", paragraph))
            pairs = zip(parts[1::2], parts[2::2], strict=True)
            paragraph = "\n".join(f"- **{name}**: {about.strip()}" for name, about in pairs)
        paragraphs.append(paragraph)
    return "\n\n".join(paragraphs)


class Docstrings(griffe.Extension):
    """Change docstrings before they are shown."""

    def on_function(self, *, func: griffe.Function, **kwargs: Any) -> None:
        change(func, [parameter.name for parameter in func.parameters])

    def on_class(self, *, cls: griffe.Class, **kwargs: Any) -> None:
        change(cls, list(cls.attributes))


def change(thing: griffe.Object, names: list[str]) -> None:
    if thing.docstring:
        thing.docstring.value = as_markdown(thing.docstring.value, names)
