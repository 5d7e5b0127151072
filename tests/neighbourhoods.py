"""Neighbourhoods and language models in plain Python: the oracle of several models."""

import math


def rows_of(train):
    """Return, per user, {item: rating}; 1 if implicit."""
    rating = [1.0] * len(train.user) if train.rating is None else train.rating.tolist()
    rows = [{} for _ in range(train.n_users)]
    for user, item, value in zip(train.user.tolist(), train.item.tolist(), rating, strict=True):
        rows[user][item] = value
    return rows


def columns_of(train):
    """Return, per item, {user: rating}."""
    columns = [{} for _ in range(train.n_items)]
    for user, row in enumerate(rows_of(train)):
        for item, value in row.items():
            columns[item][user] = value
    return columns


def cosine(a, b, shrink=0.0):
    shared = a.keys() & b.keys()
    if not shared:
        return 0.0
    product = sum(a[f] * b[f] for f in sorted(shared))
    lengths = math.sqrt(sum(x * x for x in a.values())) * math.sqrt(sum(x * x for x in b.values()))
    return product / lengths * len(shared) / (len(shared) + shrink)


def near(rows, k, likeness, floor=0.0):
    """Return, per row, {other row: likeness} of the k likest above a floor; of equal ones those of smaller code."""
    result = []
    for one, row in enumerate(rows):
        like = {other: likeness(row, rows[other]) for other in range(len(rows)) if other != one}
        likes = (other for other in like if like[other] > floor)
        best = sorted(likes, key=lambda other: (-round(like[other], 12), other))
        result.append({other: like[other] for other in best[:k]})
    return result


def everybody(rows, n_features, floor=True):
    """Return p(f|C); with ``floor`` a feature that nobody has counts as half of the rarest."""
    mass = [sum(row.get(f, 0.0) for row in rows) for f in range(n_features)]
    if floor:
        rarest = min(m for m in mass if m > 0)
        mass = [m if m > 0 else rarest / 2 for m in mass]
    return [m / sum(mass) for m in mass]


def language_model(row, common, smoothing, amount):
    """Return p(f|d) for every feature f, written out for each smoothing."""
    length, n = sum(row.values()), len(common)
    if length == 0:
        return list(common)
    if smoothing == "jelinek_mercer":
        return [(1 - amount) * row.get(f, 0.0) / length + amount * common[f] for f in range(n)]
    if smoothing == "dirichlet":
        return [(row.get(f, 0.0) + amount * common[f]) / (length + amount) for f in range(n)]
    spare = sum(min(x, amount) for x in row.values()) / length
    return [max(row.get(f, 0.0) - amount, 0.0) / length + spare * common[f] for f in range(n)]
