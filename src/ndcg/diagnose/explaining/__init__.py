"""Why a query has its value: what each document adds, costs, and would gain.

A catalogue, fully judged, with A = 3, B = 2, C = 1, D = 0, in the order B, D, A, C:

>>> from ndcg import explain
>>> qrels = {"q": {"A": 3, "B": 2, "C": 1, "D": 0}}
>>> found = explain(qrels, {"q": ["B", "D", "A", "C"]}, query="q", measure="nDCG@3")
>>> found.sum, round(found.ideal_sum, 4), round(found.value, 4)
(6.5, 9.3928, 0.692)

The list B, C, D misses A, which an ideal made of the list hides:

>>> miss = {"q": ["B", "C", "D"]}
>>> round(explain(qrels, miss, query="q", measure="nDCG@3").value, 4)
0.3866
>>> hidden = explain(qrels, miss, query="q", measure="nDCG@3", ideal="retrieved")
>>> round(hidden.sum, 4), round(hidden.ideal_sum, 4), hidden.value
(3.6309, 3.6309, 1.0)

A recommender's request with A = 3, B = 1, C = 0, in the best order and in the worst:

>>> request = {"u": {"A": 3, "B": 1, "C": 0}}
>>> orders = [explain(request, {"u": list(order)}, query="u", measure="nDCG@3")
...           for order in ("ABC", "CBA")]
>>> [(round(one.sum, 3), round(one.value, 3)) for one in orders]
[(7.631, 1.0), (4.131, 0.541)]

Linear gains of the grades 3, 2, 1, in that order and in another:

>>> grades = {"q": {"x": 3, "y": 2, "z": 1}}
>>> best, other = (explain(grades, {"q": list(order)}, query="q", gain="linear")
...                for order in ("xyz", "yxz"))
>>> round(best.sum, 3), round(best.ideal_sum, 3), best.value, other.value < 1
(4.762, 4.762, 1.0, True)
"""
