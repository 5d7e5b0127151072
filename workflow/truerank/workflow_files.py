"""Where the workflow's own files are: beside the package in a clone, inside it in a wheel."""

from pathlib import Path

PACKAGE = Path(__file__).parent
INSIDE = PACKAGE / "_workflow"  # setup.py puts them there
IS_CLONE = not INSIDE.is_dir()
ROOT = PACKAGE.parents[1] if IS_CLONE else INSIDE

SNAKEFILE = ROOT / "Snakefile"
DEFAULT_STUDY = ROOT / "config.yaml"
NOTEBOOKS = ROOT / "notebooks"
PROFILES = ROOT / "profiles"
STUDIES = ROOT / "workflow" / "studies"
PUBLISHED = STUDIES / "published"
OVERLAYS = STUDIES / "overlays"
CAPTIONS = ROOT / "workflow" / "report"


def ready_studies() -> dict[str, Path]:
    """Return the studies that need no file of the user's, by name."""
    return {path.stem: path for path in sorted(STUDIES.glob("*.yaml"))}


def overlays() -> dict[str, Path]:
    """Return the files that change a ready study for one dataset, by name: the study's, a dash, and the dataset's."""
    return {path.stem: path for path in sorted(OVERLAYS.glob("*.yaml"))}


def study_below(overlay: str) -> str:
    """Return the name of the ready study that an overlay changes."""
    return overlay.partition("-")[0]


def ready_profiles() -> dict[str, Path]:
    """Return Snakemake's profiles that come with the workflow, by name."""
    return {path.parent.name: path.parent for path in sorted(PROFILES.glob("*/config.yaml"))}
