"""The first levels of each ranking as text: what trec_eval prints as relstring."""

from __future__ import annotations

import numpy as np

from ndcg.compat.seen import Seen
from ndcg.kernel import Bools

_UNJUDGED, _NEGATIVE, _ABOVE = ord("-"), ord("."), ord(">")


def strings(seen: Seen, length: int, missing: Bools) -> list[str]:
    """The string of each query, in single quotes; that of a missing query is empty.

    Digits are levels, ``>`` one above 9, ``.`` a negative judgment, ``-`` none at all.
    """
    docs = seen.ranked_levels()
    number = np.clip(seen.returned, 0, max(length, 0)).astype(np.int64)
    width = int(number.max(initial=0))
    marks = np.full((len(number), width), _UNJUDGED, np.uint8)
    here = (docs.rank > 0) & (docs.rank <= number[docs.row])
    grade = docs.grade[here]
    level = np.where(grade > 9, _ABOVE, ord("0") + np.clip(grade, 0, 9))
    level = np.where(grade < 0, _NEGATIVE, level)
    marks[docs.row[here], docs.rank[here] - 1] = level
    number = np.where(missing, 0, number)
    text = marks.tobytes().decode("latin-1")
    return [f"'{text[at * width : at * width + n]}'" for at, n in enumerate(number.tolist())]
