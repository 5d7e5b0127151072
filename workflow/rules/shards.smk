"""Work that is cut by users into jobs of its own, if the config asks for more than one shard."""


def every_shard(pattern, needs=None):
    """Return a function from wildcards to the pattern filled with every shard, and with every model of the split where
    the wildcards name none; nothing if there is one shard, or if the sampler does not need that."""

    def paths(wildcards):
        if config["shards"] == 1 or needs not in (None, study.needs(wildcards.get("sampler"))):
            return []
        names = {"model": study.models(wildcards.split, wildcards.dataset)} | dict(wildcards.items())
        return expand(pattern, **names, shard=range(config["shards"]))

    return paths


def number_and_count(wildcards):
    return int(wildcards.shard), config["shards"]
