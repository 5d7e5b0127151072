"""What a notebook cell shows: HTML for the page and, beside it, the files that a reader may take away."""

from collections.abc import Sequence
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape

from truerank.artefacts.pages import FILES, TEMPLATES
from truerank.report.metric_names import with_written_names

MOST_NAMED = 6
LONG = 20  # letters of a name

environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True)


def render(template: str, **values: Any) -> Markup:
    """Fill one of our templates; all values are escaped unless they are ``Markup``."""
    return Markup(environment.get_template(template).render(values))


class Block:
    """A piece of the page: its ``html``, and ``files``, name to text, which travel in the executed notebook."""

    folds = False  # whether it opens on demand

    @property
    def html(self) -> Markup:
        raise NotImplementedError

    @property
    def files(self) -> dict[str, str]:
        return {}

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        bundle = {"text/html": with_written_names(self.html), "text/plain": type(self).__name__}
        return bundle | ({FILES: self.files} if self.files else {})


class Prose(Block):
    """Paragraphs; a plain string is text and is escaped, ``Markup`` is HTML."""

    def __init__(self, *paragraphs: str, kind: str | None = None) -> None:
        self.paragraphs = paragraphs
        self.kind = kind

    @property
    def html(self) -> Markup:
        opening = Markup('<p class="{}">').format(self.kind) if self.kind else Markup("<p>")
        return Markup("\n").join(opening + paragraph + Markup("</p>") for paragraph in self.paragraphs)


class Blocks(Block):
    """Several blocks, one after the other."""

    def __init__(self, *blocks: Block) -> None:
        self.blocks = blocks

    @property
    def html(self) -> Markup:
        return Markup("\n").join(block.html for block in self.blocks)

    @property
    def files(self) -> dict[str, str]:
        return {name: text for block in self.blocks for name, text in block.files.items()}


class Heading(Block):
    """A heading below the notebook's own, which are of the second level."""

    def __init__(self, text: str) -> None:
        self.text = text

    @property
    def html(self) -> Markup:
        return Markup("<h3>{}</h3>").format(self.text)


class Listing(Block):
    """Text to copy."""

    def __init__(self, text: str) -> None:
        self.text = text

    @property
    def html(self) -> Markup:
        return Markup('<pre tabindex="0"><code>{}</code></pre>').format(self.text.strip())


class Answers(Block):
    """Questions with their answers in sentences, each with links to the sections that show why.

    ``items`` are triples: the question, its sentences as ``Markup`` or text, and the headings of those sections.
    """

    def __init__(self, *items: tuple[str, Sequence[str], Sequence[str]]) -> None:
        self.items = items

    @property
    def html(self) -> Markup:
        return render("answers.html.j2", items=self.items)


class Card(Blocks):
    """A question of the first screen, its answer in a sentence, and the picture that shows it, where there is one."""

    def __init__(self, question: str, sentence: str, picture: Block | None) -> None:
        super().__init__(*[picture] if picture else [])
        self.question, self.sentence = question, sentence

    @property
    def html(self) -> Markup:
        return render("card.html.j2", card=self, picture=super().html)


class Cards(Blocks):
    """Cards side by side where there is room."""

    @property
    def html(self) -> Markup:
        return Markup('<div class="cards">{}</div>').format(super().html)


class Copied(Block):
    """A text with a button that copies it."""

    def __init__(self, name: str, title: str, text: str, code: bool = False) -> None:
        self.name, self.title, self.text, self.code = name, title, text, code

    @property
    def html(self) -> Markup:
        return render("copied.html.j2", copied=self)


class Folded(Blocks):
    """Blocks that open on demand."""

    def __init__(self, title: str, *blocks: Block) -> None:
        super().__init__(*blocks)
        self.title = title
        for block in blocks:
            block.folds = False  # not twice

    @property
    def html(self) -> Markup:
        return Markup("<details><summary>{}</summary>{}</details>").format(self.title, super().html)


def code(text: object) -> Markup:
    return Markup("<code>{}</code>").format(text)


def bold(text: object) -> Markup:
    """Return text in bold; a long name may be broken after an underscore, and one with a cut-off is a metric's."""
    name = escape(str(text))
    if len(str(text)) > LONG and "@" not in str(text):
        name = Markup("_<wbr>").join(name.split("_"))
    return Markup("<b>{}</b>").format(name)


def named(names: Sequence[str]) -> Markup:
    """A, B and C in bold; of more than six the first five and the number of the others."""
    shown = [*map(bold, first_of(names)), *map(Markup, rest_of(names))]
    *others, last = shown
    return Markup("{} and {}").format(Markup(", ").join(others), last) if others else last


def in_cell(names: Sequence[str]) -> str | None:
    """The same as text for a table; None without names."""
    return ", ".join([*first_of(names), *rest_of(names)]) or None


def first_of(names: Sequence[str]) -> Sequence[str]:
    return names if len(names) <= MOST_NAMED else names[: MOST_NAMED - 1]


def rest_of(names: Sequence[str]) -> list[str]:
    left = len(names) - len(first_of(names))
    return [f"{left} more"] if left else []
