"""Read the imports of the package: dependencies point down only, and kernels know no files, tables or global state.

What a rule of ruff sees, such as relative imports, pickles and legacy random numbers, is left to ``make lint``.
"""

import ast
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter

from tests.support import PACKAGE, ROOT

# From the bottom up, as the design draws them, one package or module a level. A module may import its own package and
# those below, but report and stages do not import each other.
LEVELS = [
    "errors",
    "workflow_files",
    "extensions",
    "provenance",
    "memory",
    "blas",
    "jax_cache",
    "json_schema",
    "cli_input",
    "registry",
    "radix_sort",
    "spill",
    "value_counts",
    "moments",
    "ranking",
    "metrics",
    "informed",
    "sampling",
    "datasets",
    "splits",
    "models",
    "estimators",
    "meta",
    "bounding",
    "tuning",
    "artefacts",
    "config",
    "core",
    "report",
    "stages",
    "launch",
    "notebooks",
    "api",
    "export",
    "cli",
    "__main__",
]
APART = {("stages", "report"), ("cli", "stages"), ("api", "stages")}
KERNELS = ("metrics", "ranking", "models", "sampling", "estimators", "informed", "meta", "bounding", "splits", "tuning")
MODULES = {
    ".".join(("truerank", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
OTHERS = sorted((ROOT / "workflow" / "scripts").glob("*.py")) + sorted(
    (ROOT / "workflow" / "snakemake_logger_plugin_truerank").glob("*.py")
)


@cache
def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports_of(path):
    """Return the full names of all that a file imports, inside functions too; ruff bars relative imports."""
    names = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def level_of(module):
    """Return the level of a module, None for the package itself."""
    part = part_of(module)
    return LEVELS.index(part) if part in LEVELS else None


def part_of(module):
    return module.split(".")[1] if "." in module else None


def ours(names):
    return {name for name in names if name in MODULES and name != "truerank"}


def test_the_whole_package_is_read():
    assert {"truerank.registry", "truerank.metrics", "truerank.stages.job"} <= MODULES.keys()
    assert len(OTHERS) > 5


def wrong_arrows(module, path):
    """Return what a module imports and must not: a higher level, or one that it is kept apart from."""
    return [
        name
        for name in sorted(ours(imports_of(path)))
        if level_of(name) > level_of(module) or (part_of(module), part_of(name)) in APART
    ]


def test_every_module_has_a_level_and_imports_no_higher_one():
    for module, path in MODULES.items():
        if module != "truerank":
            assert level_of(module) is not None, f"{module}: say in LEVELS where it belongs"
            assert not wrong_arrows(module, path), module


def test_the_test_sees_arrows_that_point_up_or_across(tmp_path):
    (tmp_path / "bad.py").write_text("def f():\n    from truerank.report import study\n")
    assert wrong_arrows("truerank.metrics.bad", tmp_path / "bad.py")
    assert wrong_arrows("truerank.stages.bad", tmp_path / "bad.py")
    assert not wrong_arrows("truerank.cli", tmp_path / "bad.py")


def test_packages_import_each_other_in_no_circle():
    graph = {}
    for module, path in MODULES.items():
        if module != "truerank":
            graph.setdefault(part_of(module), set()).update(map(part_of, ours(imports_of(path))))
    for part, below in graph.items():
        below.discard(part)
    assert len(list(TopologicalSorter(graph).static_order())) >= len(graph)  # raises CycleError, with the circle


def test_no_module_imports_itself_in_a_circle():
    graph = {name: ours(imports_of(path)) - {name} for name, path in MODULES.items()}
    assert len(list(TopologicalSorter(graph).static_order())) >= len(graph)  # raises CycleError, with the circle


def test_kernels_import_no_tables_and_open_no_file():
    barred = {
        *("pandas", "pyarrow", "yaml", "json", "csv", "os", "io", "pathlib", "shutil", "tempfile", "gzip", "zipfile"),
    }
    openers = {"open", "np.load", "np.save", "np.savez", "np.loadtxt", "np.fromfile"}
    for module, path in MODULES.items():
        if part_of(module) in KERNELS:
            assert not barred & {name.split(".")[0] for name in imports_of(path)}, module
            calls = [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)]
            opened = [f"line {node.lineno}" for node in calls if ast.unparse(node.func) in openers]
            assert not opened, module


def test_random_numbers_come_from_a_generator_that_is_given():
    """Nothing of ``np.random`` but the type; ``provenance`` makes the generators. iALS starts where implicit does."""
    more = {PACKAGE / "provenance.py": {"Philox"}, PACKAGE / "models" / "ials.py": {"default_rng"}}
    for path in [*MODULES.values(), *OTHERS]:
        names = {ast.unparse(node) for node in ast.walk(tree_of(path)) if isinstance(node, ast.Attribute)}
        used = {name.split(".")[2] for name in names if name.startswith(("np.random.", "numpy.random."))}
        assert used <= {"Generator"} | more.get(path, set()), path


def test_the_face_of_the_estimators_is_light_and_complete():
    """What the pages import is there whatever was imported before, and the package alone loads nothing slow."""
    program = (
        "import sys, truerank.estimators as face\n"
        "assert not {'scipy', 'pandas', 'numba'} & set(sys.modules), 'slow to import'\n"
        "import truerank.estimators._core.histogram, truerank.cli\n"
        "assert all(hasattr(face, name) for name in face.__all__)\n"
        "assert not hasattr(face, 'nothing')\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
