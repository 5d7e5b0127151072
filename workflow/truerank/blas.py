"""How many threads a matrix product may take."""

from contextlib import AbstractContextManager
from typing import Any


def single_threaded_blas() -> AbstractContextManager[Any]:
    """Keep matrix products on one thread each, so that their last bits do not depend on the number of cores.

    Stages use more cores by working on several blocks at once.
    """
    import scipy.linalg  # noqa: F401  loads its BLAS, which could not be limited before
    from threadpoolctl import threadpool_limits

    return threadpool_limits(limits=1, user_api="blas")
