"""What a notebook cell shows: HTML for the page and, beside it, the files that a reader may take away."""

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from truerank.artefacts.pages import FILES, TEMPLATES

MOST_NAMED = 6

environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True)


def render(template, **values):
    """Fill one of our templates; all values are escaped unless they are ``Markup``."""
    return Markup(environment.get_template(template).render(values))


class Block:
    """A piece of the page: its ``html``, and ``files``, name to text, which travel in the executed notebook."""

    @property
    def html(self):
        raise NotImplementedError

    @property
    def files(self):
        return {}

    def _repr_mimebundle_(self, include=None, exclude=None):
        bundle = {"text/html": str(self.html), "text/plain": type(self).__name__}
        return bundle | ({FILES: self.files} if self.files else {})


class Prose(Block):
    """Paragraphs; a plain string is text and is escaped, ``Markup`` is HTML."""

    def __init__(self, *paragraphs, kind=None):
        self.paragraphs = paragraphs
        self.kind = kind

    @property
    def html(self):
        opening = Markup('<p class="{}">').format(self.kind) if self.kind else Markup("<p>")
        return Markup("\n").join(opening + paragraph + Markup("</p>") for paragraph in self.paragraphs)


class Blocks(Block):
    """Several blocks, one after the other."""

    def __init__(self, *blocks):
        self.blocks = blocks

    @property
    def html(self):
        return Markup("\n").join(block.html for block in self.blocks)

    @property
    def files(self):
        return {name: text for block in self.blocks for name, text in block.files.items()}


class Heading(Block):
    """A heading below the notebook's own, which are of the second level."""

    def __init__(self, text):
        self.text = text

    @property
    def html(self):
        return Markup("<h3>{}</h3>").format(self.text)


class Listing(Block):
    """Text to copy."""

    def __init__(self, text):
        self.text = text

    @property
    def html(self):
        return Markup('<pre tabindex="0"><code>{}</code></pre>').format(self.text.strip())


class Answers(Block):
    """Questions with their answers in sentences, each with links to the sections that show why.

    ``items`` are triples: the question, its sentences as ``Markup`` or text, and the headings of those sections.
    """

    def __init__(self, *items):
        self.items = items

    @property
    def html(self):
        return render("answers.html.j2", items=self.items)


class Folded(Blocks):
    """Blocks that open on demand."""

    def __init__(self, title, *blocks):
        super().__init__(*blocks)
        self.title = title

    @property
    def html(self):
        return Markup("<details><summary>{}</summary>{}</details>").format(self.title, super().html)


def bold(text):
    return Markup("<b>{}</b>").format(text)


def named(names):
    """A, B and C in bold; of more than six the first five and the number of the others."""
    *others, last = [*map(bold, first_of(names)), *rest_of(names)]
    return Markup("{} and {}").format(Markup(", ").join(others), last) if others else last


def in_cell(names):
    """The same as text for a table; None without names."""
    return ", ".join([*first_of(names), *rest_of(names)]) or None


def first_of(names):
    return names if len(names) <= MOST_NAMED else names[: MOST_NAMED - 1]


def rest_of(names):
    left = len(names) - len(first_of(names))
    return [f"{left} more"] if left else []
