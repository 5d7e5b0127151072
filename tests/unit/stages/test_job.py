"""The shell around a stage: receipts, the log, and how each kind of failure ends."""

import errno
import json
import logging
import re
import resource
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from threadpoolctl import threadpool_info
from truerank.artefacts.files import write_arrays
from truerank.errors import UserError
from truerank.provenance import sha256
from truerank.stages import job


class Paths(list):
    """Paths with names, as Snakemake gives them."""

    def __init__(self, **named):
        super().__init__(named.values())
        self.__dict__.update(named)


class Named(SimpleNamespace):
    """Parameters, as Snakemake gives them."""

    def items(self):
        return vars(self).items()


class Job:
    """A job with one input, its receipt, one output and its receipt."""

    def __init__(self, folder):
        (folder / "receipts").mkdir()
        self.data, self.out = folder / "data.txt", folder / "out.txt"
        self.data_receipt, self.receipt = folder / "receipts" / "data.json", folder / "receipts" / "out.json"
        self.log = folder / "job.log"
        self.data.write_text("data")
        self.data_receipt.write_text(json.dumps({str(self.data): sha256(self.data)}))
        self.snakemake = SimpleNamespace(
            rule="some_rule",
            log=[str(self.log)],
            params=Named(stage="some_stage"),
            wildcards=("toy",),
            threads=1,
            input=Paths(data=str(self.data), receipt=str(self.data_receipt)),
            output=Paths(out=str(self.out), receipt=str(self.receipt)),
        )

    def run(self, stage=lambda: None):
        """Run a stage as the workflow does, in a module that it is found in by its name."""
        module = ModuleType("truerank.stages.some_stage")
        module.some_stage = lambda inputs, settings, outputs: stage()
        sys.modules[module.__name__] = module
        job.run(self.snakemake)

    def fails(self, stage=lambda: None):
        """Run a stage that a user's mistake ends; return the sentence in the log."""
        with pytest.raises(SystemExit) as caught:
            self.run(stage)
        assert caught.value.code == 1
        return self.sentence()

    def sentence(self):
        last = self.log.read_text().splitlines()[-1]
        assert last.startswith("error: ")
        assert "Traceback" not in self.log.read_text()
        return last.removeprefix("error: ")


@pytest.fixture
def a_job(tmp_path):
    """A job; the logging that it sets up is undone."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield Job(tmp_path)
    root.handlers[:], root.level = handlers, level


def raises(failure):
    def stage():
        raise failure

    return stage


# Success


def test_a_job_that_succeeds_writes_the_checksums_of_its_outputs(a_job):
    a_job.run(lambda: a_job.out.write_text("out"))
    assert json.loads(a_job.receipt.read_text()) == {str(a_job.out): sha256(a_job.out)}


def test_the_next_job_accepts_what_the_receipt_speaks_of(a_job):
    a_job.run(lambda: a_job.out.write_text("out"))
    a_job.snakemake.input = Paths(out=str(a_job.out), receipt=str(a_job.receipt))
    a_job.run(lambda: a_job.out.write_text("other"))
    assert a_job.receipt.exists()


def test_a_receipt_holds_wherever_a_job_finds_the_results(a_job, tmp_path):
    """As with storage that is no shared file system: each job has a copy in a folder of its own."""
    a_job.out = tmp_path / "one" / "results" / "out.txt"
    a_job.out.parent.mkdir(parents=True)
    a_job.snakemake.output = Paths(out=str(a_job.out), receipt=str(a_job.receipt))
    a_job.run(lambda: a_job.out.write_text("out"))
    assert list(json.loads(a_job.receipt.read_text())) == ["results/out.txt"]
    elsewhere = tmp_path / "two" / "results" / "out.txt"
    elsewhere.parent.mkdir(parents=True)
    elsewhere.write_text("changed")
    a_job.snakemake.input = Paths(out=str(elsewhere), receipt=str(a_job.receipt))
    assert "was changed after it was made" in a_job.fails()


def test_the_log_has_what_is_printed_and_logged(a_job, capfd):
    def stage():
        print("printed")
        logging.getLogger("truerank.models.ials").info("iteration %d", 3)
        a_job.out.write_text("")

    a_job.run(stage)
    text = a_job.log.read_text()
    assert re.search(r"^printed$", text, re.MULTILINE)
    assert re.search(r"^\d{4}-\d\d-\d\d .* iteration 3$", text, re.MULTILINE)
    assert "".join(capfd.readouterr()) == ""


def test_the_last_line_of_a_log_tells_the_peak_as_a_remark(a_job):
    a_job.run()
    last = a_job.log.read_text().splitlines()[-1]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d+ peak memory \d+ MB, processor time \d+\.\d s", last)


def test_a_new_run_begins_a_new_log(a_job):
    a_job.log.write_text("error: of last time\n")
    a_job.run(lambda: a_job.out.write_text(""))
    assert "last time" not in a_job.log.read_text()


def test_matrix_products_are_on_one_thread(a_job):
    seen = []

    def stage():
        a_job.out.write_text("")
        seen.extend(pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas")

    a_job.run(stage)
    assert seen
    assert set(seen) == {1}


# Receipts of inputs


@pytest.mark.parametrize("content", ["dat", "Data", "data ", ""])
def test_an_altered_input_is_noticed_before_the_stage_runs(a_job, content):
    a_job.data.write_text(content)
    sentence = a_job.fails(lambda: a_job.out.write_text("must not run"))
    assert sentence.startswith(f"{a_job.data} was changed after it was made")
    assert sentence.endswith("delete it and run the same command again")
    assert not a_job.out.exists()
    assert not a_job.receipt.exists()


def test_a_damaged_receipt_is_noticed(a_job):
    a_job.data_receipt.write_text('{"half')
    assert f"{a_job.data_receipt} is damaged" in a_job.fails()


def test_inputs_without_a_receipt_are_taken_as_they_are(a_job):
    """A user's own file, a notebook."""
    a_job.snakemake.input = Paths(data=str(a_job.data))
    a_job.run(lambda: a_job.out.write_text(""))
    assert a_job.receipt.exists()


# Failures


FAILURES = [
    UserError("x is 3, expected 4; correct it"),
    MemoryError(),
    OSError(errno.ENOSPC, "No space left on device"),
    FileNotFoundError(errno.ENOENT, "No such file"),
    ValueError("a defect"),
    KeyboardInterrupt(),
]


@pytest.mark.parametrize("failure", FAILURES, ids=repr)
def test_a_job_that_fails_leaves_no_receipt_and_earlier_outputs_as_they_were(a_job, failure):
    a_job.out.write_text("earlier")
    with pytest.raises((SystemExit, type(failure))):
        a_job.run(raises(failure))
    assert not a_job.receipt.exists()
    assert a_job.out.read_text() == "earlier"


def test_a_users_mistake_is_its_sentence_and_exit_code_1(a_job):
    assert a_job.fails(raises(UserError("x is 3, expected 4; correct it"))) == "x is 3, expected 4; correct it"


def test_running_out_of_memory_is_a_sentence(a_job):
    assert a_job.fails(raises(MemoryError())).startswith("rule some_rule ran out of memory")
    assert a_job.fails(lambda: np.empty((1 << 24, 1 << 24))).startswith("rule some_rule ran out of memory")


@pytest.mark.parametrize(
    ("number", "words"), [(errno.ENOSPC, "no space left on device"), (errno.EDQUOT, "disk quota exceeded")]
)
def test_a_full_disk_is_a_sentence_with_the_file(a_job, number, words):
    import os

    sentence = a_job.fails(raises(OSError(number, os.strerror(number), "results/a.parquet")))
    assert sentence.startswith(
        f"results/a.parquet cannot be read or written: {words}; free some space or correct the permissions"
    )
    assert a_job.fails(raises(OSError(number, os.strerror(number)))).startswith(
        "the results folder cannot be read or written"
    )


def test_a_disk_that_is_really_full_is_a_sentence(a_job, tmp_path):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, limits[1]))
    try:
        sentence = a_job.fails(lambda: write_arrays(tmp_path / "a.npz", {"x": np.ones(300_000)}))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "cannot be read or written: file too large" in sentence
    assert not (tmp_path / "a.npz").exists()


@pytest.mark.parametrize(
    "failure", [ValueError("a defect"), FileNotFoundError(errno.ENOENT, "No such file", "gone.npz")], ids=repr
)
def test_a_defect_keeps_its_traceback_in_the_log_and_goes_on(a_job, failure):
    with pytest.raises(type(failure)) as caught:
        a_job.run(raises(failure))
    assert caught.value is failure
    text = a_job.log.read_text()
    assert "Traceback (most recent call last)" in text
    assert str(failure) in text.splitlines()[-1]
    assert "error: " not in text.lower().replace(f"{type(failure).__name__.lower()}: ", "")


def test_an_output_that_the_stage_forgot_is_not_in_the_receipt(a_job):
    """Snakemake itself then says that the output is missing."""
    a_job.run()
    assert json.loads(a_job.receipt.read_text()) == {}


@pytest.mark.parametrize("stage", [lambda: print("a line"), lambda: np.zeros(-1)], ids=["prints", "fails"])
def test_a_log_that_cannot_be_written_is_a_sentence_too(a_job, stage):
    """/dev/full takes nothing: neither what a stage prints, nor what is said about its failure."""
    a_job.snakemake.log = ["/dev/full"]
    with pytest.raises(SystemExit, match=r"^truerank: /dev/full cannot be .*: no space left on device; free some"):
        a_job.run(stage)
