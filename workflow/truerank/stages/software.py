"""State which code and which packages made a report."""

import platform
import subprocess
from importlib import metadata
from pathlib import Path
from typing import Any

from truerank import __version__
from truerank.provenance import PathLike

PACKAGES = ("snakemake", "numpy", "scipy", "pandas", "pyarrow", "numba", "papermill", "seaborn")


def software(file: PathLike) -> dict[str, Any]:
    """Return the commit of the repository that holds ``file``, and the versions of Python and the main packages."""
    versions = {"truerank": __version__, "python": platform.python_version()}
    return {
        "commit": commit(Path(file).parent),
        "versions": versions | {name: metadata.version(name) for name in PACKAGES},
    }


def commit(folder: Path) -> str | None:
    """Return the commit, marked where files differ from it; None outside a repository."""
    try:
        answer = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=12"],
            cwd=folder,
            capture_output=True,
            text=True,
        )
    except OSError:
        return None
    return answer.stdout.strip() or None
