"""Metrics as people write them: the one place where a name of the config becomes a name for readers.

Pages and figures have these names; the tooltip, tables to save and artefacts have the config's.
"""

import re

from markupsafe import Markup, escape

WRITTEN = {
    "ap": "MAP",
    "ap_min": "MAP (min)",
    "auc": "AUC",
    "bpref": "bpref",
    "coverage": "Coverage",
    "cse": "CSE",
    "dcg": "DCG",
    "dcse": "DCSE",
    "down_sell": "Down-sell",
    "entropy": "Entropy",
    "esibn": "ESIBN",
    "f1": "F1",
    "half_life": "Half-life",
    "hit": "Hit rate",
    "infap": "infAP",
    "inter_user": "Inter-user",
    "intra_list": "Intra-list",
    "kendall": "Kendall",
    "kendall_b": "Kendall b",
    "ndcg": "nDCG",
    "ndpm": "NDPM",
    "pearson": "Pearson",
    "perfect_sell": "Perfect-sell",
    "popularity": "Popularity",
    "precision": "Precision",
    "rbp": "RBP",
    "recall": "Recall",
    "recovery": "Recovery",
    "rr": "MRR",
    "sdcse": "SDCSE",
    "sibn": "SIBN",
    "spearman": "Spearman",
    "unified": "Unified",
    "up_sell": "Up-sell",
    "wdcse": "WDCSE",
}
# The usual names mean errors over all test ratings; an error has no cut-off.
ERRORS = {f"{name}_micro": name.upper() for name in ("mae", "nmae", "rmse", "nrmse")}
ERRORS |= {name: f"{name.upper()} (mean of users)" for name in ("mae", "nmae", "rmse", "nrmse")}
AT = re.compile(r"(?<![\w@.-])([a-z][a-z0-9_]*)@(\d+|all|[kK]\b)(?![\w@])")
TAG = re.compile(r"(<[^>]*>)")
AS_IT_IS = ("pre", "code", "script", "style", "abbr")
NO_MARKUP = ("svg", "title", "option", "textarea")  # holds text alone


def written(metric: str, k: str | None = None) -> str:
    """Return a metric as papers write it: ndcg at 10 is nDCG@10, of the whole ranking nDCG; unknown names stay.

    A variant keeps what its name adds to that of a known metric: ndcg_binary is nDCG (binary).
    """
    if metric in ERRORS:
        return ERRORS[metric]
    parts = metric.split("_")
    for end in range(len(parts), 0, -1):
        if (kind := "_".join(parts[:end])) in WRITTEN:
            rest = " ".join(parts[end:])
            name = f"{WRITTEN[kind]} ({rest})" if rest else WRITTEN[kind]
            break
    else:
        name = metric
    if k in (None, "all") and (k is None or name != metric):
        return name
    return with_cutoff(name, str(k))


def with_cutoff(name: str, k: str) -> str:
    """Put the cut-off behind the metric and before the variant: nDCG@10 (binary)."""
    head, bracket, rest = name.partition(" (")
    return f"{head}@{k}{bracket}{rest}"


def with_names_written(text: str) -> str:
    """Return plain text, such as a label of a figure, in which every ``metric@k`` is written as people write it."""
    return AT.sub(lambda match: written(match[1], match[2]), text)


def with_tooltip(metric: str, k: str | None = None) -> Markup:
    """Return the written name as HTML, the config's name as its tooltip."""
    own, name = metric if k is None else f"{metric}@{k}", written(metric, k)
    return escape(name) if own == name else Markup('<abbr title="{}">{}</abbr>').format(own, name)


def with_written_names(html: str) -> str:
    """Return HTML in which every ``metric@k`` of the text is written as people write it.

    Code, attributes and what is written already stay as they are; pictures and titles get plain text.
    """
    found: list[str] = []
    inside: list[str] = []
    for piece in TAG.split(html):
        if piece.startswith("<"):
            follow(piece, inside)
            found.append(piece)
        elif "@" not in piece or any(tag in AS_IT_IS for tag in inside):
            found.append(piece)
        else:
            plain = any(tag in NO_MARKUP for tag in inside)
            found.append(with_names_written(piece) if plain else AT.sub(lambda at: with_tooltip(at[1], at[2]), piece))
    return "".join(found)


def follow(tag: str, inside: list[str]) -> None:
    """Keep track of the elements around the text that matter here."""
    name = re.match(r"</?([\w-]*)", tag)[1]  # type: ignore[index]  # matches every tag
    if name not in AS_IT_IS + NO_MARKUP or tag.endswith("/>"):
        return
    if not tag.startswith("</"):
        inside.append(name)
    elif inside and inside[-1] == name:
        inside.pop()
