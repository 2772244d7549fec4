"""Documents, queries, judgments -> fingerprints: equal data have equal ones, in whatever order.

A fingerprint is the sum of the SHA-256 of every record, modulo 2**128, in 32 hexadecimal digits.
It depends on ids, languages, titles and texts; metadata are left out, because no ranking without a
filter depends on them.
"""

from collections.abc import Iterable
from hashlib import sha256

from dragoman.types import Document, Judgments, Query

DIGITS = 32
_MODULUS = 16**DIGITS


def fingerprint_documents(documents: Iterable[Document]) -> str:
    """The fingerprint of a corpus."""
    return _fingerprint((one.doc_id, one.language, one.title, one.text) for one in documents)


def fingerprint_queries(queries: Iterable[Query]) -> str:
    """The fingerprint of queries."""
    return _fingerprint((one.query_id, one.language, one.text) for one in queries)


def fingerprint_judgments(judgments: Judgments) -> str:
    """The fingerprint of judgments."""
    return _fingerprint(
        (query_id, doc_id, str(grade))
        for query_id, grades in judgments.items()
        for doc_id, grade in grades.items()
    )


def _fingerprint(records: Iterable[tuple[str, ...]]) -> str:
    total = 0
    for fields in records:
        digest = sha256()
        for field in fields:
            coded = field.encode("utf-8")
            digest.update(f"{len(coded)}:".encode())
            digest.update(coded)
        total += int.from_bytes(digest.digest()[: DIGITS // 2], "big")
    return f"{total % _MODULUS:0{DIGITS}x}"
