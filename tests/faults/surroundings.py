"""Disks that are full or read-only, and locales, paths and names that are not plain ASCII."""

import contextlib
import os
import resource
import shutil
import subprocess

from tests.faults.bench import can_mount

NO_MOUNT = "a small or read-only disk is mounted, which only root can do"
C_LOCALE = {"LANG": "C", "LC_ALL": "C"}
STUBBORN = C_LOCALE | {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@contextlib.contextmanager
def mounted(folder, *options):
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", *options, folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def full_disk(bench, tries):
    """Run where a few pages are free, then make room."""
    name = "full disk"
    if not can_mount():
        return bench.skip(name, NO_MOUNT)
    for number in range(tries):
        study = bench.fresh(f"full {number}")
        pages = bench.draw.randint(6, 70)
        place = study.folder if number % 2 else study.results
        kept = (study.folder / "ratings.csv").read_bytes()
        with mounted(place, "-t", "tmpfs", "-o", f"size={4 * pages}k", "tmpfs"):
            (study.folder / "ratings.csv").write_bytes(kept)
            command = study.command()
            outcome = bench.judge(study, subprocess.run(command, cwd=study.folder, capture_output=True, text=True))
            subprocess.run(["mount", "-o", "remount,size=64m", place], check=True)
            bench.record(name, bench.mended(study, outcome))


def file_size_limit(bench, tries):
    """Let no file grow beyond a few kilobytes, which needs no rights, then lift the limit."""
    for number in range(tries):
        study = bench.fresh(f"limit {number}")
        limit = bench.draw.randint(1_000, 12_000)
        run = study.run(preexec_fn=lambda limit=limit: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        bench.record("no file may grow (RLIMIT_FSIZE)", bench.mended(study, bench.judge(study, run)))


def read_only(bench, tries):
    """Mount the results, or the whole folder, read-only while something is left to do."""
    name = "read-only results"
    if not can_mount():
        return bench.skip(name, NO_MOUNT)
    for number in range(tries):
        study = bench.copy(f"closed {number}")
        for folder in (["verdict"], ["meta", "verdict"])[number // 2 % 2]:
            shutil.rmtree(study.results / folder)
        command = study.command()  # writes the config while that can be done
        place = study.folder if number % 2 else study.results
        with mounted(place, "--bind", place):
            subprocess.run(["mount", "-o", "remount,ro,bind", place], check=True)
            run = subprocess.run(command, cwd=study.folder, capture_output=True, text=True)
            outcome = bench.judge(study, run)
        bench.record(name, bench.mended(study, outcome))


def locales(bench, tries):
    """Run in the C locale, with and without Python's own remedy for it."""
    for number in range(tries):
        study = bench.fresh(f"locale {number}")
        run = study.run(env=os.environ | (C_LOCALE, STUBBORN)[number % 2])
        bench.record("LANG=C", bench.mended(study, bench.judge(study, run)))


def paths(bench, tries):
    """Run in folders whose names have spaces, quotes, other scripts, or bytes that are not UTF-8."""
    names = ["two words", "größe 中文 🎬", 'it\'s "quoted" $HOME; {x} [y] *', os.fsdecode(b"caf\xe9")]
    for number in range(tries):
        odd = names[number % len(names)]
        study = bench.fresh(f"path {number}/{odd}")
        outcome = bench.judge(study, study.run(env=os.environ | (C_LOCALE if number >= len(names) else {})))
        kind = "path that is not UTF-8" if odd is names[-1] else "path with spaces and unicode"
        bench.record(kind, bench.mended(study, outcome) if odd is not names[-1] else outcome)


def names(bench, tries):
    """Give dataset and model names with spaces and other scripts; a plain folder and locale set the right bytes."""

    def rename(study):
        config = study.config
        config["datasets"] = {"größe & 中文": config["datasets"]["small"]}
        config["models"] |= {"le modèle d'Ann": {"kind": "popularity"}}
        config["select"]["datasets"] = ["größe & 中文"]
        config["select"]["ranking"]["models"] = ["le modèle d'Ann", "ials"]

    right = bench.reference("named", rename)
    for number in range(tries):
        study = bench.fresh(f"names {number}/mit Raum")
        rename(study)
        run = study.run(env=os.environ | (STUBBORN if number % 2 else C_LOCALE), cores=1 + number % 2)
        bench.record("names with spaces and unicode", bench.mended(study, bench.judge(study, run, right), right))
