"""Keep compiled programs for the next process: compiling one takes longer than many a training.

JAX keeps programs in a folder, but it writes them in place, so that a job that is killed leaves half a program there,
and it warns where it may not write. Therefore a process has a folder of its own, with links to the programs that are
kept, and adds its new ones to them once they are whole. They are kept where Numba keeps its own: in
``$NUMBA_CACHE_DIR``, or beside the code, or, where that cannot be written, in the user's cache. A program is for one
kind of processor. Without any place to write, each process compiles. ``$JAX_COMPILATION_CACHE_DIR`` is left to JAX.
"""

import atexit
import contextlib
import hashlib
import os
import shutil
import tempfile
from pathlib import Path

import jax
from llvmlite import binding


def enable() -> Path | None:
    """Let JAX find the programs that are kept; return the folder of this process, None if it has none."""
    if jax.config.jax_compilation_cache_dir is not None:  # set when JAX is imported
        return None
    try:
        folder = Path(tempfile.mkdtemp(prefix="truerank-"))
    except OSError:
        return None
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for place in places():
        for path in place.glob("*-cache"):
            with contextlib.suppress(OSError):  # another place has it too, or there are no links here
                (folder / path.name).symlink_to(path.absolute())
    jax.config.update("jax_compilation_cache_dir", str(folder))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    jax.config.update("jax_persistent_cache_enable_xla_caches", "none")  # they would make the folder part of a name
    return folder


def keep_new(folder: Path | None) -> None:
    """Keep what has been compiled in ``folder`` at the first place that can be written."""
    new = [path for path in folder.glob("*-cache") if not path.is_symlink()] if folder else []
    for place in places() if new else ():
        with contextlib.suppress(OSError):
            place.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=place) as unfinished:
                for path in new:
                    os.replace(shutil.copy(path, unfinished), place / path.name)
                    path.unlink()
                    path.symlink_to((place / path.name).absolute())
            return


def places() -> list[Path]:
    """Return the folders where programs for this processor may be kept, the best one first."""
    processor = f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"
    name = f"jax-{hashlib.sha256(processor.encode()).hexdigest()[:16]}"
    if "NUMBA_CACHE_DIR" in os.environ:
        return [Path(os.environ["NUMBA_CACHE_DIR"]) / name]
    user = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return [Path(__file__).parent / "__pycache__" / name, Path(user) / "truerank" / name]
