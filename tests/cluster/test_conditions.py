"""Filters of Qdrant against those of a folder, on the same documents."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qdrant_client import QdrantClient, models

import dragoman
from dragoman.cluster.conditions import point_filter
from dragoman.cluster.points import StoredDocument, payload_of
from dragoman.indexes.filters import Condition, Filter, Operator
from dragoman.indexes.search.listing import list_documents
from dragoman.types import Document

VALUES = [0, 7, -2.5, 2019, 1e301, True, False, "7", "07", "2019", "true", "Anna", "a\udcff", ""]
METADATA = [
    {},
    *({"field": value} for value in VALUES),
    *({"field": [value, "Anna"], "other": value} for value in VALUES),
    *({"nested": {"field": value}} for value in VALUES),
]
DOCUMENTS = [
    Document(f"{number:02d}", "Bread is baked.", "", "en" if number % 2 else "de", one)
    for number, one in enumerate(METADATA)
]


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory):
    folder = tmp_path_factory.mktemp("conditions") / "index"
    with dragoman.index(DOCUMENTS, folder, system="bm25") as index, index.snapshot() as taken:
        yield taken


@pytest.fixture(scope="module")
def client():
    """The reference implementation of Qdrant in its client, which runs without a server."""
    local = QdrantClient(":memory:")
    local.create_collection("news", vectors_config={})
    points = [
        models.PointStruct(
            id=number, vector={}, payload=payload_of(StoredDocument(one, {}), (), fence=1)
        )
        for number, one in enumerate(DOCUMENTS)
    ]
    local.upsert("news", points)
    return local


compared = st.builds(
    Condition,
    st.sampled_from(["field", "other", "nested.field"]),
    st.sampled_from([Operator.ABOVE, Operator.AT_LEAST, Operator.BELOW, Operator.AT_MOST]),
    st.sampled_from([(0.0,), (7.0,), (2018.5,), (-2.5,)]),
)
matched = st.builds(
    Condition,
    st.sampled_from(["field", "other", "nested.field"]),
    st.sampled_from([Operator.EQUAL, Operator.NOT_EQUAL]),
    st.lists(st.sampled_from(VALUES), min_size=1, max_size=3).map(tuple),
)
filters = st.builds(
    Filter,
    st.sampled_from([(), ("en",), ("de", "en")]),
    st.lists(compared | matched, max_size=2).map(tuple),
)


@given(filters)
@settings(max_examples=150, deadline=None)
def test_the_same_documents_meet_a_filter_in_a_cluster(snapshot, client, chosen):
    expected = [one.doc_id for one in list_documents(snapshot, chosen)]
    found, _ = client.scroll("news", point_filter(chosen), limit=len(DOCUMENTS))
    assert sorted(DOCUMENTS[int(one.id)].doc_id for one in found) == expected
