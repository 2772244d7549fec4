"""Mean lengths, document frequencies and names follow changes exactly, as if built afresh."""

from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dragoman
from dragoman.ranking.balance import Balance
from dragoman.types import Document, Query

TEXTS = {
    "en": ["red house by the water", "house", "Obama, Osama and Obama", "", "the ship and a boat"],
    "de": ["rotes Haus", "Haus am Wasser, Haus am Hafen", "Obama", "—", "Schiff"],
    "ru": ["красный дом", "вода и дом", "Обама и Осама", "?", "дом дом дом"],
}
FIRST = [
    Document(f"{code}{number}", text, language=code)
    for code, texts in TEXTS.items()
    for number, text in enumerate(texts[:2])
]
QUERIES = [
    Query("q", text, language)
    for text, language in [("red house Obama", "en"), ("Haus Wasser", "de"), ("Осама дом", "ru")]
]
# a document that comes, or comes again with another text; one that goes; all segments merged
changes = st.lists(
    st.tuples(st.sampled_from([*TEXTS]), st.integers(0, 3), st.integers(0, 4))
    | st.tuples(st.just("delete"), st.sampled_from([*TEXTS]), st.integers(0, 3))
    | st.just(("merge",)),
    min_size=3,
    max_size=8,
)


def change(index, live, step):
    """Apply one change to an index and to a dict of the documents that should be in it."""
    if step[0] == "merge":
        index.optimize()
    elif step[0] == "delete":
        doc_id = f"{step[1]}{step[2]}"
        assert index.delete([doc_id]) == (live.pop(doc_id, None) is not None)
    else:
        code, number, text = step
        document = Document(f"{code}{number}", TEXTS[code][text], language=code)
        index.add([document])
        live[document.doc_id] = document


def statistics(index):
    """Mean lengths and the document frequencies of all dimensions that a live document has."""
    with index.snapshot() as snapshot:
        postings = index.system.postings(snapshot)
        listed = [
            reader.segment.postings(index.system.space).dimensions for reader in snapshot.readers
        ]
        dimensions = np.unique(np.concatenate(listed))
        frequencies = postings.locate(dimensions).frequencies
        met = frequencies > 0
        frequent = zip(dimensions[met].tolist(), frequencies[met].tolist(), strict=True)
        return dict(snapshot.languages), dict(postings.mean_lengths), dict(frequent)


@pytest.mark.parametrize("name", ["psq", "idf"])
@given(steps=changes)
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_after_changes_an_index_is_one_that_was_built_of_what_is_left(name, lexicons, steps):
    live = {document.doc_id: document for document in FIRST}
    chosen = {"lexicons": lexicons}
    with (
        TemporaryDirectory() as folder,
        dragoman.index(FIRST, f"{folder}/changed", system=name, settings=chosen) as changed,
    ):
        for step in steps:
            change(changed, live, step)
        if not live:
            change(changed, live, ("en", 0, 0))  # an index is built of one document or more
        with dragoman.index(
            live.values(), f"{folder}/fresh", system=name, settings=chosen
        ) as fresh:
            assert statistics(changed) == statistics(fresh)
            for query in QUERIES:
                for balance in (Balance.OFF, Balance.CALIBRATED):
                    rankings = [
                        i.rank(query, 20, i.scope(balance=balance)) for i in (changed, fresh)
                    ]
                    assert rankings[0] == rankings[1]


def test_means_and_frequencies_of_a_hand_worked_example(tmp_path):
    with dragoman.index(FIRST, tmp_path / "i", system="bm25", settings={}) as index:
        assert statistics(index)[:2] == (
            {"de": 2, "en": 2, "ru": 2},
            {"de": 3.0, "en": 2.0, "ru": 2.0},
        )
        index.add([Document("en2", "red red boat", language="en")])
        index.delete(["en1", "ru0", "ru1"])
        counts, means, frequencies = statistics(index)
        assert (counts, means) == ({"de": 2, "en": 2}, {"de": 3.0, "en": 3.0})
        assert sorted(frequencies.values()) == [1, 1, 1, 1, 1, 1, 2, 2]  # haus, red are in two
