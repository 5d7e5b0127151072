"""What pages call a metric. Files keep the names of the config."""

# The usual names mean errors over all test ratings.
USUAL = {f"{name}_micro": name.upper() for name in ("mae", "nmae", "rmse", "nrmse")}
USUAL |= {name: f"{name.upper()} (mean of users)" for name in ("mae", "nmae", "rmse", "nrmse")}


def shown(metric: str, k: str | None = None) -> str:
    """Return a metric as a page shows it, with its cut-off if one is given; errors have none."""
    return USUAL.get(metric, metric if k is None else f"{metric}@{k}")
