"""The tutorials of docs/tutorials as steps that a program can follow.

A file stands in a fenced block after "Save this as `name`:". Commands stand in blocks fenced as ``sh``; a block fenced
as ``text`` right after them has all that they print to standard output.
"""

import re
import shlex
from dataclasses import dataclass

from tests.support import ROOT

TUTORIALS = {path.stem: path for path in sorted((ROOT / "docs" / "tutorials").glob("*.md"))}
BLOCK = re.compile(r"(?:Save this as `(?P<name>[^`]+)`:\n\n)?^```(?P<kind>\w+)\n(?P<body>.*?)^```$", re.M | re.S)


@dataclass(frozen=True)
class Step:
    """One block. name : of a file to write. commands : with arguments. printed : None if the page does not say."""

    name: str | None
    body: str
    commands: tuple[tuple[str, ...], ...] = ()
    printed: str | None = None


def steps_of(text):
    """Return the files to write and the commands to run, in order."""
    steps = []
    for block in BLOCK.finditer(text):
        name, kind, body = block["name"], block["kind"], block["body"]
        if name is not None:
            steps.append(Step(name, body))
        elif kind == "sh":
            lines = re.sub(r"\\\n\s*", "", body).splitlines()
            steps.append(Step(None, body, tuple(tuple(shlex.split(line, comments=True)) for line in lines)))
        elif kind == "text":
            before = steps.pop()
            assert before.commands, f"{body} follows no command"
            steps.append(Step(None, before.body, before.commands, body))
    return steps
