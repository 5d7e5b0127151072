"""Look the locked packages up in public databases of vulnerabilities, with pip-audit in an environment of its own.

Exit code 0: all were looked up, none is known to be vulnerable. 1: some are. 2: no database could be reached.
"""

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

LOCK = Path(__file__).with_name("requirements.txt")
DATABASES = ("osv", "pypi")
SECONDS = 900


def look_up(python, database):
    """Return pip-audit's findings as a list of packages, None if it could not be run or reach the database."""
    command = [python, "-m", "pip_audit", "--requirement", LOCK, "--disable-pip", "--no-deps", "--format", "json"]
    command += ["--progress-spinner", "off", "--vulnerability-service", database]
    try:
        told = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=SECONDS)
        return json.loads(told.stdout)["dependencies"]
    except (ValueError, KeyError, subprocess.TimeoutExpired):
        return None


def verdict(packages):
    """Return the exit code and the lines to print for what was found."""
    skipped = [package["name"] for package in packages if "skip_reason" in package]
    lines = [
        f"{package['name']} {package['version']}: {flaw['id']}, mended in {', '.join(flaw['fix_versions']) or 'none'}"
        for package in packages
        for flaw in package.get("vulns", ())
    ]
    if lines:
        return 1, lines
    if skipped:
        return 2, [f"{len(skipped)} of {len(packages)} packages were not found in the database, such as {skipped[0]}"]
    return 0, [f"none of {len(packages)} packages is known to be vulnerable"]


def main():
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / "bin" / "python"
        installed = subprocess.run([python, "-m", "pip", "install", "--quiet", "pip-audit"], capture_output=True)
        if installed.returncode:
            sys.exit("pip-audit cannot be installed; check the network and run this again")
        results = [found for found in (look_up(python, database) for database in DATABASES) if found]
    if not results:
        print("no database of vulnerabilities can be reached from here; run this where there is a network")
        return 2
    code, lines = min((verdict(found) for found in results), key=lambda result: (1, 0, 2).index(result[0]))
    print("\n".join(lines))
    return code


if __name__ == "__main__":
    sys.exit(main())
