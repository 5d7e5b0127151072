"""The script that makes a cluster of this machine leaves a cluster that is there already alone."""

import os
import re
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("two_nodes.sh")


@pytest.fixture
def script(tmp_path, monkeypatch):
    """Run the script on a configuration of ours, with commands that only write down that they were called."""
    for command in ("scancel", "munged", "slurmctld", "slurmd", "sinfo", "scontrol"):
        (tmp_path / command).write_text(f"#!/bin/sh\necho {command} >> '{tmp_path}/called'\n")
        (tmp_path / command).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    conf = tmp_path / "slurm.conf"
    text, replaced = re.subn(r"^CONF=.*$", f"CONF='{conf}'", SCRIPT.read_text(encoding="utf-8"), flags=re.M)
    assert replaced == 1
    (tmp_path / "two_nodes.sh").write_text(text)

    def run(action):
        command = ["bash", tmp_path / "two_nodes.sh", action, tmp_path / "folder"]
        told = subprocess.run(command, capture_output=True, text=True, timeout=60)
        called = tmp_path / "called"
        return told, called.read_text().split() if called.exists() else []

    return run, conf


def test_the_jobs_and_the_configuration_of_another_cluster_are_not_touched(script):
    run, conf = script
    conf.write_text("ClusterName=theirs\n")
    told, called = run("start")
    assert told.returncode == 1
    assert "belongs to another cluster" in told.stderr
    assert called == []
    told, called = run("stop")
    assert told.returncode == 0, told.stderr
    assert called == []
    assert conf.read_text() == "ClusterName=theirs\n"


def test_without_a_configuration_there_is_nothing_to_stop(script):
    run, _ = script
    told, called = run("stop")
    assert told.returncode == 0, told.stderr
    assert called == []


def test_a_cluster_of_its_own_is_stopped(script):
    run, conf = script
    conf.write_text(
        re.search(r'^MARK="(.*)"$', SCRIPT.read_text(encoding="utf-8"), re.M)[1] + "\nClusterName=truerank\n"
    )
    told, called = run("stop")
    assert told.returncode == 0, told.stderr
    assert called == ["scancel"]
    assert not conf.exists()
