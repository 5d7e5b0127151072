"""What the pages show is what comes out."""

import doctest

import pytest

from tests.support import ROOT


@pytest.mark.parametrize("page", ["meta.md", "python.md", "sampling.md"])
def test_examples_give_what_the_page_says(page):
    result = doctest.testfile(str(ROOT / "docs" / page), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0
