"""``dragoman search --min-probability``: documents above a probability."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import dragoman
from dragoman.cli.probabilities import require_probabilities, with_probability
from dragoman.errors import UserError
from dragoman.ranking.balance import Balance
from toy_searcher import TOY_DOCUMENTS, toy_index


@pytest.fixture
def index(tmp_path):
    with toy_index(tmp_path) as built:
        yield built


def test_only_likely_documents_stay(index):
    require_probabilities(index)
    answer = index.search("fire", language="en", balance=Balance.OFF)
    assert {hit.doc_id for hit in answer.ranking.hits} == {"camp", "shore"}
    sure = with_probability(answer, 0.5)
    assert [hit.doc_id for hit in sure.ranking.hits] == ["camp"]
    assert [document.doc_id for document in sure.documents] == ["camp"]
    assert with_probability(answer, 0.0) == answer


def test_scores_of_other_systems_are_no_probabilities(tmp_path):
    with (
        dragoman.index(TOY_DOCUMENTS, tmp_path / "psq", system="psq") as index,
        pytest.raises(UserError, match="whose scores are not probabilities"),
    ):
        require_probabilities(index)


def test_re_ranking_leaves_no_probabilities(index):
    with pytest.raises(UserError, match="--rerank psq gives scores that are not probabilities"):
        require_probabilities(index, "psq")
