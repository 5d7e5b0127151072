"""The peers' own environment, .venv-bench, from a lock of its own, so that ours never gets them."""

import hashlib
import re
import subprocess
import sys
from pathlib import Path

from truerank.errors import UserError

ROOT = Path(__file__).parents[1]
LOCK, WANTED = ROOT / "envs" / "bench.txt", ROOT / "envs" / "bench.in"
VENV = ROOT / ".venv-bench"
OPTIONAL = "recometrics"  # has to be compiled, which not every machine can


def peers():
    """Return the interpreter of the peers' environment, which is made or renewed if it is not that of the lock."""
    python, stamp = VENV / "bin" / "python", VENV / "truerank-stamp"
    wanted = hashlib.sha256(f"{sys.executable} {sys.version}\0{LOCK.read_text(encoding='utf-8')}".encode()).hexdigest()
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return python
    print("Installing the peers into .venv-bench (a minute or two on the first run) ...", flush=True)
    required, optional = parted(LOCK.read_text(encoding="utf-8"))
    uv("venv", "--quiet", "--clear", "--python", sys.executable, str(VENV))
    uv("pip", "sync", "--quiet", "--require-hashes", "--python", str(python), "-", lock=required)
    try:
        alone = ("--no-deps", "--no-build-isolation", "--require-hashes")
        uv("pip", "install", "--quiet", *alone, "--python", str(python), "--requirement", "-", lock=optional)
    except UserError:
        print(f"{OPTIONAL} cannot be installed here: it is left out.")
    stamp.write_text(wanted, encoding="utf-8")
    return python


def parted(lock):
    """Cut the optional package with its hashes out of a lock; return what is left, and what was cut out."""
    found = re.search(rf"^{OPTIONAL}==.*?(?=^\S|\Z)", lock, re.M | re.S).group(0)
    return lock.replace(found, ""), found


def uv(*words, lock=None):
    done = subprocess.run([sys.executable, "-m", "uv", *words], input=lock, capture_output=True, text=True)
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
        raise UserError(f"the peers of envs/bench.txt could not be installed ({reason[0].strip()}); check the network")


def resolve():
    """Write the newest versions of envs/bench.in into the lock."""
    options = "--quiet --upgrade --universal --generate-hashes --no-emit-index-url --no-annotate --no-header"
    uv("pip", "compile", *options.split(), "--python-version", "3.11", str(WANTED), "--output-file", str(LOCK))
