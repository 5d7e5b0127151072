"""How many threads a matrix product may take."""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any


def single_threaded_blas() -> AbstractContextManager[Any]:
    """Keep matrix products on one thread each, so that their last bits do not depend on the number of cores.

    Stages use more cores by working on several blocks at once.
    """
    return blas_libraries().limit(limits=1, user_api="blas")


@cache
def blas_libraries() -> Any:
    """Find the libraries that multiply matrices, NumPy's and SciPy's, once for a process and those that it forks."""
    import scipy.linalg  # noqa: F401  loads its BLAS, which could not be found before
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
