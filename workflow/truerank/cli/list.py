"""What there is to choose from."""

import argparse
import json
import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

from truerank.errors import UserError

ABOUT = "list the available metrics, models and other components, with one sentence each"
KINDS = ("metrics", "models", "samplers", "estimators", "datasets", "splits", "studies")
ROLE = re.compile(r":\w+:`([^`]*)`|``([^`]*)``")


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("kind", choices=KINDS, help="what to list")
    command.add_argument("words", metavar="word", nargs="*", help="show only entries that contain all these words")


def run(choices: argparse.Namespace) -> Iterator[str]:
    """Yield one line per name."""
    rows = list(studies() if choices.kind == "studies" else pieces(choices.kind))
    words = [word.lower() for word in choices.words]
    found = [row for row in rows if all(word in " ".join(row).lower() for word in words)]
    if not found:
        problem = f"none of the {len(rows)} {choices.kind} has {' and '.join(map(repr, choices.words))}"
        raise UserError(f"{problem}; try another word, or none: truerank list {choices.kind}")
    width = max(len(name) for name, _ in found)
    yield from (f"{name:<{width}}  {sentence}" for name, sentence in found)


def pieces(section: str) -> Iterator[tuple[str, str]]:
    """Yield the names that a config may select or define from: those of the defaults, of pieces, and other names."""
    from truerank.config.merging import SECTIONS, read_defaults
    from truerank.metrics._core.names import ALIASES

    registry = SECTIONS[section]
    named = read_defaults()[section]
    plain = {name: registry.named(name) for name in registry.names}
    for name, definition in sorted((plain | named).items()):
        definition = registry.named(definition) if isinstance(definition, str) else definition
        entry = registry.of(definition)
        settings = ", ".join(shown(key, value) for key, value in registry.settings_of(definition).items())
        of = f" ({entry.name}: {settings})" if settings else f" ({entry.name})" if entry.name != name else ""
        yield name, plain_text(entry.sentence) + of
    if section == "metrics":
        yield from ((alias, f"Another name of {name}.") for alias, name in ALIASES.items())


def shown(key: str, value: Any) -> str:
    """Return a setting as YAML has it."""
    return f"{key} {value if isinstance(value, str) else json.dumps(value)}"


def plain_text(sentence: str) -> str:
    """Return a sentence of a docstring without the signs of reStructuredText."""
    return ROLE.sub(lambda match: match[1] or match[2], sentence)


def studies() -> Iterator[tuple[str, str]]:
    """Yield the ready studies with a sentence, each followed by its overlays and how to run them."""
    from truerank.workflow_files import overlays, ready_studies, study_below

    for study, path in ready_studies().items():
        yield study, first_sentence(path)
        for name, overlay in overlays().items():
            if study_below(name) == study:
                yield name, f"{first_sentence(overlay)} Run it with: truerank run {study} {name}"


def first_sentence(study: Path) -> str:
    """Return the comment that a study begins with, up to a colon or the end of its sentence."""
    lines = study.read_text(encoding="utf-8").splitlines()
    comment = " ".join(line.removeprefix("# ") for line in takewhile(lambda line: line.startswith("# "), lines))
    return re.split(r": |(?<!al)\.(?: |$)", comment)[0] + "."
