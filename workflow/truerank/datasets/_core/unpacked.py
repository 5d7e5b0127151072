"""Where a folder may hold the files of a public archive, extracted or not, plain or gzipped."""

from truerank.datasets._core.reading.content import few

PACKED = (".zip", ".whl", ".tar.gz")
COMMON = ("ratings.csv",)  # a name that several datasets use: alone it does not tell which


def others(folder, archives):
    """What folders of the data hold instead, in words; nothing if there are none."""
    names = dict.fromkeys(name for archive in archives for name in archive.folders)
    held = {name: sorted(path.name for path in (folder / name).iterdir()) for name in names if (folder / name).is_dir()}
    return "".join(f" (its {name} has {few(files)}, see `source: file` and `files`)" for name, files in held.items())


def places(folder, archives, markers):
    """Yield, in this order, the folder to look in, the archive that would be there and the name to look for."""
    wanted = [(archive, name) for archive in archives for name in (markers if archive.is_packed else [archive.file])]
    for archive, name in wanted:
        yield from ((folder / own, archive, name) for own in archive.folders)
    for archive, name in [*((archive, archive.file) for archive in archives), *wanted]:
        if name not in COMMON or folder.resolve().name in archive.folders:
            yield folder, archive, name


def present(folder, name):
    """The path of a file in a folder, whether it is gzipped or not; None if it is not there."""
    return next((folder / each for each in spellings(name) if (folder / each).is_file()), None)


def spellings(name):
    """The names of a file, as it is called and otherwise with or without .gz; an archive has one."""
    if name.endswith(PACKED):
        return (name,)
    return name, name.removesuffix(".gz") if name.endswith(".gz") else f"{name}.gz"
