r"""Metrics that add up over a user's judged items, stated once for every way in which they are evaluated.

.. math:: \frac{1}{n(k)} \sum_{j : r_j \le k} v_j f_j

The values v depend on a row alone. The factor f counts the user's judged rows above the row. The norm n depends on the
judgements and the cut-off, not on the ranks (``norms``). A metric of this form is a function that returns its terms::

    @additive("rr", norm=any_relevant, higher_is_better=True, range=(0, 1))
    def rr(judged):
        return Term(judged.relevant / judged.rank, FIRST)

It is registered as a metric like any other, and sweeps over thousands of test sets take the same terms and norm.
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from truerank.metrics._core.judged import JudgedRanks, ratio
from truerank.metrics._core.norms import Norm, whole
from truerank.registry import METRICS

# What a row's value is multiplied by: 1; the precision at the row; the relevant rows above it; whether there are none;
# what bpref leaves after the non-relevant rows above it; infap's share of relevant rows among those above it.
PLAIN, PRECISION, HITS_ABOVE, FIRST, FEW_MISSES, INFERRED = range(6)
EPSILON = 1e-5  # of INFERRED


class Term(NamedTuple):
    """Values per row of the rank table, and the factor that they are multiplied by."""

    values: np.ndarray
    factor: int = PLAIN


Terms = Callable[..., list[Term] | Term | np.ndarray]  # of the rank table and the settings
Metric = Callable[..., np.ndarray]


class Additive(NamedTuple):
    """The parts of a metric: ``terms(judged, **settings)``, and the ``norm`` that their sum is divided by."""

    terms: Terms
    norm: Norm

    def terms_of(self, judged: JudgedRanks, settings: dict[str, Any]) -> list[Term]:
        """Return a list of terms; a function may also return one, or bare values."""
        found = self.terms(judged, **settings)
        if isinstance(found, list):
            return found
        return [found if isinstance(found, Term) else Term(found)]

    def evaluate(self, judged: JudgedRanks, k: np.ndarray, settings: dict[str, Any]) -> np.ndarray:
        """Return users x cut-offs, NaN where the norm is 0."""
        rows = [term.values * factor_of(judged, term.factor) for term in self.terms_of(judged, settings)]
        norm = self.norm(judged, k, **settings)(whole(judged))
        return ratio(judged.sum_within(functools.reduce(np.add, rows), k), norm)


def additive(name: str, *, norm: Norm, cutoff: bool = True, **facts: Any) -> Callable[[Terms], Metric]:
    """Register the decorated function, which returns terms, as a metric.

    norm : see ``norms``. cutoff : whether the metric takes cut-offs, or looks at the whole ranking. facts : what every
    metric states about itself. The keyword-only parameters of the function are its settings, which the norm gets too.
    """

    def enter(terms: Terms) -> Metric:
        parts = Additive(terms, norm)
        parameters = inspect.signature(terms).parameters
        defaults = {key: p.default for key, p in parameters.items() if p.kind is p.KEYWORD_ONLY}

        @functools.wraps(terms)
        def metric(judged: JudgedRanks, *, k: np.ndarray | None = None, **settings: Any) -> np.ndarray:
            if cutoff:
                return parts.evaluate(judged, k, defaults | settings)  # type: ignore[arg-type]  # k is given here
            return parts.evaluate(judged, np.array([np.inf]), defaults | settings)[:, 0]

        cutoffs = [inspect.Parameter("k", inspect.Parameter.KEYWORD_ONLY)] if cutoff else []
        first, *rest = parameters.values()
        signature = inspect.Signature([first, *cutoffs, *rest])
        metric.__signature__ = signature  # type: ignore[attr-defined]  # inspect looks there
        return METRICS.register(name, additive=parts, **facts)(metric)

    return enter


def factor_of(judged: JudgedRanks, factor: int) -> np.ndarray | int:
    """Return a factor for every row of a rank table."""
    if factor == PLAIN:
        return 1
    if factor == PRECISION:
        return judged.hits / judged.rank
    hits = judged.hits - judged.relevant
    if factor == HITS_ABOVE:
        return hits
    if factor == FIRST:
        return hits == 0
    misses = judged.misses
    if factor == INFERRED:
        return (hits + EPSILON) / (hits + misses + 2 * EPSILON)
    n_relevant = judged.n_relevant[judged.row]
    most = np.minimum((judged.n_judged - judged.n_relevant)[judged.row], n_relevant)
    return 1 - np.divide(np.minimum(misses, n_relevant), most, where=misses * most > 0, out=np.zeros(len(misses)))
