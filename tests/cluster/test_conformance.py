"""Every kind of index gives the same answers: in a folder, behind a service, in a cluster.

Parts agree within 1e-4; the order is the same but for pairs whose scores are closer than EPSILON.
The reference is a folder of one segment. A service ranks to the depth of its window, which hybrid's
scales depend on, so the reference is asked as deep.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import dragoman
from dragoman.cluster.address import parse_cluster_address
from dragoman.cluster.copying import copy_to_cluster, copy_to_folder
from dragoman.encoders.models import UNIVERSAL
from dragoman.errors import UnknownName, UserError
from dragoman.indexes.index import DEFAULT_BALANCE, Index
from dragoman.indexes.search.answer import Group, Result
from dragoman.indexes.search.grouping import WINDOW as GROUPED
from dragoman.indexes.search.grouping import group_hits
from dragoman.indexes.search.results import grouped_results
from dragoman.indexes.search.snippets import SNIPPET
from dragoman.service.app import create_app
from dragoman.service.catalog import Catalog
from dragoman.service.clients.remote_index import RemoteIndex
from dragoman.service.config import WINDOW
from dragoman.text.files import Faults, OnError
from dragoman.text.source import read_documents
from dragoman.types import Document
from remote import remote

SAMPLE = Path(__file__).parents[2] / "sample"
EPSILON = 1e-5
WITHIN = 1e-4
SYSTEMS = ("psq", "bm25", "dense", "hybrid")
QUERIES = [
    ("kupika bila kuni wala mkaa", "sw"),
    ("come funzionano le maree", "it"),
    ("Brot backen mit Hefe", "de"),
    ("Kilimandscharo besteigen", "de"),
    ("zzzz", "en"),
]
OPTIONS = [
    {},
    {"balance": "off", "k": 30},
    {"balance": "round-robin", "group": False},
    {"within": ["de", "sw", "hi"]},
    {"where": ["year>=2005", "kind!=b"]},
    {"where": ["kind=a|c", "draft=true"], "balance": "off", "group": False},
    {"where": ["code=01|7"], "within": ["en", "fr"]},
]


def documents() -> list[Document]:
    read = read_documents(str(SAMPLE), Faults(OnError.STOP))
    return [
        replace(
            one,
            metadata={
                **one.metadata,
                "year": 1990 + number % 30,
                "kind": "abc"[number % 3],
                "draft": number % 2 == 0,
                "code": f"{number % 10}" if number % 3 else "01",
                "nested": {"pages": number},
            },
        )
        for number, one in enumerate(read)
    ]


CHANGES = [
    Document("tides-de", "Ebbe und Flut entstehen durch den Mond.", "Gezeiten", "de", {"year": 7}),
    Document("new-it", "Le maree seguono la luna, il pane segue il lievito.", "", "it"),
    Document("blank-en", "...", "", "en", {"kind": "a"}),
    Document("odd/\udcff id", "Bread, oddly named \udc80.", "Odd \udcff", "en", {"n\udcff": "x"}),
]
DELETED = ["bread-de", "solar-cookers-sw", "no-such-document"]


@pytest.fixture(scope="module", params=SYSTEMS)
def system(request):
    if request.param in ("dense", "hybrid") and not UNIVERSAL.installed:
        pytest.skip("needs the encoder: dragoman models get default")
    return request.param


@pytest.fixture(scope="module")
def folder(system, tmp_path_factory):
    path = tmp_path_factory.mktemp("conformance") / "index"
    dragoman.index(documents(), path, system=system).close()
    return path


@dataclass
class Reference:
    """A folder of one segment, or a changed copy of it, and what it has answered so far."""

    index: Index
    answers: dict[str, list[Result]] = field(default_factory=dict)

    def results(self, text: str, depth: int, options: dict[str, Any]) -> list[Result]:
        """The results of a search that ranks to ``depth``; to that of ``search`` where it is 0."""
        asked = f"{depth} {text} {options}"
        if asked not in self.answers:
            self.answers[asked] = [*answered(self.index, text, depth, options)]
        return self.answers[asked]


@pytest.fixture(scope="module")
def original(folder):
    with dragoman.open(folder) as index:
        yield Reference(index)


@contextmanager
def changed_copy(folder: Path, name: str, changes: Sequence[Document]) -> Iterator[Reference]:
    path = folder.with_name(name)
    shutil.copytree(folder, path)
    with dragoman.open(path) as index:
        change(index, changes)
        yield Reference(index)


@pytest.fixture(scope="module")
def changed(folder):
    with changed_copy(folder, "changed", CHANGES) as reference:
        yield reference


def change(index, changes: Sequence[Document]) -> None:
    assert index.add(changes) == len(changes)
    assert index.delete(DELETED) == 2


@contextmanager
def folder_of_two_segments(path: Path, system: str) -> Iterator[Index]:
    listed = documents()
    half = len(listed) // 2
    with dragoman.index(listed[:half], path, system=system) as index:
        index.add(listed[half:])
        yield index


@contextmanager
def behind_a_service(path: Path) -> Iterator[RemoteIndex]:
    app = create_app(Catalog([path]), folder=path.with_name("service-state"))
    headers = {"X-Dragoman": "1"}
    with TestClient(app, "http://127.0.0.1:8080", headers=headers) as client:
        yield remote(client)


def assert_same_hits(found, expected):
    scores = {hit.doc_id: hit.score for hit in found}
    assert len(found) == len(expected)
    for mine, theirs in zip(found, expected, strict=True):
        assert mine.score == pytest.approx(theirs.score, abs=WITHIN)
        if mine.doc_id != theirs.doc_id:
            assert scores.get(theirs.doc_id, theirs.score) == pytest.approx(mine.score, abs=EPSILON)
            continue
        assert [part.system for part in mine.parts] == [part.system for part in theirs.parts]
        for part, other in zip(mine.parts, theirs.parts, strict=True):
            assert part.score == pytest.approx(other.score, abs=WITHIN)
            assert part.added == pytest.approx(other.added, abs=WITHIN)


def answered(index, text: str, depth: int, options: dict):
    """The results of a search that ranks to ``depth``; to that of ``search`` where it is 0."""
    if not depth:
        return index.search(text, **options).results
    k, grouped = options.get("k", 10), options.get("group", True)
    query, _ = index.query(text, options["language"])
    chosen = (options.get(name) for name in ("within", "where", "balance"))
    within, where, balance = chosen
    with index.snapshot() as snapshot:
        scope = index.scope(within, where or (), balance or DEFAULT_BALANCE)
        hits = index.rank_in(snapshot, query, depth, scope, None).hits
        groups = group_hits(snapshot, index.system, hits, GROUPED) if grouped else map(Group, hits)
        return grouped_results(index.system, snapshot, query, [*groups][:k], SNIPPET)


def shown(result):
    """What is the same of a result everywhere; a service does not tell ``snippet.met``."""
    passage = result.snippet
    where = passage.text, passage.marks, passage.start, passage.end
    return result.document, result.words, where, result.match


def assert_same_index(index, reference: Reference) -> None:
    """The same documents, rankings, results and explanations."""
    expected = reference.index
    depth = WINDOW if isinstance(index, RemoteIndex) else 0
    few = expected.manifest.system in ("bm25", "dense")  # parts of the others, asked less
    assert dict(index.languages) == dict(expected.languages)
    assert index.count() == expected.count()
    wanted = [*expected.doc_ids()[::40], "no-such-document"]
    assert index.documents(wanted) == expected.documents(wanted)
    for number, (text, language) in enumerate(QUERIES[: 2 if few else None]):
        for options in OPTIONS[number :: 3 if number else 1 + few]:  # the first query with all
            asked = {**options, "language": language}
            mine = index.search(text, **asked).results
            theirs = reference.results(text, depth, asked)
            assert_same_hits([one.hit for one in mine], [one.hit for one in theirs])
            for one, other in zip(mine, theirs, strict=True):
                if one.hit.doc_id == other.hit.doc_id:
                    assert shown(one) == shown(other)
                    members = [[m.doc_id for m in found.members] for found in (one, other)]
                    assert members[0] == members[1]
        best = theirs[0].hit.doc_id if theirs else expected.doc_ids()[0]
        explained = [i.explain(text, best, language=language) for i in (index, expected)]
        assert explained[0].score == pytest.approx(explained[1].score, abs=WITHIN)
        assert [link[:2] for link in map(_link, explained[0].links)] == [
            link[:2] for link in map(_link, explained[1].links)
        ]


def _link(link):
    return link.query_word, link.document_word, link.share


def test_a_folder_of_several_segments_answers_as_one_of_a_single_segment(
    system, original, changed, tmp_path
):
    with folder_of_two_segments(tmp_path / "index", system) as index:
        assert_same_index(index, original)
        change(index, CHANGES)
        assert_same_index(index, changed)


def test_a_service_answers_as_the_folder_that_it_serves(folder, original, tmp_path):
    shutil.copytree(folder, tmp_path / "index")
    plain = CHANGES[:-1]  # JSON has no lone surrogates
    with (
        behind_a_service(tmp_path / "index") as index,
        changed_copy(folder, "changed-by-a-service", plain) as changed,
    ):
        assert_same_index(index, original)
        change(index, plain)
        assert_same_index(index, changed)


def test_a_cluster_answers_as_the_folder_that_was_copied_and_comes_back_as_it_is(
    system, folder, original, changed, cluster, tmp_path
):
    address = parse_cluster_address(cluster.address(f"there-{system}", read_seconds=5))
    with copy_to_cluster(folder, address) as there:
        assert_same_index(there, original)
        change(there, CHANGES)
        assert_same_index(there, changed)
        with copy_to_folder(address, tmp_path / "back") as back:
            assert_same_index(back, changed)
            assert back.doc_ids() == there.doc_ids()
            assert back.manifest.settings == there.manifest.settings


@pytest.mark.parametrize("system", ["psq"], indirect=True)
def test_wrong_uses_are_refused(folder, cluster):
    address = cluster.address("refused", read_seconds=1)
    with pytest.raises(UserError, match="the cluster has no index of this name"):
        dragoman.open(address)
    with copy_to_cluster(folder, parse_cluster_address(address)) as index:
        with pytest.raises(UnknownName, match="Unknown metadata field 'yaer'"):
            index.search("bread", where=["yaer>2000"])
        with pytest.raises(UserError, match="no documents in cs"):
            index.search("bread", within=["cs"])
        with pytest.raises(UserError, match="no document has the id 'nothing'"):
            index.explain("bread", "nothing")
