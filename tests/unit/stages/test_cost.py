"""What a job cost: the peak that it noted itself, and what Snakemake saw of it."""

import os
import subprocess
import sys

import numpy as np
import pytest
from truerank.artefacts.cost import PEAK, cost_of, finished_jobs, peak_line, peak_memory

HELD = """
import sys
from truerank.artefacts.cost import peak_memory
{work}
print(peak_memory())
"""


def peak_after(work):
    """Return the peak that a fresh process tells after some work."""
    done = subprocess.run([sys.executable, "-c", HELD.format(work=work)], capture_output=True, text=True, check=True)
    return float(done.stdout)


@pytest.mark.slow
def test_a_short_peak_is_told_and_so_is_that_of_a_child():
    little, much = peak_after(""), peak_after("b'x' * 300_000_000")
    assert little < 100
    assert 286 < much < 400
    assert 286 < peak_after("import subprocess; subprocess.run([sys.executable, '-c', 'b\"x\" * 300_000_000'])") < 400


@pytest.mark.slow
def test_a_large_parent_is_not_told_as_a_childs_memory():
    ballast = np.ones(40_000_000)
    assert peak_memory() > 300
    assert peak_after("") < 100
    assert ballast.all()


def test_the_line_of_the_log_is_found_again():
    assert int(PEAK.match(peak_line())[1]) == pytest.approx(peak_memory(), abs=50)


def test_the_line_of_the_log_ends_with_the_processor_time():
    line = peak_line()
    assert float(line.rpartition("processor time ")[2].removesuffix(" s")) == pytest.approx(sum(os.times()[:4]), abs=1)


@pytest.mark.parametrize(
    ("seen", "log", "megabytes"),
    [
        ("50.5", "2026-01-01 00:00:00,000 peak memory 70 MB\n", 70),
        ("90.5", "2026-01-01 00:00:00,000 peak memory 70 MB\n", 90.5),
        ("50.5", "talk\n", 50.5),
        ("NA", "2026-01-01 00:00:00,000 peak memory 70 MB\n", 70),
        ("NA", None, 0),
    ],
)
def test_the_greater_of_the_log_and_of_the_benchmark_counts(tmp_path, seen, log, megabytes):
    for folder, suffix, text in (("benchmarks", "tsv", f"s\tmax_rss\n1.5\t{seen}\n"), ("logs", "log", log)):
        if text is not None:
            path = tmp_path / folder / f"train_model/a.b.{suffix}"
            path.parent.mkdir(parents=True)
            path.write_text(text)
    assert finished_jobs(tmp_path) == ["train_model/a.b"]
    assert cost_of(tmp_path, "train_model/a.b") == (1.5, megabytes)
