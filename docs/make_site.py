"""Build the site of the documentation: mkdocs, from an environment and a lock of its own, without network.

.venv/bin/python docs/make_site.py [folder]
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCK, VENV = ROOT / "envs" / "docs.txt", ROOT / ".venv-docs"


def main(folder="site"):
    command = [environment() / "bin" / "mkdocs", "build", "--strict", "--quiet", "--clean", "--config-file"]
    built = subprocess.run([*command, ROOT / "mkdocs.yml", "--site-dir", Path(folder).absolute()], env=quiet())
    if built.returncode == 0:
        print(f"{folder}/index.html")
    return built.returncode


def quiet():
    """Return the variables of the environment, with docs/site on Python's path and no advertisements."""
    return os.environ | {
        "PYTHONPATH": str(ROOT / "docs" / "site"),
        "NO_MKDOCS_2_WARNING": "1",
        "DISABLE_MKDOCS_2_WARNING": "true",
    }


def environment():
    """Return the folder of the environment, made or renewed if it is not that of the lock."""
    stamp = VENV / "truerank-stamp"
    wanted = hashlib.sha256(f"{sys.executable} {sys.version}\0{LOCK.read_text(encoding='utf-8')}".encode()).hexdigest()
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        print("Installing mkdocs into .venv-docs ...", flush=True)
        uv("venv", "--quiet", "--clear", "--python", sys.executable, VENV)
        uv("pip", "sync", "--quiet", "--require-hashes", "--python", VENV / "bin" / "python", LOCK)
        stamp.write_text(wanted, encoding="utf-8")
    return VENV


def uv(*words):
    done = subprocess.run([sys.executable, "-m", "uv", *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"truerank: the packages of envs/docs.txt could not be installed; check the network\n{done.stderr}")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
