"""Every printable name of a dataset, model, .. works or is refused in one sentence."""

import copy
import re
import string

import pytest
import yaml
from truerank.config.checks import SCHEMA, check_config
from truerank.errors import UserError

from tests.support import for_each

ODD = ["é", "é", "🎬", "\u202ea", "\xa0", "＜", "ي", "\u200b", "\ufeff"]
REFUSED = set("/{}<>")
SECTIONS = ["datasets", "models", "splits", "metrics", "samplers", "estimators"]


PATTERN = yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))["$defs"]["name"]["pattern"]


def admitted(name):
    return re.search(PATTERN, name) is not None


@pytest.mark.parametrize("place", ["{}ab", "a{}b", "ab{}"])
def test_printable_characters_are_admitted_but_for_those_that_paths_and_snakemake_use(place):
    printable = [chr(code) for code in range(32, 127)] + ODD
    refused = {character for character in printable if not admitted(place.format(character))}
    assert refused == REFUSED | ({"."} if place.startswith("{") else set())


def test_what_is_not_printable_is_refused():
    for character in [*map(chr, range(32)), *map(chr, range(127, 160)), "\u2028", "\u2029", "\ud800", "\udfff"]:
        assert not admitted(f"a{character}b"), repr(character)
    assert set(string.printable) - set(string.whitespace) - REFUSED <= {
        c for c in string.printable if admitted(f"a{c}")
    }


@for_each("name", ["<b>", "a<results>", "a>", "a\u2028b"])
@for_each("section", SECTIONS)
def test_a_name_that_snakemake_would_take_for_something_else_gets_our_sentence(study, section, name):
    """``<results>`` is a variable in a path, which Snakemake would replace or miss."""
    study = copy.deepcopy(study)
    study[section][name] = {"source": "ml-100k"} if section == "datasets" else {"kind": "ease"}
    with pytest.raises(UserError) as caught:
        check_config(study)
    assert repr(name) in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
