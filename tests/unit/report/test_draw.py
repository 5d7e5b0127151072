"""Sections that were drawn before are shown as they are, and are the same for any number of processes."""

import json
import subprocess
import sys

import pytest
from truerank import report
from truerank.artefacts.files import write_json
from truerank.artefacts.pages import FILES
from truerank.report.draw import drawn
from truerank.report.sections import Drawn

from tests.support import ROOT


def test_every_section_is_offered_and_is_in_the_notebook():
    notebook = (ROOT / "notebooks" / "report.ipynb").read_text(encoding="utf-8")
    for name in report.SECTIONS:
        assert name in report.__all__
        assert f"report.{name}(study)" in notebook


def test_a_section_that_was_drawn_is_shown_and_the_others_are_made(results, config, tmp_path):
    kept = {"distributions": {"text/html": "<p>drawn</p>", "text/plain": "", FILES: {"a.svg": "b"}}}
    write_json(tmp_path / "drawn.json", kept)
    study = report.open_study(results, "toy", config, {}, str(tmp_path / "drawn.json"))
    shown = report.distributions(study)
    assert isinstance(shown, Drawn)
    assert (shown.html, shown.files) == ("<p>drawn</p>", {"a.svg": "b"})
    assert shown._repr_mimebundle_() == kept["distributions"]
    assert "40" in report.dataset_facts(study).html
    elsewhere = report.open_study(results, "toy", config, {}, str(tmp_path / "absent.json"))
    assert not isinstance(report.distributions(elsewhere), Drawn)


@pytest.mark.slow
def test_processes_draw_the_same(results, config, monkeypatch):
    monkeypatch.setattr(report, "SECTIONS", ("distributions", "migration", "dataset_facts"))
    one, two = (drawn(str(results), "toy", config, workers) for workers in (1, 2))
    assert list(one) == list(report.SECTIONS)
    assert one == two
    study = report.open_study(results, "toy", config, {})
    assert one["migration"] == report.migration(study)._repr_mimebundle_()


@pytest.mark.slow
def test_a_mistake_is_told_in_one_sentence(results, config):
    (results / "verdict/toy.json").write_text("{")
    wanted = {"results": str(results), "dataset": "toy", "config": config}
    command = [sys.executable, "-m", "truerank.report.draw"]
    done = subprocess.run(command, input=json.dumps(wanted), capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("truerank: ")
    assert "Traceback" not in done.stderr
