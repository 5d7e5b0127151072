"""The form of a rule: what it reads and writes by name, with receipts, log, benchmark, settings and fingerprint.

A rule says what it writes, ``**writes("rank_items", ranks="results/..")``, and what it reads, ``**reads("train",
"ranks")``, by the names under which other rules write it. All else follows from that and from the study.
"""

import re
import string
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

from truerank.config.code import code_of
from truerank.config.study import Study

SEVERAL = ("replicates", "both_splits")  # limits within which a job reads other splits than its own


class Artefact(NamedTuple):
    """A file that a rule writes, the receipt of the rule, and what limits its jobs."""

    pattern: str
    receipt: str
    within: str | None


class Rules:
    """What the rules of a workflow have said so far. keep : marks an output that stays until the new one is whole."""

    def __init__(self, study: Study, keep: Callable[[str], str]) -> None:
        self.study = study
        self.keep = keep
        self.artefacts: dict[str, Artefact] = {}
        self.jobs: dict[str, str] = {}

    def writes(self, rule: str, within: str | None = None, **patterns: str) -> dict[str, str]:
        """Return the outputs of a rule, by name, and its receipt, which has the wildcards of the first in its path.

        within : see ``Study.jobs``.
        """
        first = str(next(iter(patterns.values())))
        self.jobs[rule] = "/".join([rule, *(f"{{{name}}}" for name in wildcards_in(first))])
        receipt = f"results/receipts/{self.jobs[rule]}.json"
        for name, pattern in patterns.items():
            if name in self.artefacts:
                raise ValueError(f"two rules write {name!r}")
            self.artefacts[name] = Artefact(str(pattern), receipt, within)
        return {name: self.keep(pattern) for name, pattern in patterns.items()} | {"receipt": receipt}

    def reads(self, *names: str, **limited: str | Callable) -> dict[str, Callable]:
        """Return the inputs of a rule, artefacts by name, with their receipts.

        An artefact is one path if the rule has all its wildcards, else a list of all that the study selects. It is
        nothing where no job of the study writes it. limited : name -> what limits the artefact, in place of what limits
        the rule that writes it, or a function from a job's wildcards to those of the artefact, None for none.
        """
        wanted = dict.fromkeys(names) | limited

        def paths(name: str, wildcards: Any) -> str | list[str]:
            pattern = self.artefacts[name].pattern
            found = [pattern.format(**job) for job in self.jobs_of(name, wildcards, wanted[name])]
            is_one = set(wildcards_in(pattern)) <= set(wildcards.keys()) and wanted[name] not in SEVERAL
            return found[0] if found and is_one else list(dict.fromkeys(found))

        def receipts(wildcards: Any) -> list[str]:
            jobs = ((name, job) for name in wanted for job in self.jobs_of(name, wildcards, wanted[name]))
            return list(dict.fromkeys(self.artefacts[name].receipt.format(**job) for name, job in jobs))

        return {name: partial(paths, name) for name in wanted} | {"receipts": receipts}

    def jobs_of(self, name: str, wildcards: Any, within: str | Callable | None) -> list[dict[str, str]]:
        """Return the wildcards of the jobs whose artefact of that name a job reads."""
        artefact, fixed = self.artefacts[name], dict(wildcards.items())
        own = wildcards_in(artefact.pattern)
        if callable(within):
            fixed, within = within(wildcards) or {}, None
            if not fixed:
                return []
        if within is None:
            fixed = {wildcard: fixed[wildcard] for wildcard in own if wildcard in fixed}
        return self.study.jobs(own, within or artefact.within, **fixed)

    def settings(
        self, stage: str, *names: str, others: Iterable[str] = (), untracked: Iterable[str] = (), **renamed: str
    ) -> dict[str, Any]:
        """Return the parameters of a rule: settings of the study by name, the stage, and the fingerprint of its code.

        renamed : name -> what it is called in the study. others : modules that the stage runs besides. untracked :
        settings that a job may know, and whose change does not run it again.
        """
        wanted = dict(zip(names, names, strict=True)) | renamed

        def code(wildcards: Any) -> str:
            return code_of(stage, {name: self.study.setting(of, wildcards) for name, of in wanted.items()}, others)

        tracked = {name: partial(self.study.setting, of) for name, of in wanted.items()}
        known = {name: self.without_trace(name) for name in untracked}
        return tracked | known | {"stage": stage, "code": code}

    def without_trace(self, name: str) -> Callable:
        """Return a setting that Snakemake does not record: it records none that may follow from the inputs."""
        return lambda wildcards, input: self.study.setting(name, wildcards)

    def targets(self) -> list[str]:
        """Return all that the study makes but shards, with the receipt of every job: one that failed has none."""
        found = [
            path.format(**job)
            for artefact in self.artefacts.values()
            if "shard" not in wildcards_in(artefact.pattern)
            for job in self.study.jobs(wildcards_in(artefact.pattern), artefact.within)
            for path in (artefact.pattern, artefact.receipt)
        ]
        return list(dict.fromkeys(found))

    def log_of(self, rule: str) -> str:
        return f"results/logs/{self.jobs[rule]}.log"

    def benchmark_of(self, rule: str) -> str:
        return f"results/benchmarks/{self.jobs[rule]}.tsv"


def tables(folder: str, *names: str) -> dict[str, str]:
    """Return the patterns of tables that there are for every split."""
    return {name: f"results/{folder}/{{dataset}}/{{split}}/{name}.parquet" for name in names}


def limits(mem_mb: int | Callable, minutes: int) -> dict[str, int | Callable]:
    """Return the resources of a rule. mem_mb : megabytes, or a function from wildcards and attempt to them."""
    return {"mem_mb": mem_mb, "runtime": minutes}


def one_of(names: Iterable[str]) -> str:
    """Return the regular expression of some names, which nothing matches if there are none."""
    return "|".join(map(re.escape, names)) or "none"


def wildcards_in(pattern: str) -> list[str]:
    return [name for _, name, _, _ in string.Formatter().parse(pattern) if name]
