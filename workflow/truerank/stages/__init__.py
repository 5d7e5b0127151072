"""Stages: the only code that opens files, one function per rule of the workflow."""
