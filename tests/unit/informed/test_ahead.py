"""What a model puts ahead, in the order of a proxy, against loops."""

import numpy as np
from truerank.informed.ahead import joined, line_up
from truerank.informed.search import exact_search


def lines(seed=0, n_rows=30, n_items=37):
    rng = np.random.default_rng(seed)
    proxy = rng.integers(0, 6, (n_rows, n_items)).astype(float)
    proxy[:, 3], proxy[::2, 5] = np.nan, -np.inf
    scores = rng.normal(size=proxy.shape)
    is_candidate = rng.random(proxy.shape) < 0.7
    own = rng.integers(0, n_items, n_rows)
    is_candidate[np.arange(n_rows), own] = True
    return proxy, rng.permutation(n_items), own, is_candidate, scores


def test_bits_are_candidates_in_the_order_of_the_proxy():
    proxy, placed, own, is_candidate, scores = lines()
    is_ahead = scores > scores[np.arange(len(own)), own][:, None]
    line = line_up(proxy, placed, own, is_candidate)
    found = line.ahead(is_ahead)
    for row, mine in enumerate(own):
        value = np.where(np.isnan(proxy[row]), -np.inf, proxy[row])
        order = sorted(range(len(value)), key=lambda item, value=value: (-value[item], placed[item]))
        others = [item for item in order if is_candidate[row, item] and item != mine]
        assert found.n[row] == len(others)
        assert line.items[row, : len(others)].tolist() == others
        assert np.unpackbits(found.bits[row])[: len(others)].tolist() == [int(is_ahead[row, item]) for item in others]
        before = [item for item in order[: order.index(mine)] if is_candidate[row, item]]
        assert found.own_rank[row] == 1 + len(before)
        assert found.rank[row] == 1 + sum(is_ahead[row, item] for item in others)


def test_a_search_by_bits_finds_the_exact_ranks():
    proxy, placed, own, is_candidate, scores = lines(1, 80)
    is_ahead = scores > scores[np.arange(len(own)), own][:, None]
    halves = [slice(0, 33), slice(33, 80)]
    whole = joined(
        [line_up(proxy[h], placed, own[h], is_candidate[h]).ahead(is_ahead[h]) for h in halves],
    )
    search = whole.search(4)
    exact_search(search)
    assert np.array_equal(np.minimum(1 + search.hits, 5), np.minimum(whole.rank, 5))
    assert (search.asked <= whole.n).all()
    assert (search.asked[whole.rank <= 4] == whole.n[whole.rank <= 4]).all()
