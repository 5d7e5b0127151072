"""Generators by name, files that are whole or absent, fingerprints that see code and nothing else."""

import importlib
import os
import stat
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from truerank import provenance
from truerank.extensions import load_file
from truerank.provenance import environment, fingerprint, generator, module_code, sha256, whole

from tests.support import PACKAGE

# Generators


@given(st.integers(0, 2**63), st.lists(st.text(max_size=5), max_size=3))
def test_the_same_names_give_the_same_stream(seed, names):
    assert (generator(seed, *names).random(4) == generator(seed, *names).random(4)).all()


def test_the_stream_does_not_depend_on_other_draws_or_the_global_state():
    alone = generator(1, "train_model", "ials").random(8)
    generator(1, "train_model", "bpr").random(100)
    before = np.random.get_state()[1].tolist()
    assert (generator(1, "train_model", "ials").random(8) == alone).all()
    assert np.random.get_state()[1].tolist() == before


def test_every_part_of_the_name_matters():
    names = [
        (1,),
        (2,),
        (1, "a"),
        (1, "b"),
        (1, "a", "b"),
        (1, "b", "a"),
        (1, "ab"),
        (1, "", "ab"),
        (12, "a"),
        ("1", "2", "a"),
    ]
    assert len({generator(*name).integers(2**63) for name in names}) == len(names)


def test_the_stream_is_pinned():
    """A result of last year can be made again: this fails if the derivation of streams changes."""
    assert generator(20180102, "fetch_dataset", "toy").integers(0, 1000, 6).tolist() == PINNED


PINNED = [578, 726, 678, 582, 392, 754]


# Whole files


def test_a_block_that_succeeds_replaces_the_file(tmp_path):
    path = tmp_path / "new" / "folder" / "a.txt"
    with whole(path) as temporary:
        assert temporary.parent == path.parent
        temporary.write_text("1")
        assert not path.exists()
    assert path.read_text() == "1"
    with whole(str(path)) as temporary:
        temporary.write_text("2")
        assert path.read_text() == "1"
    assert path.read_text() == "2"
    assert os.listdir(path.parent) == ["a.txt"]


def test_what_a_killed_process_left_is_written_over(tmp_path):
    killed = "import os, sys; from truerank.provenance import whole\nwith whole(sys.argv[1]): os._exit(9)"
    subprocess.run([sys.executable, "-c", killed, tmp_path / "a.txt"], check=False)
    assert len(os.listdir(tmp_path)) == 1
    with whole(tmp_path / "a.txt") as temporary:
        temporary.write_text("new")
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, SystemExit, MemoryError])
def test_a_block_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, failure):
    path = tmp_path / "a.txt"
    path.write_text("old")

    def write():
        with whole(path) as temporary:
            temporary.write_text("half")
            raise failure

    with pytest.raises(failure):
        write()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_rename_that_fails_leaves_no_temporary_file(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"), whole(tmp_path / "a.txt") as temporary:
        temporary.write_text("new")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_files_get_the_rights_of_an_ordinary_file(tmp_path, mask, mode):
    before = os.umask(mask)
    try:
        with whole(tmp_path / "a") as temporary:
            temporary.write_text("x")
        assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == mode
    finally:
        os.umask(before)


def test_sha256_is_the_standard_one(tmp_path):
    (tmp_path / "abc").write_bytes(b"abc")
    assert sha256(tmp_path / "abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


# Fingerprints


STAGE = '''
"""A stage."""

from truerank.kernel import double
import truerank.plain


def stage(x):
    """Return twice x."""
    from truerank.lazy import late

    return late(double(x))
'''


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package whose files can be edited; ``edit`` forgets what was read before, as a new process would."""
    files = {
        "stages/stage.py": STAGE,
        "kernel.py": "from truerank import deep\n\n\ndef double(x):\n    return 2 * x\n",
        "deep/__init__.py": "VALUE = 1\n",
        "plain.py": "PLAIN = 1\n",
        "lazy.py": "from truerank.kernel import double\n\n\ndef late(x):\n    return x\n",
        "other.py": "OTHER = 1\n",
    }

    def edit(name, old=None, new=None):
        path = tmp_path / "truerank" / name
        path.parent.mkdir(exist_ok=True, parents=True)
        text = files[name] if old is None else path.read_text()
        assert old is None or old in text
        path.write_text(text if old is None else text.replace(old, new))
        provenance.module_code.cache_clear()

    for name in files:
        edit(name)
    monkeypatch.setattr(provenance, "WORKFLOW", tmp_path)
    yield edit
    provenance.module_code.cache_clear()


COSMETIC = [
    ("stages/stage.py", '"""A stage."""', '"""The same stage."""'),
    ("stages/stage.py", '"""Return twice x."""', '"""Return x\n    two times.\n    """'),
    ("stages/stage.py", '    """Return twice x."""\n', ""),
    ("stages/stage.py", "return late(double(x))", "return late(double(x))  # a comment"),
    ("stages/stage.py", "return late(double(x))", "return late(\n        double(x),\n    )"),
    ("kernel.py", "\n\n\ndef", "\n\n\n\n# kernel\n\ndef"),
    ("other.py", "1", "2"),
]
REAL = [
    ("stages/stage.py", "late(double(x))", "late(double(x + 1))"),
    ("kernel.py", "2 * x", "3 * x"),
    ("deep/__init__.py", "1", "2"),
    ("plain.py", "1", "2"),
    ("lazy.py", "return x", "return -x"),
]


@pytest.mark.parametrize(("name", "old", "new"), COSMETIC)
def test_edits_that_change_no_code_that_runs_keep_the_fingerprint(package, name, old, new):
    before = fingerprint("stage")
    package(name, old, new)
    assert fingerprint("stage") == before


@pytest.mark.parametrize(("name", "old", "new"), REAL)
def test_edits_of_the_stage_or_of_what_it_imports_change_the_fingerprint(package, name, old, new):
    before = fingerprint("stage")
    package(name, old, new)
    assert fingerprint("stage") != before


def test_what_is_for_type_checkers_only_is_no_code(package):
    before = fingerprint("stage")
    checked = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from truerank import other\n"
    package("plain.py", "PLAIN = 1", f"{checked}PLAIN = 1")
    with_block = fingerprint("stage")
    assert with_block != before, "an import of typing is code"
    package("other.py", "1", "2")
    package("plain.py", "other\n", "other as another\n")
    assert fingerprint("stage") == with_block


def test_a_module_named_beside_the_stage_counts_too(package):
    before = fingerprint("stage", "truerank.other")
    assert before != fingerprint("stage")
    package("other.py", "1", "2")
    assert fingerprint("stage", "truerank.other") != before


PLUGIN = {  # an installed package, of which a process has imported its pieces and what these import at once
    "__init__.py": "",
    "pieces.py": "from plugin.maths import half\nfrom .parts import third\n\n\ndef lazy():\n    from . import late\n",
    "maths.py": "import numpy\n\n\ndef half(x):\n    return x / 2\n",
    "parts/__init__.py": "from ..deep import third\n",
    "deep.py": "def third(x):\n    return x / 3\n",
    "late.py": "LATE = 1\n",
    "unused.py": "UNUSED = 1\n",
}


def changes(folder, files, module):
    """Return the files that change the fingerprint of a module if they change."""
    found = set()
    before = fingerprint(module)
    for name, code in files.items():
        (folder / name).write_text(f"{code}\nMORE = 1\n")
        provenance.module_code.cache_clear()
        if fingerprint(module) != before:
            found.add(name)
        (folder / name).write_text(code)
    provenance.module_code.cache_clear()
    assert fingerprint(module) == before
    return found


def written(folder, files):
    for name, code in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(code)


def test_imports_are_followed_within_an_installed_package(tmp_path, monkeypatch):
    """Absolute and relative ones, those in functions too, whether they have run or not; not those of other packages."""
    folder = tmp_path / "plugin"
    written(folder, PLUGIN)
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    try:
        importlib.import_module("plugin.pieces")
        assert "plugin.late" not in sys.modules
        assert changes(folder, PLUGIN, "plugin.pieces") == PLUGIN.keys() - {"unused.py"}
        assert not [name for name in provenance.module_code("plugin.maths")[1] if name.startswith("numpy")]
    finally:
        for name in set(sys.modules) - before:
            del sys.modules[name]


def test_imports_are_followed_to_the_files_beside_an_extension(tmp_path, monkeypatch):
    files = {
        "mine.py": "import numpy\nimport helper\nfrom more.parts import part\n\nMINE = helper.HELP + part\n",
        "helper.py": "from deeper import HELP\n",
        "deeper.py": "HELP = 1\n",
        "more/__init__.py": "",
        "more/parts.py": "part = 2\n",
        "unused.py": "UNUSED = 1\n",
    }
    written(tmp_path, files)
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    try:
        load_file(tmp_path / "mine.py")
        assert changes(tmp_path, files, "truerank_extensions.mine") == {
            "mine.py",
            "helper.py",
            "deeper.py",
            "more/parts.py",
        }
    finally:
        for name in set(sys.modules) - before:
            del sys.modules[name]


def test_imports_in_a_circle_end(package):
    package("other.py", "OTHER = 1", "import truerank.plain")
    package("plain.py", "PLAIN = 1", "import truerank.other")
    assert len(fingerprint("stage")) == 16


def test_text_that_is_no_docstring_counts(package):
    package("plain.py", "PLAIN = 1", textwrap.dedent("""
        def plain():
            x = 1
            "not a docstring, yet without effect"
            return "text"
    """))  # fmt: skip
    before = fingerprint("stage")
    package("plain.py", 'return "text"', 'return "other"')
    assert fingerprint("stage") != before


def test_the_stages_of_this_package_differ_and_a_metric_is_no_part_of_training():
    stages = ("fetch_dataset", "split_interactions", "train_model", "rank_items", "evaluate_metrics")
    assert len({fingerprint(stage) for stage in stages}) == len(stages)
    seen, todo = set(), ["truerank.stages.train_model", "truerank.models.ials"]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += provenance.module_code(name)[1]
    assert "truerank.models._core.base" in seen
    assert not [name for name in seen if name.startswith("truerank.metrics")]


def test_an_environment_lasts_as_long_as_its_block(monkeypatch):
    monkeypatch.setenv("TRUERANK_ONE", "before")
    monkeypatch.delenv("TRUERANK_TWO", raising=False)
    with environment(TRUERANK_ONE="1", TRUERANK_TWO="2"):
        assert (os.environ["TRUERANK_ONE"], os.environ["TRUERANK_TWO"]) == ("1", "2")
    assert os.environ["TRUERANK_ONE"] == "before"
    assert "TRUERANK_TWO" not in os.environ


def test_readers_of_files_are_part_of_fetching_alone():
    """So a helper that is added to a reader of Parquet runs nothing again but that, and models from files."""
    stages = {path.stem for path in (PACKAGE / "stages").glob("[a-z]*.py")} - {"fetch_dataset", "read_run"}
    assert {"train_model", "render_report", "sample_ranks"} <= stages
    for stage in stages:
        seen, todo = set(), [f"truerank.stages.{stage}"]
        while todo:
            seen.add(name := todo.pop())
            todo += [each for each in module_code(name)[1] if each not in seen]
        assert not [name for name in seen if name.startswith("truerank.datasets")], stage


def test_what_was_read_of_code_is_kept_by_content(tmp_path, monkeypatch):
    path = tmp_path / "kept" / "code.json"
    first = provenance.CodeRead(path)
    source = b"import truerank.plain\nimport numpy\n"
    assert first.get(source) == provenance.read_code(source)
    first.save()
    monkeypatch.setattr(provenance, "read_code", lambda _: pytest.fail("it was read again"))
    assert provenance.CodeRead(path).get(source)[1] == ["numpy", "truerank.plain"]


@pytest.mark.parametrize("damage", [b"", b"{", b"[1, 2]", b'{"a": 1}', b"\xff"])
def test_a_damaged_file_of_code_counts_as_none(tmp_path, damage):
    path = tmp_path / "code.json"
    path.write_bytes(damage)
    assert provenance.CodeRead(path).get(b"x = 1\n") == provenance.read_code(b"x = 1\n")
