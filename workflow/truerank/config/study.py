"""What a checked config selects, per dataset and split."""

from truerank.estimators._core.make import applies, needed_fit
from truerank.metrics._core.evaluation import needs
from truerank.models._core.left_out import why_left_out
from truerank.registry import METRICS, SAMPLERS, SPLITS

PARTS = ("ranking", "sampling")
LIST_LENGTH = 100


class Study:
    """What a checked config selects, per dataset and split."""

    def __init__(self, config):
        self.config = config
        self.datasets = config["select"]["datasets"]
        self.parts = {part: config["select"][part] for part in PARTS if part in config["select"]}

    @property
    def papers(self):
        """Return the paper that the study reproduces, in a list that is empty if it reproduces none."""
        return [self.config["paper"]] if "paper" in self.config else []

    @property
    def splits(self):
        return list(dict.fromkeys(part["split"] for part in self.parts.values()))

    def models(self, split, dataset):
        """Return the models of all parts that use ``split``, in the order of the config, that ``dataset`` can have."""
        return self._possible(self._union(split, "models"), dataset)

    def sampled_models(self, dataset):
        """Return the models of the sampling part that ``dataset`` can have."""
        return self._possible(self.sampling["models"], dataset)

    def metrics(self, split):
        """Return name -> definition of the metrics of all parts that use ``split``."""
        return {name: self.config["metrics"][name] for name in self._union(split, "metrics")}

    def cutoffs(self, split):
        return self._union(split, "cutoffs")

    def depth(self, split):
        """Return the length of the lists: 100, or more if a metric of lists is asked for at a deeper cut-off."""
        of_lists = any(needs(METRICS.of(metric)) == "lists" for metric in self.metrics(split).values())
        deepest = max((k for k in self.cutoffs(split) if k != "all"), default=0) if of_lists else 0
        return max(deepest, LIST_LENGTH)

    def tuned(self, split, dataset):
        """Return the models of ``split`` whose settings are searched for."""
        return [name for name in self.models(split, dataset) if "tune" in self.config["models"][name]]

    @property
    def tuning(self):
        """Return how settings are searched for, the metric and the way to hold rows out as definitions."""
        tuning, held_out = self.config["tuning"], self.config["tuning"]["validation"]
        metric = self.config["metrics"][tuning["metric"]]
        by_name = isinstance(held_out, str)
        validation = self.config["splits"][held_out] if by_name else {"kind": "user_fraction", "test": held_out}
        return {
            "trials": tuning["trials"],
            "metrics": {tuning["metric"]: metric},
            "k": tuning["k"],
            "validation": validation,
        }

    @property
    def tuning_code(self):
        """Return the modules of the metric and of the split that settings are searched for by."""
        (metric,) = self.tuning["metrics"].values()
        return METRICS.of(metric).module, SPLITS.of(self.tuning["validation"]).module

    def relevance(self, split):
        """Return the rule of relevance: that of a part that uses ``split``, or else the study's."""
        chosen = (part.get("relevance") for part in self.parts.values() if part["split"] == split)
        return next(filter(None, chosen), self.config["relevance"])

    def relevance_key(self, split):
        """Return the key of the config that sets the rule of relevance of ``split``."""
        own = (name for name, part in self.parts.items() if part["split"] == split and "relevance" in part)
        return next((f"select.{name}.relevance" for name in own), "relevance")

    @property
    def sampling(self):
        """Return what the sampling part selects, None if it selects no samplers."""
        part = self.parts.get("sampling", {})
        return part if part.get("samplers") else None

    @property
    def negatives(self):
        """Return the numbers of negatives of the samplers that draw the same number for everybody."""
        chosen = (self.config["samplers"][name] for name in self.sampling["samplers"])
        return sorted({sampler["negatives"] for sampler in chosen if "negatives" in sampler})

    def needs(self, sampler):
        """Return what a sampler starts from: ranks or models; None without a sampler."""
        return sampler and SAMPLERS.of(self.config["samplers"][sampler]).facts.needs

    def drawn_models(self, sampler, dataset):
        """Return the models that a sampler lets score items."""
        return self.sampled_models(dataset) if self.needs(sampler) == "models" else []

    def estimators(self, sampler):
        """Return the selected estimators that take what ``sampler`` gives."""
        return [
            name
            for name in self.sampling.get("estimators", ())
            if applies(self.config["estimators"][name], self.config["samplers"][sampler])
        ]

    def fits(self, sampler):
        """Return the estimators whose fitted P(R) those selected for ``sampler`` need."""
        needed = (needed_fit(name, self.config["estimators"][name]) for name in self.estimators(sampler))
        return list(dict.fromkeys(filter(None, needed)))

    def sampled_metrics(self):
        """Return name -> definition of the metrics that the sampling part estimates."""
        return {name: self.metrics(self.sampling["split"])[name] for name in self.sampling["metrics"]}

    def _possible(self, models, dataset):
        settings = self.config["datasets"][dataset]
        return [name for name in models if not why_left_out(self.config["models"][name], settings)]

    def _union(self, split, key):
        chosen = (part[key] for part in self.parts.values() if part["split"] == split)
        return list(dict.fromkeys(name for names in chosen for name in names))
