"""The command of Snakemake that runs a study, with the workflow of this package."""

import importlib.util
import os
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from truerank.errors import UserError
from truerank.provenance import PathLike
from truerank.workflow_files import PROFILES, SNAKEFILE, overlays, ready_profiles, ready_studies, study_below

NEEDED = (
    *("snakemake", "snakemake_interface_logger_plugins", "psutil", "papermill", "nbconvert", "ipykernel", "jinja2"),
    *("matplotlib", "seaborn"),
)
SETS_CORES = ("-c", "--cores", "-j", "--jobs", "-e", "--executor")
BEFORE = {
    "--configfile": "config files",
    "--configfiles": "config files",
    "-d": "the folder",
    "--directory": "the folder",
}


def snakemake_command(
    studies: Sequence[str], directory: PathLike = ".", cores: str | None = None, options: Sequence[str] = ()
) -> list[str]:
    """Return the program and its arguments.

    studies : paths of config files, later ones winning key by key, or names of ready studies and of overlays. cores : a
    number or ``all``; None for all, unless the options send jobs elsewhere. options : Snakemake's own, and targets.
    """
    for word in options:
        if word.partition("=")[0] in BEFORE:
            raise UserError(f"{word} is after --; write: truerank run my.yaml --directory FOLDER -- OTHER OPTIONS")
    if cores is None and not sets_cores(options):
        cores = "all"
    files = [str(study_path(study)) for study in studies]
    if files and files[0] in map(str, overlays().values()):
        raise UserError(
            f"{studies[0]} changes a study, which comes before it; write: truerank run "
            f"{study_below(Path(files[0]).stem)} {studies[0]}"
        )
    return [
        *(sys.executable, "-m", "snakemake"),
        *(["--configfile", *files] if files else []),
        *("--snakefile", str(SNAKEFILE), "--directory", os.path.abspath(directory)),
        *("--workflow-profile", str(PROFILES / "default")),
        *(["--cores", cores] if cores else []),
        *with_ready_profiles(options),
    ]


def sets_cores(options: Sequence[str]) -> bool:
    """Tell whether options say how many jobs run at a time, or name a profile that may."""
    words = [part for word in options for part in (word.split("=", 1) if word.startswith("--") else [word])]
    profiles = [value for option, value in pairwise(words) if option == "--profile"]
    briefly = any(word[:2] in SETS_CORES and not word.startswith("--") for word in words)  # such as -c4
    return briefly or any(word in SETS_CORES for word in words) or not all(map(leaves_cores, profiles))


def leaves_cores(profile: str) -> bool:
    """Tell whether a profile that comes with the workflow says nothing of where jobs run, and how many."""
    import yaml

    folder = None if os.path.exists(profile) else ready_profiles().get(profile)
    if folder is None:
        return False
    return not {"cores", "jobs", "executor"} & yaml.safe_load((folder / "config.yaml").read_text("utf-8")).keys()


def study_path(study: str) -> Path:
    """Return the config file that a path or the name of a ready study or an overlay means; a file of that name comes
    first."""
    ready = ready_studies() | overlays()
    is_file = os.path.exists(study) and not os.path.isdir(study)  # or a pipe
    if is_file or os.sep in study or Path(study).suffix in (".yaml", ".yml", ".json"):
        return Path(study)  # one that is not there is told when config files are vetted
    if study not in ready:
        raise UserError(f"{study!r} is neither a file nor a ready study ({', '.join(ready)}); correct it")
    return ready[study]


def with_ready_profiles(options: Sequence[str]) -> list[str]:
    """Return Snakemake's options with the paths of profiles that come with the workflow for their names."""
    ready, found, taking = ready_profiles(), list(options), False
    for place, word in enumerate(options):
        option, _, value = word.partition("=")
        if option == "--profile" and value in ready:
            found[place] = f"--profile={ready[value]}"
        elif taking and word in ready and not os.path.exists(word):
            found[place] = str(ready[word])
        taking = word == "--profile" or (taking and not word.startswith("-"))
    return found


def check_installed() -> None:
    """Raise UserError if a package is missing that every study needs."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise UserError(
            f"a study needs packages that are not installed here, such as {missing[0]}; "
            "install them: pip install 'truerank[workflow,report]'"
        )
