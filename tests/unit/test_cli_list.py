"""`truerank list` names all there is, each with a sentence, and searches."""

import pytest
from truerank.cli import main
from truerank.cli.list import KINDS
from truerank.config.merging import SECTIONS, read_defaults
from truerank.workflow_files import overlays, ready_studies


def listed(capsys, *words):
    assert main(["list", *words]) == 0
    return dict(line.split("  ", 1) for line in capsys.readouterr().out.splitlines())


@pytest.mark.parametrize("kind", KINDS)
def test_every_name_has_a_sentence(capsys, kind):
    rows = listed(capsys, kind)
    expected = ready_studies() | overlays() if kind == "studies" else {*SECTIONS[kind].names, *read_defaults()[kind]}
    assert set(expected) <= rows.keys()
    for name, sentence in rows.items():
        assert len(sentence.split()) > 2, name
        assert not {"``", ":math:"} & set(sentence.split()), name


def test_an_overlay_follows_its_study_and_tells_how_to_run_it(capsys):
    rows = listed(capsys, "studies")
    assert rows["li2024-yelp"].endswith("Run it with: truerank run li2024 li2024-yelp")
    names = list(rows)
    assert names.index("li2024") < names.index("li2024-yelp") < names.index("valcarce2018")


def test_words_must_all_be_there_in_any_case(capsys):
    assert set(listed(capsys, "metrics", "DISCOUNTED", "binary")) >= {"ndcg_binary"}
    assert "recall" not in listed(capsys, "metrics", "discounted")


def test_settings_of_a_definition_and_other_names_are_told(capsys):
    rows = listed(capsys, "metrics")
    assert rows["ndcg_binary"].endswith("(ndcg: gain binary)")
    assert rows["mrr"].strip() == "Another name of rr."


def test_a_word_that_nothing_has_and_a_kind_that_is_none(capsys):
    assert main(["list", "models", "zzz"]) == 1
    assert "models has 'zzz'; try another word, or none: truerank list models" in capsys.readouterr().err
    with pytest.raises(SystemExit) as ended:
        main(["list", "colours"])
    assert ended.value.code == 2
