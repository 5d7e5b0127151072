"""Pieces from outside: files that a config names, and installed packages that offer some.

``extensions: [mine.py]`` in a config imports the file, whose decorated functions and classes register themselves as
those of this package do. An installed package does the same without a config, by an entry point of the group
``truerank`` that names the module to import.
"""

import importlib.util
import os
import sys
from pathlib import Path

from truerank.errors import UserError

GROUP = "truerank"
VARIABLE = "TRUERANK_EXTENSIONS"
PREFIX = "truerank_extensions."


def use_extensions(paths: object) -> None:
    """Let this process, and all that it starts, have the pieces of some files, given relative to the work folder.

    paths : as a config has them; what is no list of texts is left for the checks of the config to find.
    """
    if isinstance(paths, list) and all(isinstance(path, str) for path in paths):
        os.environ[VARIABLE] = os.pathsep.join(str(Path(path).absolute()) for path in paths)


LOADED: set[str] = set()  # paths of files, and GROUP for all packages


def load_extensions() -> None:
    """Import the packages that are installed and the files that are in use; each once."""
    if GROUP not in LOADED:
        from importlib import metadata

        LOADED.add(GROUP)  # at once: what is imported here may look something up
        for point in metadata.entry_points(group=GROUP):
            point.load()
    for path in filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)):
        if path not in LOADED:
            load_file(Path(path))
            LOADED.add(path)


def load_file(path: Path) -> None:
    """Import one file under a name of its own, which fingerprints find it by."""
    name = PREFIX + path.stem
    known = sys.modules.get(name)
    if known is not None:
        if known.__file__ != str(path.resolve()):
            raise UserError(f"extensions: {path} and {known.__file__} have the same name; rename one of them")
        return
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None or not path.is_file():
        raise UserError(f"extensions: {path} is not a Python file; correct the path")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException as failure:
        del sys.modules[name]
        if not isinstance(failure, Exception):
            raise
        line = line_in(failure, spec.origin)
        at = f", line {line}" if line else ""
        raise UserError(
            f"extensions: {path}{at} cannot be imported ({type(failure).__name__}: {failure}); correct the file"
        ) from failure


def line_in(failure: BaseException, file: str | None) -> int | None:
    """Return the last line of a file that an exception passed, None if it passed none."""
    if isinstance(failure, SyntaxError) and failure.filename == file:
        return failure.lineno
    lines, trace = [], failure.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == file:
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    return lines[-1] if lines else None
