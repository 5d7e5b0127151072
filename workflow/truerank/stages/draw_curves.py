"""Compute what sampling does to metrics and to recall curves, in expectation."""

from truerank.artefacts.counted_ranks import read_counted_ranks
from truerank.artefacts.files import REAL, TEXT, WHOLE, read_json, write_frames
from truerank.core.curves import crossing, expected, mapping
from truerank.core.sampled_bounds import known
from truerank.stages import Files, Settings

EXPECTED = {"estimator": TEXT, "negatives": WHOLE, "model": TEXT, "metric": TEXT, "k": TEXT, "value": REAL}
MAPPING = {"mapping": TEXT, "negatives": WHOLE, "k": TEXT, "f": WHOLE, "model": TEXT, "sampled": REAL, "exact": REAL}
KNOWN = {"negatives": WHOLE, "model": TEXT, "k": TEXT, "exact": REAL, "low": REAL, "high": REAL}
CROSSINGS = {"model_a": TEXT, "model_b": TEXT, "crossings": WHOLE, "first": WHOLE}


def draw_curves(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write expected metrics against the number of negatives, aligned recall curves, what samples would tell of recall,
    and which pairs' curves cross.

    settings : the definitions of ``estimators``, of which those whose weights need no fit are drawn; ``negatives`` of
    the samplers, ``model_names``, ``metrics``, ``cutoffs``, ``relevance``.
    """
    ranked, models = read_counted_ranks(inputs.ranks, settings.relevance), settings.model_names
    curves = expected(ranked, models, settings.metrics, settings.cutoffs, settings.estimators)
    write_frames(outputs.expected, curves, EXPECTED)
    mapped = mapping(ranked, models, settings.negatives, read_json(inputs.facts)["items"])
    write_frames(outputs.mapping, mapped, MAPPING)
    write_frames(outputs.known, known(ranked, models), KNOWN)
    write_frames(outputs.crossings, [crossing(ranked, models)], CROSSINGS)
