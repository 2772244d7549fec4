"""Items -> graded judgments: 2 for the item in another language, 1 for related ones, 0 sampled.

The grades are those of Sasaki et al. (NAACL 2018); 40 sampled zeros for each query and language
are the number of Liu et al. (smooth learning).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from dragoman.text.collections.items import Item, document_id
from dragoman.text.collections.sentences import fold_text
from dragoman.text.collections.splits import sample


class QrelsRow(NamedTuple):
    """The grade of a document for a query."""

    query_id: str
    doc_id: str
    grade: int


def sample_judgments(
    items: Mapping[str, Item],
    queries: Mapping[str, str],
    languages: Sequence[str],
    *,
    seed: int,
    negatives: int,
) -> Iterator[QrelsRow]:
    """The judgments by query, then by language, then by decreasing grade.

    A query is judged in those of ``languages`` in which its own item has a document. An item with
    the same first sentence as the query's is never sampled as a 0, because it may be relevant.
    """
    pools = {code: [name for name in items if code in items[name].languages] for code in languages}
    twins: dict[str, set[str]] = {}
    for item in items.values():
        twins.setdefault(fold_text(item.sentence), set()).add(item.name)
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
            known = {name, *related, *twins[fold_text(item.sentence)]}
            zeros = sample(pools[code], negatives, known, ("zeros", seed, code, name))
            yield QrelsRow(name, document_id(code, name), 2)
            yield from (QrelsRow(name, document_id(code, other), 1) for other in sorted(related))
            yield from (QrelsRow(name, document_id(code, other), 0) for other in zeros)
