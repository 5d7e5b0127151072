"""Find the rows of one sparse matrix that are most like each row of another."""

import numpy as np
from numba import njit

from truerank.ranking.compiled.shell_sort import sort_by


@njit(nogil=True, cache=True)
def nearest(query, n_documents, document, scale, offset, shrink, itself, floor, k, index, weight):
    r"""Keep, for each query q, the k documents d of highest likeness above a floor, in order of their code.

    .. math:: \Big(s_d \sum_f q_f d_f + o_d \sum_f q_f\Big) \frac{n_{qd}}{n_{qd} + \lambda}

    n_qd is the number of features f that both have; where it is 0 there is no likeness. query : (start, feature, value)
    of queries x features in CSR form. document : the same of features x documents. scale, offset : s and o, per
    document. itself : whether query and document of the same code are never near. index, weight : outputs, queries x k,
    -1 and 0 past the last. Of equally near documents those of smaller code are kept.
    """
    start, feature, value = query
    document_start, document_index, document_value = document
    total = np.zeros(n_documents)
    shared = np.zeros(n_documents, np.int64)
    found = np.empty(n_documents, np.int64)
    for q in range(len(index)):
        n = 0
        length = 0.0
        for t in range(start[q], start[q + 1]):
            f, x = feature[t], value[t]
            length += x
            for s in range(document_start[f], document_start[f + 1]):
                d = document_index[s]
                if shared[d] == 0:
                    found[n] = d
                    n += 1
                shared[d] += 1
                total[d] += x * document_value[s]
        best, of_best, kept = index[q], weight[q], 0
        for c in range(n):
            d = found[c]
            like = (total[d] * scale[d] + length * offset[d]) * (shared[d] / (shared[d] + shrink))
            total[d] = 0.0
            shared[d] = 0
            if like > floor and not (itself and d == q):
                if kept < k:
                    best[kept], of_best[kept] = d, like
                    kept += 1
                    if kept == k:
                        for place in range(k // 2 - 1, -1, -1):
                            sink(best, of_best, place, k)
                elif worse(best[0], of_best[0], d, like):
                    best[0], of_best[0] = d, like
                    sink(best, of_best, 0, k)
        sort_by(best[:kept], of_best[:kept])
        best[kept:] = -1
        of_best[kept:] = 0


@njit(nogil=True, cache=True)
def worse(one, likeness, other, of_other):
    """Tell whether a document is not as near as another, or is as near and has the larger code."""
    return likeness < of_other or (likeness == of_other and one > other)


@njit(nogil=True, cache=True)
def sink(code, likeness, place, n):
    """Move an entry of a heap of n, whose first is the worst, down to where it belongs."""
    while 2 * place + 1 < n:
        below = 2 * place + 1
        if below + 1 < n and worse(code[below + 1], likeness[below + 1], code[below], likeness[below]):
            below += 1
        if not worse(code[below], likeness[below], code[place], likeness[place]):
            return
        code[place], code[below] = code[below], code[place]
        likeness[place], likeness[below] = likeness[below], likeness[place]
        place = below


@njit(nogil=True, cache=True)
def products(start, index, query, document, width):
    """Return the inner product of query and document for every entry (query, document) of a CSR pattern.

    start, index : the pattern. query, document : (start, feature, value) in CSR form, ``width`` features.
    """
    query_start, query_feature, query_value = query
    document_start, document_feature, document_value = document
    result = np.zeros(len(index))
    own = np.zeros(width)
    for q in range(len(start) - 1):
        for t in range(query_start[q], query_start[q + 1]):
            own[query_feature[t]] = query_value[t]
        for p in range(start[q], start[q + 1]):
            for s in range(document_start[index[p]], document_start[index[p] + 1]):
                result[p] += own[document_feature[s]] * document_value[s]
        for t in range(query_start[q], query_start[q + 1]):
            own[query_feature[t]] = 0.0
    return result
