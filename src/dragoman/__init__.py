"""Cross-lingual search: a query in one language finds documents in others.

import dragoman
index = dragoman.index(documents, "my-index")
answer = dragoman.open("my-index").search("come funzionano le maree", k=10)
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.types import Document, Hit, Query, Ranking, Text

if TYPE_CHECKING:
    from dragoman.indexes.index import Index
    from dragoman.service.clients.async_remote_index import AsyncRemoteIndex
    from dragoman.service.clients.remote_index import RemoteIndex

__version__ = version("dragoman")
__all__ = [
    "Document",
    "Hit",
    "Query",
    "Ranking",
    "Text",
    "__version__",
    "connect",
    "connect_async",
    "default_system",
    "index",
    "open",
]


def default_system() -> str:
    """``hybrid`` where the default sentence encoder has been fetched, else ``psq``."""
    from dragoman.encoders.models import UNIVERSAL  # noqa: PLC0415 - import dragoman stays instant

    return "hybrid" if UNIVERSAL.installed else "psq"


def index(
    documents: Iterable[Document],
    path: str | Path,
    *,
    system: str | None = None,
    languages: Collection[str] | None = None,
    settings: Mapping[str, object] | None = None,
) -> "Index":
    """An index of ``documents`` in the folder ``path``; texts without a language are detected.

    ``languages`` restricts detection to the languages that the collection is known to hold;
    ``system`` defaults to ``default_system()``.
    """
    from dragoman.indexes.arguments import (  # noqa: PLC0415
        check_path,
        checked_documents,
        text_list,
    )
    from dragoman.indexes.build import build  # noqa: PLC0415
    from dragoman.text.language_detection import with_languages  # noqa: PLC0415

    check_path(path)
    candidates = None if languages is None else text_list("languages", languages)
    known = with_languages(checked_documents(documents), candidates, Counter())
    chosen = system or default_system()
    return build(known, Path(path), system=chosen, version=__version__, settings=settings)


def open(path: str | Path) -> "Index":  # noqa: A001 - as in gzip.open
    """The index in the folder ``path``, or in a cluster, as in ``qdrant://127.0.0.1:6333/name``."""
    from dragoman.cluster.address import is_cluster_address  # noqa: PLC0415
    from dragoman.indexes.arguments import check_path  # noqa: PLC0415
    from dragoman.indexes.index import Index  # noqa: PLC0415

    check_path(path)
    if isinstance(path, str) and is_cluster_address(path):
        from dragoman import registry  # noqa: PLC0415

        opened: Index = registry.load("dragoman.cluster.index:ClusterIndex")(path)
        return opened
    return Index(Path(path))


def connect(url: str, key: str = "", *, index: str = "", texts: bool = True) -> "RemoteIndex":
    """The index of the service at ``url``, used as one that ``open`` gives.

    ``index`` names one of several, unless ``url`` ends in ``/v1/indexes/NAME``. Without ``texts``
    results come without the texts of their documents, which may be long.
    """
    from dragoman import registry  # noqa: PLC0415

    kind = registry.load("dragoman.service.clients.remote_index:RemoteIndex")
    remote: RemoteIndex = kind(url, key, index=index, texts=texts)
    return remote


def connect_async(
    url: str, key: str = "", *, index: str = "", texts: bool = True
) -> "AsyncRemoteIndex":
    """The same as ``connect``, with methods to await."""
    from dragoman import registry  # noqa: PLC0415

    kind = registry.load("dragoman.service.clients.async_remote_index:AsyncRemoteIndex")
    remote: AsyncRemoteIndex = kind(url, key, index=index, texts=texts)
    return remote
