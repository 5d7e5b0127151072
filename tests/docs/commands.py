"""The commands that README and docs show.

A command stands in a block that is indented by four spaces, or fenced as ``sh``, on a line that begins with a program.
What follows ``#`` is a comment, and a line that ends in a backslash goes on.
"""

import re
import shlex
from dataclasses import dataclass

from tests.support import ROOT

OWN = (ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md"))
PAGES = (*OWN, *sorted((ROOT / "docs").glob("*.md")))  # tests/wheel follows the tutorials, step by step
PROGRAMS = ("make", "truerank", "snakemake", "python", "pip", "uv", "git", "cd", "conda", "jupyter")
FOLDER = ".venv/bin/"
LINE = re.compile(r"^ {4}(?! )(.*)$")
SETTING = re.compile(r"[A-Z_]+=\S*")


@dataclass(frozen=True)
class Command:
    """One command. place : page and line. words : program and arguments, without ``.venv/bin/``."""

    place: str
    words: tuple[str, ...]

    def __str__(self):
        return f"{self.place}: {shlex.join(self.words)}"


def commands(pages=PAGES):
    """Return all commands of some pages, in order."""
    return [command for page in pages for command in commands_in(page.name, page.read_text(encoding="utf-8"))]


def commands_in(name, text):
    fenced, begun, found = False, "", []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced and line.removeprefix("```").strip() in ("sh", "bash", "shell")
            continue
        match = LINE.match(line)
        if not (fenced or match or begun):
            continue
        text_of_line = (line if fenced or begun else match[1]).strip()
        if text_of_line.endswith("\\"):
            begun += text_of_line.removesuffix("\\")
            continue
        whole, begun = begun + text_of_line, ""
        for part in re.split(r"\s&&\s", whole):
            words = split_words(part)
            if words and words[0].removeprefix(FOLDER) in PROGRAMS:
                found.append(Command(f"{name}, line {number}", (words[0].removeprefix(FOLDER), *words[1:])))
    return found


def split_words(line):
    """Return the words of a line of shell, without settings in front and comments; [] if it is no shell."""
    try:
        words = shlex.split(line, comments=True)
    except ValueError:
        return []
    while words and SETTING.fullmatch(words[0]):
        words = words[1:]
    return words
