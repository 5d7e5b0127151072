"""CITATION.cff has the form of the Citation File Format 1.2.0, this version, and the five sources.

cffconvert, which checks the form in full, needs a jsonschema older than ours, so the form is checked here.
"""

import re

import pytest
import truerank

from tests.support import ROOT, load_yaml

KEYS = {"cff-version", "message", "type", "title", "version", "license", "authors", "keywords", "references"}
TYPES = {"article", "conference-paper", "slides"}  # of the format's list, those that are used
SOURCES = {
    "10.1109/ACCESS.2022.3159646": ["Aftab", "Ramampiaro"],
    "10.1145/3394486.3403226": ["Krichene", "Rendle"],
    "10.1145/3629171": ["Li", "Jin", "Liu", "Ren", "Gao", "Liu"],
    "10.1145/3240323.3240347": ["Valcarce", "Bellogín", "Parapar", "Castells"],
    None: ["Nguyen"],  # lecture slides
}


@pytest.fixture(scope="module")
def citation():
    return load_yaml(ROOT / "CITATION.cff")


def test_it_is_of_this_software_and_this_version(citation):
    assert set(citation) == KEYS
    assert (citation["cff-version"], citation["type"]) == ("1.2.0", "software")
    assert str(citation["version"]) == truerank.__version__
    assert f'license = "{citation["license"]}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert citation["authors"] == [{"name": "Truerank contributors"}]
    assert "Truerank contributors" in (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_the_references_are_the_five_sources(citation):
    references = citation["references"]
    found = {each.get("doi"): [author["family-names"] for author in each["authors"]] for each in references}
    assert found == SOURCES
    for reference in references:
        assert {"type", "title", "authors"} <= reference.keys()
        assert reference["type"] in TYPES
        assert all(author.keys() == {"family-names", "given-names"} for author in reference["authors"])
        if "doi" in reference:
            assert re.fullmatch(r"10\.\d{4,9}/\S+", reference["doi"])
            assert isinstance(reference["year"], int)
        if reference["type"] == "conference-paper":
            assert reference["conference"].keys() == {"name"}
