"""Informed evaluation: top-K metrics of a scorer that is dear, from scores asked in the order of a cheap proxy.

A test item's rank is at most K or it is not. Candidates are asked in the order of the proxy, and a user is decided as
soon as K of them come ahead of the best test item. ``exact_search`` goes on until everybody is decided;
``budget_search`` stops at so many scores, and ``posterior`` says what the rest makes likely.
"""
