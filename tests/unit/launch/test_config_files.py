"""A config file that cannot be read is told by name and line, before Snakemake would expand or run it."""

import pytest
from truerank.launch.config_files import config_files, config_flaw

from tests.support import for_each


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        ([], []),
        (["--cores", "2"], []),
        (["--configfile", "a.yaml", "b.yaml", "--cores", "2"], ["a.yaml", "b.yaml"]),
        (["--configfile=a.yaml", "target"], ["a.yaml", "target"]),
        (["-n", "--configfiles", "a.yaml", "-c", "2"], ["a.yaml"]),
    ],
)
def test_config_files_of_a_command_line(arguments, files):
    assert config_files(arguments) == files


LAUGHS = b"a0: &a0 {x: 1, y: 2}\n" + b"".join(
    b"a%d: &a%d {%s}\n" % (n + 1, n + 1, b", ".join(b"k%d: *a%d" % (key, n) for key in range(10))) for n in range(9)
)


@pytest.mark.slow
@for_each(
    ("content", "flaw"),
    [
        (b"seed: 1\nselect: [a\n", "my.yaml, line 3: not valid YAML"),
        (b"seed: 1\n\tx: 2\n", "my.yaml, line 2: not valid YAML"),
        (b"name: \xff\n", "my.yaml is not UTF-8 text (byte 6)"),
        (b"", "my.yaml is empty, expected keys"),
        (b"- a\n", "my.yaml is a list, expected keys"),
        (b"seed: " + b"9" * 5000, "my.yaml: found a value that YAML cannot read"),
        (b"seed: 2024-02-31\n", "my.yaml: found a value that YAML cannot read"),
        (b"seed: " + b"[" * 5000, "my.yaml has lists or mappings in each other"),
        (LAUGHS, "my.yaml has aliases that make more than 100,000 values"),
        (b"<<: &a {x: 1, y: *a}\n", "my.yaml has aliases that make more than 100,000 values"),
        (b"a: &a [1, 2]\nb: [*a, *a]\n", None),
        (b"__use_yte__: true\nseed: ?1 + 1\n", "my.yaml: the key __use_yte__ makes Snakemake run Python"),
        (b"seed: 1\n", None),
    ],
)
def test_what_is_wrong_with_a_config_file(tmp_path, content, flaw):
    (tmp_path / "my.yaml").write_bytes(content)
    found = config_flaw(["--configfile", "my.yaml"], tmp_path)
    assert found is None if flaw is None else flaw in found
    assert found is None or "\n" not in found


def test_a_config_file_that_is_missing(tmp_path):
    assert config_flaw(["--configfile", "no.yaml"], tmp_path).startswith("no.yaml cannot be read: no such file")


def test_a_folder_is_no_config_file(tmp_path):
    (tmp_path / "my.yaml").mkdir()
    assert (
        config_flaw(["--configfile", "my.yaml"], tmp_path) == "my.yaml cannot be read: is a directory; correct the path"
    )
