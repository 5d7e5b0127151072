"""Rank some of the relevant test items among negatives that are drawn and scored."""

from truerank.artefacts.files import write_arrays
from truerank.stages.sample_ranks import sample


def draw_shard(inputs, models, sampler, names, relevance, ties, seed, shard, samples):
    """Write what ``sample_ranks`` does, with the ranks of the instances of one shard only. shard : number and count."""
    write_arrays(samples, sample(inputs, models, sampler, names, relevance, ties, seed, shard))
