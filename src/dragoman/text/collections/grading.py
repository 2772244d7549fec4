"""Items -> graded judgments: 2 the item itself in another language, 1 what is related, 0 sampled.

The grades of Sasaki et al. (NAACL 2018), with as many sampled zeros as Liu et al. (smooth
learning) took: 40 for each query and language.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from dragoman.text.collections.items import Item, document_id
from dragoman.text.collections.sentences import folded
from dragoman.text.collections.splits import sample


class QrelsRow(NamedTuple):
    """How relevant a document is to a query."""

    query_id: str
    doc_id: str
    grade: int


def judge(
    items: Mapping[str, Item],
    queries: Mapping[str, str],
    languages: Sequence[str],
    *,
    seed: int,
    negatives: int,
) -> Iterator[QrelsRow]:
    """Judgments by query, then language (``languages`` only), then grade from high to low.

    A query is judged in the languages that its own item has a document in. An item that opens
    with the query's own sentence is never sampled as a 0: it may well be what was asked for.
    """
    pools = {code: [name for name in items if code in items[name].languages] for code in languages}
    twins: dict[str, set[str]] = {}
    for item in items.values():
        twins.setdefault(folded(item.sentence), set()).add(item.name)
    for name in queries:
        item = items[name]
        for code in languages:
            if code not in item.languages:
                continue
            related = {
                other
                for other in item.related.get(code, ())
                if other != name and other in items and code in items[other].languages
            }
            known = {name, *related, *twins[folded(item.sentence)]}
            zeros = sample(pools[code], negatives, known, ("zeros", seed, code, name))
            yield QrelsRow(name, document_id(code, name), 2)
            yield from (QrelsRow(name, document_id(code, other), 1) for other in sorted(related))
            yield from (QrelsRow(name, document_id(code, other), 0) for other in zeros)
