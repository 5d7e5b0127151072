"""Write the table of public data in docs/data.md from what every source says of itself.

.venv/bin/python docs/make_data.py
"""

import inspect
import json
from pathlib import Path

from truerank.registry import DATASETS

PAGE = Path(__file__).with_name("data.md")
MARK = "<!-- written by make_data.py -->\n"


def page(text):
    """Return the page with the part between the marks written anew."""
    before, _, after = text.split(MARK)
    return f"{before}{MARK}{public()}{MARK}{after}"


def public():
    """Return an overview of the public sources, and what each is, holds and asks for."""
    entries = [entry for entry in DATASETS if entry.facts.archives]
    rows = [f"| [`{e.name}`](#{e.name}) | {scale(e)} | {users(e)} | {how(e)} |\n" for e in entries]
    head = "| source | ratings | attributes of users | checksum |\n|---|---|---|---|\n"
    return f"\n{head}{''.join(rows)}\n" + "\n".join(map(section, entries)) + "\n"


def section(entry):
    first, *rest = inspect.getdoc(entry.make).replace("``", "`").split("\n\n")
    files = "; ".join(f"`{archive.file}`, {address(archive)}" for archive in entry.facts.archives)
    split = ["Comes split: use `{kind: given}`."] if entry.facts.comes_split else []
    settings = [f"`{name}: {written(parameter.default)}`" for name, parameter in entry.settings.items()]
    parts = [" ".join(part.split()) for part in (first, *rest)]
    parts += [f"Settings: {', '.join(settings)}."] * bool(settings)
    parts += [*split, f"Files: {files}.", f"Cite: {entry.facts.citation}. Licence: {entry.facts.licence}."]
    return f"#### {entry.name}\n\n" + " ".join(parts) + "\n"


def written(value):
    """Return a setting's value as YAML writes it."""
    return json.dumps(value) if value is None or isinstance(value, bool) else value


def address(archive):
    if "://" not in archive.address:
        return f"in the wheel {archive.address}"
    if archive.fetch is None:
        return f"manual download: <{archive.address}>"
    return f"<{archive.address}>" + "".join(f" or <{mirror}>" for mirror in archive.mirrors)


def scale(entry):
    low, high = entry.facts.scale or (None, None)
    return "none" if low is None else f"{low:g} to {high:g}"


def users(entry):
    return "yes" if entry.facts.user_attributes else "no"


def how(entry):
    """Whether the bytes of the files are known before they are fetched."""
    known = {archive.checksum is not None for archive in entry.facts.archives}
    return {(True,): "known", (False,): "recorded on first use"}.get(tuple(known), "known for the first file")


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
