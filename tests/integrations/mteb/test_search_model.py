import pytest
from datasets import Dataset
from mteb.abstasks.task_metadata import TaskMetadata
from mteb.models.model_meta import ModelMeta
from mteb.models.models_protocols import SearchProtocol

from dragoman.errors import UserError
from dragoman.integrations.mteb.search_model import SearchModel, models, scores_of
from dragoman.types import Hit, Ranking

TASK = TaskMetadata(
    name="Small",
    description="",
    dataset={"path": "small", "revision": "1"},
    type="Retrieval",
    eval_langs={"sw-en": ["swa-Latn", "eng-Latn"]},
    main_score="ndcg_at_10",
)
CORPUS = [
    {"id": "bread", "title": "Bread", "text": "Bread is baked from flour and water."},
    {"id": "tides", "title": "Tides", "text": "The moon pulls the water of the sea."},
    {"id": "mkate", "title": "", "text": "Mkate huokwa kwa unga na maji kila siku nyumbani."},
]
PLACE = {"task_metadata": TASK, "hf_split": "test", "hf_subset": "sw-en"}


@pytest.fixture(scope="module")
def indexed():
    with SearchModel("psq") as model:
        model.index(Dataset.from_list(CORPUS), **PLACE, encode_kwargs={}, num_proc=None)
        yield model


def search(model, rows, **options):
    return model.search(
        Dataset.from_list(rows), **PLACE, top_k=10, encode_kwargs={}, num_proc=None, **options
    )


def test_the_model_keeps_the_protocol_of_mteb(indexed):
    assert isinstance(indexed, SearchProtocol)


def test_a_query_finds_documents_in_both_languages(indexed):
    found = search(indexed, [{"id": "q1", "text": "mkate na unga", "language": "sw"}])
    assert set(found) == {"q1"}
    assert set(list(found["q1"])[:2]) == {"bread", "mkate"}


def test_languages_are_detected_where_rows_name_none(indexed):
    languages = {one.doc_id: one.language for one in indexed._index.documents(["bread", "mkate"])}
    assert languages == {"bread": "en", "mkate": "sw"}


def test_a_query_is_in_a_language_of_its_subset(indexed):
    named = {"id": "q1", "text": "maji", "language": "sw"}
    unnamed = {"id": "q1", "text": "maji"}
    assert search(indexed, [unnamed]) == search(indexed, [named])


def test_candidates_of_a_reranking_task_are_ranked_alone(indexed):
    rows = [{"id": "q1", "text": "bread", "language": "en"}]
    found = search(indexed, rows, top_ranked={"q1": ["tides", "bread"]})
    assert list(found["q1"]) == ["bread", "tides"]
    assert search(indexed, rows, top_ranked={}) == {"q1": {}}


def test_an_instruction_is_part_of_the_query(indexed):
    rows = [{"id": "q", "text": "moon", "instruction": "flour", "language": "en"}]
    assert set(search(indexed, rows)["q"]) >= {"bread", "tides"}


def test_a_query_that_is_a_conversation_is_refused(indexed):
    with pytest.raises(UserError, match="query 'q' without a text"):
        search(indexed, [{"id": "q", "text": [{"role": "user", "content": "bread"}]}])


def test_a_search_before_the_index_is_refused():
    with SearchModel("psq") as model, pytest.raises(UserError, match="call index first"):
        search(model, [{"id": "q", "text": "bread"}])


def test_a_declared_language_is_used_for_all_documents():
    with SearchModel("psq", document_language="eng") as model:
        model.index(Dataset.from_list(CORPUS), **PLACE)
        assert dict(model._index.languages) == {"en": 3}


def test_ties_are_ranked_as_by_this_package():
    hits = tuple(Hit(doc_id, 1.0) for doc_id in "abc")
    scores = scores_of(Ranking("q", hits))
    assert sorted(scores, key=scores.get, reverse=True) == ["a", "b", "c"]


def test_models_are_loaded_by_mteb():
    listed = models()
    assert list(listed) == ["dragoman/psq", "dragoman/dense", "dragoman/hybrid"]
    assert all(isinstance(one, ModelMeta) for one in listed.values())
    assert [one.model_type for one in listed.values()] == [["sparse"], ["dense"], ["hybrid"]]
    with listed["dragoman/psq"].load_model() as model:
        assert model.system == "psq"
