"""Show that the locked versions resolve for every Python and system served, and which of them have no wheel there."""

import re
import subprocess
import sys
from itertools import product
from pathlib import Path

ENVS = Path(__file__).parent
LOCK = ENVS / "requirements.txt"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS = ("linux", "macos")


def main():
    failed = False
    for python, system in product(PYTHONS, SYSTEMS):
        packages, built, flaw = resolved(python, system)
        source = f", built from source: {', '.join(built) or 'none'}"
        print(f"Python {python} on {system}: {flaw or f'{packages} packages{source}'}", flush=True)
        failed = failed or bool(flaw)
    return int(failed)


def resolved(python, system):
    """Resolve pyproject.toml with all extras to the pins of the lock; return how many packages, those without a wheel
    there, and uv's reason where there is no solution."""
    wheels = set(re.findall(r"^([\w.-]+)==", LOCK.read_text(encoding="utf-8"), re.M))
    built = []
    while True:
        done = compiled(python, system, sorted(wheels))
        found = re.search(r"([\w.-]+)==\S+ has no usable wheels", done.stderr)
        if done.returncode == 0 or found is None:
            return done.stdout.count("=="), built, done.stderr.strip() if done.returncode else ""
        built.append(found.group(1))
        wheels.remove(found.group(1))


def compiled(python, system, wheels):
    """Run uv; packages in ``wheels`` may not be built from source."""
    options = "--quiet --all-extras --no-annotate --no-header --no-emit-index-url"
    command = [sys.executable, "-m", "uv", "pip", "compile", *options.split(), ENVS.parent / "pyproject.toml"]
    command += ["--constraint", LOCK, "--python-version", python, "--python-platform", system]
    command += [word for name in wheels for word in ("--only-binary", name)]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True)


if __name__ == "__main__":
    sys.exit(main())
