"""The command, its rows, its table and its lock."""

import json
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from truerank.errors import UserError

from bench import __main__ as command
from bench import install, page, runner, worker
from bench.contest import BOUND, OURS, Contender, Contest
from bench.jobs import OTHERS, drawn, informed, millions, start, study

FIELDS = [
    "job",
    "peer",
    "ours_seconds",
    "peer_seconds",
    "ratio",
    "bound_seconds",
    "bound_ratio",
    "peak_mb",
    "aim",
    "met",
]
CONTENDERS = [
    Contender("we", None, OURS),
    Contender("least", None, BOUND, aim=2),
    Contender("slow", None, aim=10),
    Contender("quick", None, aim=10, note="half, scaled"),
]


def measured(*seconds):
    return [{"seconds": each, "share": 1.0, "peak_mb": 100.0 + each} for each in seconds]


@pytest.fixture
def rows():
    found = {"we": measured(1, 2, 4), "least": measured(0.5), "slow": measured(30, 20), "quick": measured(3)}
    return runner.rows(Contest("job <1>", None, {}, {}, CONTENDERS), found)


def test_rows_have_medians_ratios_and_whether_aims_are_met(rows):
    assert all(set(FIELDS) <= row.keys() for row in rows)
    assert [row["peer"] for row in rows] == ["least", "slow", "quick"]
    assert [row["ratio"] for row in rows] == [0.25, 12.5, 1.5]
    assert [row["met"] for row in rows] == [False, True, False]
    assert {(row["ours_seconds"], row["bound_ratio"], row["peak_mb"]) for row in rows} == {(2, 4, 104.0)}


def test_table_and_page_show_every_row_and_escape(rows):
    table, shown = page.markdown(rows, "a machine"), page.page(rows, "a <machine>")
    assert (
        "| job <1> | quick (half, scaled) | 2.00 ± 75 % | 3.00 | 1.50x | 4.00x | 104 / 103 | >= 10x faster | no |"
        in table
    )
    assert shown.count("<tr>") == 4
    assert "job &lt;1&gt;" in shown
    assert "<machine>" not in shown


@pytest.mark.parametrize(
    ("value", "text"), [(12345.6, "12,346"), (12.34, "12.3"), (1.234, "1.23"), (0.00123, "0.0012")]
)
def test_numbers_have_few_digits(value, text):
    assert page.number(value) == text


def test_a_disagreement_stops_the_bench(tmp_path):
    options = runner.Options(tmp_path, Path(sys.executable), 1)
    contest = Contest(
        "job", None, {}, {}, CONTENDERS[:3], agree=lambda ours, theirs: abs(ours["x"] - theirs["x"]).max()
    )
    for contender, value in zip(CONTENDERS[::2], (1.0, 2.0), strict=True):
        runner.np.savez(runner.out_of("job", 0, contender, options).with_suffix(".npz"), x=[value])
    runner.check(contest, "job", 0, options)  # at most as much as is allowed
    runner.np.savez(runner.out_of("job", 0, CONTENDERS[2], options).with_suffix(".npz"), x=[2.5])
    with pytest.raises(runner.DisagreementError, match=r"job: slow disagrees, 1\.5 times what is allowed"):
        runner.check(contest, "job", 0, options)
    runner.out_of("job", 0, CONTENDERS[2], options).with_suffix(".npz").unlink()
    with pytest.raises(runner.DisagreementError, match="job: slow has no results to compare"):
        runner.check(contest, "job", 0, options)


def test_worker_repeats_what_is_short(monkeypatch):
    clock = iter(range(100))
    monkeypatch.setattr(worker.time, "perf_counter", lambda: next(clock) * 0.01)
    calls = []
    assert worker.timed(lambda: calls.append(1)) == pytest.approx(0.01)
    assert len(calls) == worker.MOST
    assert 10 < worker.peak_mb() < 100_000


def test_crossover_is_between_the_sizes_where_it_changes():
    rows = [{"ratio": ratio, "job": None} for ratio in (0.2, 0.5, 0.9, 3, 9)]
    (found,) = drawn.summary(rows)
    assert found["met"]
    assert found["note"] == "from between 16,000 and 64,000 items on"
    (never,) = drawn.summary([{"ratio": 0.5}] * 5)
    assert not never["met"]
    assert never["note"] == "nowhere"


def test_stages_are_summed_over_their_jobs(tmp_path):
    for path, seconds, memory in (("a/x.tsv", 1, "50"), ("a/y.tsv", 2, "NA"), ("b.tsv", 4, "70")):
        file = tmp_path / "benchmarks" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"s\tmax_rss\n{seconds}\t{memory}\n")
    assert study.per_stage(tmp_path) == {"a": (2, 3.0, 50.0), "b": (1, 4.0, 70.0)}


def test_lock_has_hashes_names_no_host_and_covers_what_is_asked_for():
    lock = install.LOCK.read_text(encoding="utf-8")
    assert "://" not in lock
    assert "--index" not in lock
    assert lock.count("--hash=sha256:") > lock.count("==") > 20
    asked = install.WANTED.read_text(encoding="utf-8").split()
    assert [name for name in asked if f"\n{name}==" not in f"\n{lock}"] == []
    main = (install.ROOT / "envs" / "requirements.txt").read_text(encoding="utf-8")
    assert "ranx==" not in main


def test_the_optional_package_can_be_cut_out_of_the_lock():
    required, optional = install.parted(
        "a==1 \\\n    --hash=x\nrecometrics==2 \\\n    --hash=y\nz==3 \\\n    --hash=z\n"
    )
    assert required == "a==1 \\\n    --hash=x\nz==3 \\\n    --hash=z\n"
    assert optional == "recometrics==2 \\\n    --hash=y\n"


def test_a_failed_installation_is_one_sentence(monkeypatch):
    gone = install.subprocess.CompletedProcess([], 1, "", "error: x\n  Caused by: no route\n")
    monkeypatch.setattr(install.subprocess, "run", lambda *_, **__: gone)
    with pytest.raises(UserError, match=r"could not be installed \(Caused by: no route\); check the network"):
        install.uv("pip", "sync")


def test_quick_run_prints_a_table_and_writes_it(tmp_path, capsys):
    """One job in processes of its own, with the peers that our own environment happens to have."""
    command.main(["--quick", "--jobs", "mes", "--cores", "1", "--folder", str(tmp_path), "--peers", sys.executable])
    (row,) = json.loads((tmp_path / "bench.json").read_text(encoding="utf-8"))
    assert row["peer"] == "cvxpy with Clarabel"
    assert row["ours_seconds"] > 0
    assert row["peer_peak_mb"] > 10
    assert "| cvxpy with Clarabel |" in capsys.readouterr().out
    assert page.SMALL in (tmp_path / "bench.md").read_text(encoding="utf-8")
    assert (tmp_path / "bench.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    with pytest.raises(UserError, match="of a quick run"):
        command.copy_to_docs(tmp_path)


def test_the_table_of_a_run_goes_into_the_page(tmp_path, monkeypatch):
    target = tmp_path / "docs.md"
    target.write_text(f"above\n{command.MARK}old\n{command.MARK}below\n", encoding="utf-8")
    (tmp_path / "bench.md").write_text("new\n", encoding="utf-8")
    monkeypatch.setattr(command, "PAGE", target)
    command.copy_to_docs(tmp_path)
    assert target.read_text(encoding="utf-8") == f"above\n{command.MARK}new\n{command.MARK}below\n"
    assert (install.ROOT / "docs" / "bench.md").read_text(encoding="utf-8").count(command.MARK) == 2


@pytest.mark.parametrize("module", start.AIMED)
def test_importing_what_people_start_takes_no_time(module):
    """Counted in modules, since seconds depend on the machine: nothing heavy comes along."""
    code = f"import sys, {module}; print({{'numba', 'scipy', 'pandas', 'pyarrow', 'jax'}} & set(sys.modules))"
    done = runner.subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize(
    ("seconds", "size", "aim", "met"), [(899, "full", "<= 900 s", True), (901, "full", "<= 900 s", False)]
)
def test_the_whole_bench_has_a_row_and_an_aim(seconds, size, aim, met):
    row = command.whole_bench(seconds, size)
    assert (row["job"], row["ours_seconds"], row["aim"], row["met"]) == ("whole bench", seconds, aim, met)
    assert set(FIELDS) <= row.keys()


def test_all_jobs_together_are_told_and_some_are_not(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "rows_of", lambda job, options: [])
    for job in OTHERS:
        monkeypatch.setattr(import_module(f"bench.jobs.{job}"), "measure", lambda options: [])
    words = ["--quick", "--folder", str(tmp_path), "--peers", sys.executable]
    told = {}
    for jobs in ([], ["--jobs", "mes", "start"]):
        command.main([*words, *jobs])
        told[len(jobs)] = json.loads((tmp_path / "bench.json").read_text(encoding="utf-8"))
    assert [(row["job"], row["aim"]) for row in told[0]] == [("whole bench", None)]
    assert told[3] == []


def test_bounds_and_corrections_of_millions_have_rows(tmp_path):
    rows = millions.measure(runner.Options(tmp_path, Path(sys.executable), 1, "small"))
    assert [row["job"] for row in rows] == ["bounds, 12,000 items", "correct with monotone_mle, 12,000 items"]
    for row in rows:
        assert set(FIELDS) <= row.keys()
        assert row["ours_seconds"] > 0
        assert 10 < row["peak_mb"] < 10_000


def test_informed_evaluation_is_measured_on_small_data_and_skipped_without_its_own(tmp_path, monkeypatch):
    told = []
    small = runner.Options(tmp_path, Path(sys.executable), 1, "small", say=told.append)
    rows = {row["job"]: row for row in informed.measure(small)}
    assert len(rows) == 1 + len(informed.PLACES) + len(informed.BUDGETS)
    assert rows["informed, exact, popularity, K = 5"]["met"], "the ranks are those of a full ranking"
    assert "% of the scores" in rows["informed, exact, popularity, K = 5"]["note"]
    assert "followed in" in rows["informed, reversed, K = 10, 100 scores"]["note"]
    monkeypatch.setattr(informed, "DATA", tmp_path / "nowhere")
    monkeypatch.setattr(informed, "speed", lambda options: [])
    assert informed.measure(runner.Options(tmp_path, Path(sys.executable), 1, say=told.append)) == []
    assert "TRUERANK_SHARED_DATA" in told[-1]


def test_errors_and_orders_are_counted_over_models_repeats_and_places():
    exact = np.array([[0.1, 0.2], [0.2, 0.4]])
    found = np.array([[[0.11, 0.2], [0.1, 0.5]], [[0.2, 0.4], [0.2, 0.4]]])
    assert informed.judged(found, exact) == pytest.approx((100 * (0.1 + 0 + 0 + 1.5) / 8, 75))
