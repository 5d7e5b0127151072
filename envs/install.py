"""Bring .venv to exactly the locked packages; do nothing when it is there already.

Run by `make env` with whatever `python3` the machine has, so it uses the standard library alone, and
nothing newer than Python 3.7 before the version is checked.
"""

import hashlib
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
LOCK = os.path.join(ROOT, "envs", "requirements.txt")
STAMP = os.path.join(VENV, "truerank-stamp")
OLDEST = (3, 11)


def main():
    if os.path.abspath(sys.prefix) == VENV:
        stop("the environment cannot rebuild itself; run: make env")
    if sys.version_info < OLDEST:
        needed, found = ".".join(map(str, OLDEST)), sys.version.split()[0]
        stop(
            f"Python {needed} or newer is needed, and {sys.executable} is Python {found}; "
            f"install a newer one and run: make PYTHON=python{needed} env"
        )
    wanted = wanted_stamp()
    if os.path.exists(STAMP) and read(STAMP) == wanted:
        return
    if os.path.islink(VENV):
        stop(
            f"{VENV} is a link to {os.path.realpath(VENV)}, and installing would empty that folder, which may be "
            "another checkout's environment; remove the link and run: make env"
        )
    python = make_venv()
    print("Installing the locked packages into .venv (about a minute on the first run) ...", flush=True)
    install(python)
    with open(STAMP, "w") as stamp:
        stamp.write(wanted)


def wanted_stamp():
    """Identify the interpreter, the place and the pins: a change of any of them asks for a new installation."""
    project, _, _ = read(os.path.join(ROOT, "pyproject.toml")).partition("[tool.")
    inputs = [sys.executable, sys.version, ROOT, read(LOCK), project]
    return hashlib.sha256("\0".join(inputs).encode()).hexdigest()


def make_venv():
    python = os.path.join(VENV, "bin", "python")
    made = subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], capture_output=True, text=True)
    if made.returncode:
        stop(
            f"{sys.executable} cannot make a virtual environment in {VENV} (its venv module is missing, or the folder "
            "cannot be written); install the module, on Debian and Ubuntu with: apt install python3-venv"
        )
    return python


def install(python):
    """Let uv install the lock; where uv cannot reach an index that pip is configured for, let pip do it."""
    with tempfile.TemporaryDirectory() as folder:
        bootstrap = os.path.join(folder, "uv.txt")
        with open(bootstrap, "w") as handle:
            handle.write(pinned("uv"))
        pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--require-hashes", "-r"]
        attempt([*pip, bootstrap])
        try:
            options = ["--quiet", "--compile-bytecode", "--require-hashes", "--python", python]
            run([python, "-m", "uv", "pip", "sync", *options, LOCK])
        except subprocess.CalledProcessError:
            attempt([*pip, LOCK])
    package = ["install", "--quiet", "--no-deps", "--no-build-isolation", "--editable", ROOT]
    attempt([python, "-m", "uv", "pip", *package, "--python", python])


def pinned(name):
    """Cut one package with its hashes out of the lock."""
    found = re.search(rf"^{re.escape(name)}==.*?(?=^\S|\Z)", read(LOCK), re.M | re.S)
    return found.group(0)


def attempt(command):
    try:
        run(command)
    except subprocess.CalledProcessError as failure:
        log = os.path.join(VENV, "truerank-install.log")
        with open(log, "w") as handle:
            handle.write(failure.stdout)
        if "No space left" in failure.stdout:
            stop(f"the disk is full: {VENV} needs about 2 GB; free some space and run the same command again")
        stop(
            "the packages of envs/requirements.txt could not be installed, most often because the package index "
            "cannot be reached; check the network (or the index that pip is configured for) and run the same "
            f"command again; details: {log}"
        )


def run(command):
    subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def read(path):
    with open(path, encoding="utf-8") as handle:
        return handle.read()


def stop(sentence):
    sys.exit("truerank: " + sentence)


if __name__ == "__main__":
    main()
