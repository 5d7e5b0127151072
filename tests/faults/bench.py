"""A bench for faults: a small study up to the verdict, its right bytes, and the judgement of a disturbed run."""

import os
import random
import re
import shutil
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

from tests.workflow.conftest import Study

QUIET = ("Using workflow", "[", "  log:", "Nothing to do")
SENTENCE = re.compile(r"(truerank: |\w+( \S.*)? failed: )(?P<sentence>.+)")
RIGHT, SAID, WRONG = "right bytes", "clear sentence", "wrong"


class SmallStudy(Study):
    """Two models of the small study, up to the verdict; pages are left out, since they hold dates."""

    def __init__(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        super().__init__(folder)
        self.config["select"]["ranking"]["models"] = ["popularity", "ials"]
        self.config["robustness"] = {"sparsity": [1, 0.5], "popularity": [1], "samples": 1}

    def command(self, *arguments, cores=2):
        dataset = self.config["select"]["datasets"][0]
        return super().command(f"results/verdict/{dataset}.json", *arguments, cores=cores)


@dataclass
class Bench:
    """What faults need. finished : a study that ran undisturbed. told : fault -> counts."""

    folder: object
    seed: int = 0
    told: dict = field(default_factory=dict)
    notes: list = field(default_factory=list)

    def __post_init__(self):
        self.draw = random.Random(self.seed)
        self.finished = SmallStudy(self.folder / "finished")
        self.finished.done()  # compiles, too
        self.right = self.finished.contents()

    @cached_property
    def seconds(self):
        """How long an undisturbed run takes, once all is compiled."""
        start = time.monotonic()
        again = self.reference("again", lambda study: None)
        assert again == self.right, "two undisturbed runs differ"
        return time.monotonic() - start

    def fresh(self, name):
        """Return a study that has not run yet, with the input files of the finished one and their times."""
        study = SmallStudy(self.folder / name)
        shutil.copy2(self.finished.folder / "ratings.csv", study.folder / "ratings.csv")
        return study

    def copy(self, name):
        """Return a copy of the finished study, with its time stamps, to be damaged."""
        shutil.copytree(self.finished.folder, self.folder / name, symlinks=True)
        return self.fresh(name)

    def reference(self, name, change):
        """Return the right bytes of the study after ``change(study)``, by an undisturbed run."""
        study = self.fresh(name)
        change(study)
        study.done()
        return study.contents()

    def judge(self, study, run, right=None, damaged=()):
        """Return what a run came to, and why if it is wrong. damaged : artefacts that the fault itself changed."""
        right = self.right if right is None else right
        found = study.contents()
        strange = sorted(path for path in found if found[path] != right.get(path) and path not in damaged)
        if strange:
            return WRONG, f"other bytes in {strange[0]}"
        if run.returncode == 0:
            missing = sorted(right.keys() - found.keys())
            return (WRONG, f"{missing[0]} is missing") if missing else (RIGHT, "")
        return (SAID, "") if sentences(run.stderr) else (WRONG, f"no clear sentence: {run.stderr[-600:]!r}")

    def mended(self, study, outcome, right=None):
        """Run the same command without the fault; only the right bytes will do, and the first outcome then stands."""
        if outcome[0] == WRONG:
            return outcome
        later = self.judge(study, study.run(), right)
        return outcome if later[0] == RIGHT else (WRONG, f"not mended by the same command: {later}")

    def record(self, fault, outcome):
        kind, why = outcome
        self.told.setdefault(fault, Counter())[kind] += 1
        print(f"{fault}: {kind} {why}".strip(), file=sys.stderr, flush=True)
        if why:
            self.notes.append(f"{fault}: {why}")

    def skip(self, fault, reason):
        self.told.setdefault(fault, Counter())
        self.notes.append(f"{fault}: skipped, {reason}")


def sentences(text):
    """Return the sentences that a failed run printed; none if it printed anything else but progress."""
    lines = [line for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith(QUIET) and " jobs in " not in line]
    matches = [SENTENCE.fullmatch(line) for line in lines]
    return [match["sentence"] for match in matches] if all(matches) else []


def can_mount():
    return os.geteuid() == 0 and shutil.which("mount") is not None
