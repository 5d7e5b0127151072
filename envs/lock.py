"""Resolve pyproject.toml into envs/requirements.txt, with hashes, and write the same pins for conda users."""

import re
import subprocess
import sys
from pathlib import Path

from packaging.requirements import Requirement

ENVS = Path(__file__).parent
LOCK, CONDA = ENVS / "requirements.txt", ENVS / "truerank.yaml"
PYTHON = "3.11"
CLUSTER = {
    "python_version": PYTHON,
    "python_full_version": f"{PYTHON}.9",
    "sys_platform": "linux",
    "platform_system": "Linux",
    "platform_machine": "x86_64",
    "os_name": "posix",
    "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
}


OPTIONS = "--quiet --upgrade --universal --generate-hashes --no-emit-index-url --no-annotate --no-header --all-extras"


def main():
    compiler = [sys.executable, "-m", "uv", "pip", "compile", *OPTIONS.split(), "--python-version", PYTHON]
    subprocess.run([*compiler, ENVS.parent / "pyproject.toml", "--output-file", LOCK], check=True)
    CONDA.write_text(conda_file(), encoding="utf-8")


def pins():
    """Return name -> version of what the lock installs on a Linux cluster."""
    lines = re.findall(r"^([^\s#-][^\\\n]*)", LOCK.read_text(encoding="utf-8"), re.M)
    wanted = (Requirement(line.strip()) for line in lines)
    return {
        pin.name: str(pin.specifier).removeprefix("==")
        for pin in wanted
        if pin.marker is None or pin.marker.evaluate(CLUSTER)
    }


def conda_file():
    head = f"""\
# The pins of requirements.txt for conda users: conda env create --file envs/truerank.yaml
# Written by `make lock`; a test keeps it equal to the lock.
name: truerank
channels: [conda-forge]
dependencies:
  - python={PYTHON}
  - pip
  - pip:
"""
    return head + "".join(f"      - {name}=={version}\n" for name, version in sorted(pins().items()))


if __name__ == "__main__":
    main()
