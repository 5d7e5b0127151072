"""Rank every relevant test item among sampled candidates, for all models of a split."""

import numpy as np

from truerank.artefacts.files import read_arrays, read_columns, write_arrays
from truerank.artefacts.models import load_model
from truerank.artefacts.test_instances import is_relevant, read_ranked
from truerank.artefacts.training_rows import read_train
from truerank.errors import UserError
from truerank.provenance import generator
from truerank.ranking.order import order_key, tie_hashes
from truerank.registry import SAMPLERS
from truerank.sampling._core.sample import Sample
from truerank.sampling.draw import Instances


def sample_ranks(inputs, models, sampler, names, relevance, ties, seed, samples, shards=()):
    """Write ``models``, ``candidates`` per instance, and what the sampler gives: ``rank``, ``negatives`` and
    ``exact`` (see ``Sample``), or ``chosen`` instances.

    inputs : lists of paths: ``ranks`` per model or, for a sampler that draws, ``models`` per model and one each of
    ``train``, ``test``, ``user_table``, ``item_table``. models : name -> definition. names : dataset, split, sampler.
    shards : paths of what ``draw_shard`` wrote, in order, to be joined; if there are none, all is sampled here.
    """
    if shards:
        parts = [read_arrays(path) for path in shards]
        write_arrays(samples, parts[0] | {"rank": np.concatenate([part["rank"] for part in parts], axis=-1)})
    else:
        write_arrays(samples, sample(inputs, models, sampler, names, relevance, ties, seed))


def sample(inputs, models, sampler, names, relevance, ties, seed, shard=(0, 1)):
    """Return the arrays that ``sample_ranks`` writes; a sampler that draws does so for one shard of the instances."""
    rng = generator(seed, "sample_ranks", *names)
    if SAMPLERS.of(sampler).facts.needs == "models":
        tie_rng = generator(seed, "rank_items", *names[:2])
        instances, scorers = read_scorers(inputs, models, relevance, ties, tie_rng, shard)
        evidence, candidates = (instances, scorers), instances.candidates
    else:
        ranked = read_ranked(inputs.ranks, relevance)
        evidence, candidates = (ranked.rank, ranked.candidates), ranked.candidates
    if not len(candidates):
        raise UserError(f"{'/'.join(names[:2])} has no relevant test item to sample for; lower relevance.threshold")
    try:
        drawn = SAMPLERS.make(sampler)(*evidence, rng)
    except UserError as failure:
        raise UserError(f"sampler {names[-1]!r} on {'/'.join(names[:2])}: {failure}") from failure
    found = vars(drawn) if isinstance(drawn, Sample) else {"chosen": drawn}
    return {"models": np.array(list(models)), "candidates": candidates, **found}


def read_scorers(inputs, models, relevance, ties, tie_rng, shard):
    """Return the instances and, per model, a function that scores some items of some users."""
    train = read_train(*inputs.train, *inputs.user_table, *inputs.item_table)
    user, item, rating = read_columns(*inputs.test, "user", "item", "rating")
    key = order_key(tie_rng)
    tie_hash = tie_hashes(ties, key, user, item, np.nan_to_num(rating))
    instances = Instances(user, item, tie_hash, is_relevant(rating, relevance), train.matrix, key, shard)

    def scorer(path, definition):
        recommender, learnt = load_model(path, definition)
        return lambda users, items: recommender.scores_of(learnt, train, users, items)

    return instances, [scorer(*pair) for pair in zip(inputs.models, models.values(), strict=True)]
