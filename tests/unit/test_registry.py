"""Names, the facts and settings behind them, and what is said of a name that does not exist."""

import inspect
import sys
import textwrap
from typing import Annotated, Literal

import pytest
from truerank import registry
from truerank.errors import UserError
from truerank.registry import Count, Entry, Facts, NonNegative, Positive, Registry, Share, json_schema, unknown

from tests.support import for_each


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """A package of two modules whose pieces register themselves, and its registry."""
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "__init__.py").write_text(
        textwrap.dedent("""
            from dataclasses import dataclass
            from truerank.registry import Registry
            @dataclass(frozen=True)
            class Facts:
                sweet: bool
            SHOP = Registry("ware", "shop", Facts, shared=("wrapped",))
        """)
    )
    for name in ("apple", "pear"):
        code = f'''
            from shop import SHOP
            @SHOP.register("{name}", sweet={name == "pear"})
            def {name}(basket, *, weight: int = 1):
                """Sell one {name}.

                More about it.
                """
                return "{name}", weight
        '''
        (folder / f"{name}.py").write_text(textwrap.dedent(code))
    monkeypatch.syspath_prepend(tmp_path)
    import shop

    yield shop.SHOP
    for module in [name for name in sys.modules if name.partition(".")[0] == "shop"]:
        del sys.modules[module]


def test_a_piece_in_a_new_file_is_found_without_editing_anything(shop):
    assert shop.names == ["apple", "pear"]
    assert [entry.name for entry in shop] == ["apple", "pear"]
    assert shop["pear"].make(None, weight=3) == ("pear", 3)


def test_an_entry_tells_its_sentence_facts_module_and_settings(shop):
    entry = shop["pear"]
    assert entry.sentence == "Sell one pear."
    assert entry.facts.sweet is True
    assert entry.module == "shop.pear"
    assert list(entry.settings) == ["weight"]


def test_a_misspelt_fact_is_refused(shop):
    with pytest.raises(TypeError, match=r"^ware 'plum': unknown fact 'sweat', did you mean 'sweet'\?$"):
        shop.register("plum", sweat=True)
    with pytest.raises(TypeError, match="sweet"):
        shop.register("plum")(print)


def test_a_piece_without_a_docstring_has_an_empty_sentence():
    assert Entry("plum", lambda basket: basket, Facts()).sentence == ""


def test_a_definition_makes_its_piece_without_what_all_pieces_share(shop):
    definition = {"kind": "pear", "weight": 3, "wrapped": True}
    assert shop.of(definition) is shop["pear"]
    assert shop.settings_of(definition) == {"weight": 3, "wrapped": True}
    assert shop.settings(definition) == {"weight": 3}
    assert shop.make(definition)("basket") == ("pear", 3)
    assert shop.make(shop.named("apple"))("basket") == ("apple", 1)


def test_an_unknown_name_is_a_users_mistake_with_the_nearest_name(shop):
    with pytest.raises(UserError, match=r"^unknown ware 'appel', did you mean 'apple'\?$"):
        shop["appel"]
    with pytest.raises(UserError, match=r"^unknown ware 'zzz'; expected one of: apple, pear$"):
        shop["zzz"]


def test_one_name_in_two_files_is_refused(shop):
    def apple(): ...

    apple.__module__ = "shop.other"
    assert "apple" in shop.names
    with pytest.raises(ValueError, match=r"ware 'apple' is in shop\.apple and in shop\.other"):
        shop.register("apple")(apple)


def test_unknown_says_none_where_nothing_is_known():
    assert unknown("model", "x", []) == "unknown model 'x'; expected one of: none"


def test_unknown_takes_names_that_are_not_text():
    assert unknown("key", 1, ["seed"]) == "unknown key 1; expected one of: seed"


@for_each(
    ("annotation", "schema"),
    [
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (str, {"type": "string"}),
        (bool, {"type": "boolean"}),
        (dict, {"type": "object"}),
        (Count, {"type": "integer", "minimum": 1}),
        (NonNegative, {"type": "number", "minimum": 0}),
        (Positive, {"type": "number", "exclusiveMinimum": 0}),
        (Share, {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}),
        (Literal["a", "b"], {"enum": ["a", "b"]}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (list[Count], {"type": "array", "items": {"type": "integer", "minimum": 1}}),
        (Annotated[str, {"minLength": 1}], {"type": "string", "minLength": 1}),
        (inspect.Parameter.empty, {}),
    ],
)
def test_annotations_become_json_schema_that_admits_no_null(annotation, schema):
    assert json_schema(annotation) == schema


def test_null_is_admitted_exactly_where_the_default_is_none():
    assert json_schema(Count, None) == {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]}
    assert json_schema(Count, 1) == {"type": "integer", "minimum": 1}


def test_the_schema_of_settings_is_closed_and_requires_what_has_no_default():
    def piece(data, *, k, size: Count, share: Share = 0.5): ...

    schema = Entry("piece", piece, {}, from_caller=("k",)).schema
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["size"]
    assert sorted(schema["properties"]) == ["share", "size"]


def test_only_a_metric_with_k_has_cutoffs():
    def with_cutoff(judged, *, k): ...

    def without(judged): ...

    assert Entry("a", with_cutoff, {}, ("k",)).has_cutoff
    assert not Entry("b", without, {}, ("k",)).has_cutoff


ENTRIES = [entry for table in vars(registry).values() if isinstance(table, Registry) for entry in table]


@for_each("entry", ENTRIES)
def test_every_setting_of_every_piece_has_a_type_and_a_fitting_default(entry):
    from truerank.config.validation import Validator

    schema = entry.schema
    assert schema["additionalProperties"] is False
    for name, parameter in entry.settings.items():
        assert schema["properties"][name], f"{entry.name}.{name} has no annotation, so a config could give it anything"
        if parameter.default is not inspect.Parameter.empty:
            # A default may be a tuple where a config writes a list.
            default = list(parameter.default) if isinstance(parameter.default, tuple) else parameter.default
            assert Validator(schema["properties"][name]).is_valid(default), (name, default)


@for_each("entry", ENTRIES)
def test_every_piece_says_in_one_line_what_it_is(entry):
    assert entry.sentence.endswith("."), entry.sentence
    assert 10 < len(entry.sentence) < 120
