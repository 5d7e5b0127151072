"""Where a result comes from: code fingerprints, generators by name, files that are whole or absent."""

import ast
import atexit
import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import numpy as np

from truerank.extensions import PREFIX

PACKAGE = "truerank"
STAGE = "truerank.stages."
WORKFLOW = Path(__file__).parents[1]
PathLike = Path | str


def generator(seed: int, *names: object) -> np.random.Generator:
    """Return the random generator that belongs to ``names`` under ``seed``.

    The stream depends on the names alone, never on the order of calls, the process or the number of cores, so adding a
    model changes no other model's numbers.
    """
    digest = hashlib.sha256("\0".join(map(str, (seed, *names))).encode()).digest()
    return np.random.Generator(np.random.Philox(key=np.frombuffer(digest[:16], dtype=np.uint64)))


@contextlib.contextmanager
def whole(path: PathLike) -> Iterator[Path]:
    """Yield a temporary path beside ``path`` that takes its name only if the block succeeds.

    What a killed process left under that name is written over by the next, so a file must have one writer at a time.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.part")
    try:
        temporary.write_bytes(b"")
        yield temporary
        os.replace(temporary, path)
    except BaseException as failure:
        with contextlib.suppress(OSError):
            temporary.unlink()
        if isinstance(failure, OSError) and failure.errno:
            raise OSError(failure.errno, os.strerror(failure.errno), str(path)) from failure
        raise


@contextlib.contextmanager
def environment(**values: str) -> Iterator[None]:
    """Set environment variables while the block runs, for a library that reads them once."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value


def sha256(path: PathLike) -> str:
    """Return the hexadecimal SHA-256 of a file."""
    with open(path, "rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def fingerprint(*modules: str) -> str:
    """Hash the code of ``modules`` and of all they import from this package and their own, without comments, docstrings
    and what is for type checkers only. Own are, to a file that is an extension, the modules in its folder.

    A name without a dot is a stage: ``fingerprint("train_model", "truerank.models.ials")``. The result goes into the
    ``params`` of a rule, so that a stage runs again exactly when code that it could notice has changed.
    """
    seen = set()
    todo = [name if "." in name else STAGE + name for name in modules]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo.extend(module_code(name)[1])
    digests = (f"{name}:{module_code(name)[0]}" for name in sorted(seen))
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()[:16]


@cache
def module_code(name: str) -> tuple[str, list[str]]:
    """Return the digest of one module's code and the names of the modules that it imports and that count."""
    path = source_path(name)
    if path is None:
        raise ModuleNotFoundError(f"{name} has no source file")
    digest, imported = CODE_READ.get(path.read_bytes())
    inside = f"{name}.{path.stem}" if path.stem == "__init__" else name
    return digest, sorted({each for each in followed(imported, inside) if source_path(each)})


def followed(imported: Iterable[str], inside: str) -> Iterator[str]:
    """Yield what is imported from this package and from that of the module ``inside``, by names of ``source_path``."""
    own = inside.partition(".")[0]
    for name in imported:
        level = len(name) - len(name.lstrip("."))
        top = name.partition(".")[0]
        if level:
            yield ".".join(filter(None, [*inside.split(".")[:-level], name[level:]]))
        elif top in (PACKAGE, own):
            yield name
        elif inside.startswith(PREFIX):  # its folder stands for a package
            yield PREFIX + name


READER = Path(__file__).read_bytes()  # which decides what is read


class CodeRead:
    """What was read from source files, by their content: reading all of them takes as long as a small job.

    It is kept beside the compiled modules, if that place can be written to; a file that is damaged counts as none.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known: dict[str, tuple[str, list[str]]] | None = None
        self.changed = False

    def get(self, source: bytes) -> tuple[str, list[str]]:
        """Return the digest of some code, and what it imports."""
        if self.known is None:
            self.known = self.load()
        content = hashlib.sha256(READER + source).hexdigest()
        if content not in self.known:
            self.known[content] = read_code(source)
            self.changed = True
        return self.known[content]

    def load(self) -> dict[str, tuple[str, list[str]]]:
        atexit.register(self.save)
        try:
            content = json.loads(self.path.read_bytes())
            return {key: (str(digest), [*map(str, names)]) for key, (digest, names) in content.items()}
        except (OSError, ValueError, AttributeError, TypeError):
            return {}

    def save(self) -> None:
        if self.changed:
            with contextlib.suppress(OSError):
                self.path.parent.mkdir(exist_ok=True)
                temporary = self.path.with_name(f".{self.path.name}.{os.getpid()}")  # others may save too
                temporary.write_text(json.dumps(self.known))
                os.replace(temporary, self.path)


CODE_READ = CodeRead(Path(__file__).parent / "__pycache__" / f"{sys.implementation.cache_tag}.code.json")


def read_code(source: bytes) -> tuple[str, list[str]]:
    """Return the digest of the code that is executed, without docstrings, and the names that it imports.

    Those of a relative import begin with its dots.
    """
    tree = WithoutTypes().visit(ast.parse(source))
    imported: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            imported.add(module)
            imported.update(f"{module}{'.' if node.module else ''}{alias.name}" for alias in node.names)
    strip_docstrings(tree)
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest(), sorted(imported)


class WithoutTypes(ast.NodeTransformer):
    """Drop what stands under ``if TYPE_CHECKING:``."""

    def visit_If(self, node: ast.If) -> ast.AST:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            node.body = [ast.Pass()]
        return self.generic_visit(node)


def source_path(name: str) -> Path | None:
    """Return the file of a module of this package or of an extension, None if there is no such file."""
    top, _, within = name.partition(".")
    file = getattr(sys.modules.get(name), "__file__", None) or ""
    if top != PACKAGE and file.endswith(".py"):
        return Path(file)
    for folder in folders(top):
        path = folder.joinpath(*within.split("."))
        for candidate in (path.with_suffix(".py"), path / "__init__.py"):
            if candidate.is_file():
                return candidate
    return None


def folders(top: str) -> list[Path]:
    """Return where modules below a top name are: one place, but for several files that are extensions."""
    if top == PACKAGE:
        return [WORKFLOW / PACKAGE]
    if f"{top}." == PREFIX:
        files = (module.__file__ for name, module in sorted(sys.modules.items()) if name.startswith(PREFIX))
        return [Path(file).parent for file in files if file]
    return [*map(Path, getattr(sys.modules.get(top), "__path__", ()))]


def strip_docstrings(tree: ast.AST) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                node.body = node.body[1:] or [ast.Pass()]
