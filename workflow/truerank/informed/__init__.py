"""Informed evaluation: top-K metrics of an expensive scorer, from scores requested in the order of a cheap proxy.

A top-K metric only needs to know whether the rank of a test item is at most K. Candidates are scored in proxy order,
and a user is decided as soon as K of them are above the best test item. ``exact_search`` continues until every
user is decided; ``budget_search`` stops at a number of scores, and ``posterior`` estimates the rest.
"""
