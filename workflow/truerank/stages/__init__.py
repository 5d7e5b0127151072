"""Stages: the only code that opens files, one function per rule of the workflow."""

from typing import Any

# What job.run gives to a stage has one attribute per name: paths or lists of paths, and settings.
Files = Any
Settings = Any
