"""The least bound on memory counts: of the machine, of control groups of both versions, of a SLURM job."""

import psutil
import pytest
from truerank import memory
from truerank.core import training
from truerank.errors import UserError
from truerank.memory import available, free_memory, resident

from tests.support import noisy_train

GIGABYTE = 1 << 30


@pytest.fixture
def system(tmp_path, monkeypatch):
    """A machine with 8 GB free. Returns a function that writes files of control groups and tells the free memory."""
    monkeypatch.setattr(memory, "available", lambda: 8 * GIGABYTE)

    def free(groups="", files=None, **environ):
        (tmp_path / "groups").write_text(groups)
        for name, content in (files or {}).items():
            path = tmp_path / "mount" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{content}\n")
        return free_memory(tmp_path / "mount", tmp_path / "groups", environ)

    return free


def group(path, limit, used, cache, version=2):
    files = {
        2: ("memory.max", "memory.current", "inactive_file"),
        1: ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
    }[version]
    contents = limit, used, f"anon 5\n{files[2]} {cache}"
    return {f"{path}/{name}": content for name, content in zip((*files[:2], "memory.stat"), contents, strict=True)}


def test_without_bounds_the_machine_counts(system, tmp_path):
    assert system() == (8 * GIGABYTE, "on this machine")
    assert system("0::/job\n", group("job", "max", 5, 0)) == (8 * GIGABYTE, "on this machine")
    assert free_memory(tmp_path / "none", tmp_path / "none", {})[1] == "on this machine"


def test_a_limit_of_the_newer_kind_counts_less_what_is_used_and_is_no_cache(system):
    found = system("0::/user/job\n", group("user/job", 4 * GIGABYTE, 3 * GIGABYTE, GIGABYTE))
    assert found == (2 * GIGABYTE, "in its control group")


def test_an_outer_group_may_be_the_tighter_one(system):
    files = group("user", GIGABYTE, 0, 0) | group("user/job", 4 * GIGABYTE, 0, 0)
    assert system("0::/user/job\n", files) == (GIGABYTE, "in its control group")


@pytest.mark.parametrize("path", ["/job", "/what/the/host/calls/it"])
def test_a_limit_of_the_older_kind_counts(system, path):
    """In a container the path is the host's, and the container's own group is at the root."""
    groups = f"7:cpu,cpuacct:{path}\n4:memory:{path}\n0::/\n"
    place = "memory/job" if path == "/job" else "memory"
    assert system(groups, group(place, 2 * GIGABYTE, 0, 0, 1)) == (2 * GIGABYTE, "in its control group")


@pytest.mark.parametrize(
    ("environ", "given"),
    [
        ({"SLURM_MEM_PER_NODE": "2048"}, 2),
        ({"SLURM_MEM_PER_CPU": "1024", "SLURM_CPUS_ON_NODE": "3"}, 3),
        ({"SLURM_MEM_PER_CPU": "1024"}, 1),
        ({"SLURM_MEM_PER_NODE": "0"}, None),
    ],
    ids=["of a node", "of cores", "of one core", "the whole node"],
)
def test_what_slurm_gave_counts_less_what_this_process_has(system, environ, given):
    free, place = system(**environ)
    if given is None:
        assert (free, place) == (8 * GIGABYTE, "on this machine")
    else:
        assert place == "in its SLURM job"
        assert 0 <= free < given * GIGABYTE


def test_a_bound_that_is_passed_leaves_nothing(system):
    assert system("0::/job\n", group("job", GIGABYTE, 2 * GIGABYTE, 0)) == (0, "in its control group")


def test_the_sentence_says_what_is_needed_and_where_there_is_less(monkeypatch):
    monkeypatch.setattr(training, "free_memory", lambda: (2 * 10**9, "in its SLURM job"))
    training.check_memory({"kind": "ease"}, "mine", 10**9, noisy_train())
    told = (
        r"^model 'mine' \(ease\) needs about 3.00 GB .* 40 users and 30 items, and 2.00 GB are free in its SLURM job;"
    )
    with pytest.raises(UserError, match=told):
        training.check_memory({"kind": "ease"}, "mine", 3 * 10**9, noisy_train())


def test_machine_and_process_are_as_psutil_has_them(tmp_path):
    (tmp_path / "meminfo").write_text("MemTotal: 900 kB\nMemFree: 100 kB\nMemAvailable:   300 kB\n")
    assert available(tmp_path / "meminfo") == 300 << 10
    assert available(tmp_path / "none") == psutil.virtual_memory().total
    assert available() == pytest.approx(psutil.virtual_memory().available, rel=0.2)
    assert resident() == pytest.approx(psutil.Process().memory_info().rss, rel=0.2)
