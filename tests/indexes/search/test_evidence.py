"""Evidence by vectors: cosines, their margins, and documents without any."""

import numpy as np
import pytest

import dragoman
from dragoman.indexes.search.evidence import NEXT, PASSAGE_DISCOUNT, vector_evidence
from dragoman.indexes.spaces import Record
from dragoman.types import Document
from small_systems import settings_of

AXES = np.eye(8, dtype=np.float32)


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    """Three English documents and a German one; ``long`` has two rows, ``empty`` none."""
    folder = tmp_path_factory.mktemp("evidence")
    rows = {
        "en-near": AXES[[0]],
        "en-half": (AXES[[0]] + AXES[[1]]) / 2**0.5,
        "en-long": AXES[[2, 0]],
        "de-lone": AXES[[0]],
        "en-empty": None,
    }
    records = [
        Record(Document(name, "x", language=name[:2]), {} if row is None else {"dense": row})
        for name, row in rows.items()
    ]
    settings = settings_of("dense", folder)
    first = [Document("first", "water", language="en")]
    with dragoman.index(first, folder / "index", system="dense", settings=settings) as made:
        made.store_records(records)
        made.delete(["first"])
        yield made


def evidence(index, *doc_ids, vector=AXES[0]):
    with index.snapshot() as snapshot:
        return vector_evidence(snapshot, "dense", vector, snapshot.numbers_of(doc_ids))


def test_evidence_is_the_cosine_and_how_far_it_stands_above_the_others_of_the_language(index):
    cosine, margin = evidence(index, "en-near")[0]
    others = [1.0, 0.5**0.5]  # the long and the half; there are eight less than are compared
    assert cosine == pytest.approx(1.0, abs=1e-3)
    assert margin == pytest.approx(1.0 - sum(others) / NEXT, abs=1e-3)


def test_the_best_of_several_passages_counts_a_little_less(index):
    near, long = evidence(index, "en-near", "en-long")
    assert near[0] - long[0] == pytest.approx(PASSAGE_DISCOUNT * np.log(2), abs=1e-3)


def test_the_only_document_of_a_language_stands_above_nothing(index):
    assert evidence(index, "de-lone")[0].tolist() == pytest.approx([1.0, 1.0], abs=1e-3)


def test_what_has_no_vector_has_no_evidence(index):
    assert evidence(index, "en-empty")[0][0] == 0
    assert not evidence(index, "en-near", vector=np.zeros(8, np.float32)).any()
    assert evidence(index).shape == (0, 2)


def test_the_evidence_of_a_hit_does_not_depend_on_the_other_hits(index):
    together = evidence(index, "en-near", "de-lone", "en-half")
    alone = np.vstack([evidence(index, one) for one in ("en-near", "de-lone", "en-half")])
    assert together.tolist() == alone.tolist()
