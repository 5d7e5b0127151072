"""What a checked config selects, per dataset and split."""

PARTS = ("ranking", "sampling")


class Study:
    """What a checked config selects, per dataset and split."""

    def __init__(self, config):
        self.config = config
        self.datasets = config["select"]["datasets"]
        self.parts = {part: config["select"][part] for part in PARTS if part in config["select"]}

    @property
    def splits(self):
        return list(dict.fromkeys(part["split"] for part in self.parts.values()))

    def models(self, split):
        """Return the models of all parts that use ``split``, in the order of the config."""
        return self._union(split, "models")

    def metrics(self, split):
        """Return name -> definition of the metrics of all parts that use ``split``."""
        defined = self.config.get("metrics", {})
        return {name: defined.get(name, {"kind": name}) for name in self._union(split, "metrics")}

    def cutoffs(self, split):
        return self._union(split, "cutoffs")

    def relevance(self, split):
        """Return the rule of relevance: that of a part that uses ``split``, or else the study's."""
        chosen = (part.get("relevance") for part in self.parts.values() if part["split"] == split)
        return next(filter(None, chosen), self.config["relevance"])

    def _union(self, split, key):
        chosen = (part[key] for part in self.parts.values() if part["split"] == split)
        return list(dict.fromkeys(name for names in chosen for name in names))
