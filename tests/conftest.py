"""What all tests share. Helpers are in ``support.py`` beside this file, which pytest puts on the import path."""

import signal

import pytest
from hypothesis import settings
from truerank.blas import single_threaded_blas

from tests import support

# How long an example takes depends on the machine, and the first one may compile a kernel.
settings.register_profile("truerank", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=20)
settings.register_profile("fuzz", deadline=None, max_examples=5_000, print_blob=True)
settings.load_profile("truerank")


def pytest_configure(config):
    """Let programs that tests start hear Ctrl-C, though these tests may run in the background, where it is ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser):
    parser.addoption("--pages", nargs="+", default=[], help="pages for tests/browser, instead of the fixture's")


@pytest.fixture
def study():
    """The default study, as Snakemake merges it, to be changed at will."""
    return support.default_study()


@pytest.fixture(autouse=True, scope="session")
def one_thread_per_product():
    """Multiply matrices as jobs do."""
    with single_threaded_blas():
        yield
