"""A text as a person typed it -> a query with its language."""

from collections.abc import Collection, Mapping

from dragoman.errors import UserError
from dragoman.indexes.arguments import check_text
from dragoman.text.language_detection import Detection, Detector
from dragoman.text.languages import canonical
from dragoman.types import Query

LONGEST_QUERY = 100_000  # characters; beyond that it is a document, not a query


class QueryReader:
    """Detects the languages of queries; cached while an index has the same languages."""

    def __init__(self) -> None:
        self._known: tuple[Mapping[str, int], Detector] | None = None

    def read(
        self,
        text: str,
        language: str,
        query_id: str,
        languages: Mapping[str, int],
        others: Collection[str],
    ) -> tuple[Query, Detection | None]:
        """The query with its language: the declared one, or one of an index's ``languages``.

        Queries may come in ``others``, which no document is in, if the system knows them.
        """
        check_text("query", text)
        check_text("language", language)
        if len(text) > LONGEST_QUERY:
            raise UserError(
                f"The query has {len(text):,} characters; at most {LONGEST_QUERY:,} are searched."
            )
        if language:
            return Query(query_id, text, canonical(language)), None
        known = self._known
        if known is None or known[0] != languages:
            detectable = dict.fromkeys({*others} & {*Detector().languages}, 0)
            known = self._known = languages, Detector({**detectable, **languages})
        detection = known[1].detect(text)
        return Query(query_id, text, detection.language), detection
