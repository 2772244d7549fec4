"""Foreign queries for English documents, from a collection of items."""

from dataclasses import replace

import pytest

from dragoman.errors import ConfigError, InputError
from dragoman.experiments.semi_interactive.task import (
    RELATED,
    RELEVANT,
    RelevanceTaskConfig,
    ask_by_lead_sentences,
    read_task,
)
from dragoman.text.collection import Collection
from dragoman.text.collections.splits import Split
from dragoman.text.formats.plain import write_documents, write_queries
from dragoman.types import Document
from small_items import ITEMS, page, words_of, write_items

CONFIG = RelevanceTaskConfig(negatives=3, hard=1, candidates=5, hard_candidates=2, related=2)


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    return Collection.open(write_items(tmp_path_factory.mktemp("items")))


@pytest.fixture(scope="module")
def task(collection):
    return read_task(collection, CONFIG)


def test_the_rarest_languages_are_without_supervision_and_in_the_test_alone(task):
    assert task.name == "toy-items"
    assert (task.supervised, task.unsupervised) == (("de", "fr"), ("es",))
    queries = {split: {one.query.language for one in part} for split, part in task.queries.items()}
    assert queries[Split.TRAIN] == queries[Split.VALIDATION] == {"de", "fr"}
    assert queries[Split.TEST] == {"de", "fr", "es"}


def test_the_first_item_is_the_relevant_one_and_others_are_of_its_split(task):
    for split, part in task.queries.items():
        for one in part:
            name = one.items[0]
            assert one.query.query_id == f"{one.query.language}:{name}"
            assert one.query.text == page(one.query.language, int(name[4:])).title
            assert one.grades[0] == RELEVANT
            assert RELEVANT not in one.grades[1:]
            assert len(set(one.items)) == len(one.items)
            assert {task.items[other].split for other in one.items} == {split}
            assert all(task.items[other].document.language == "en" for other in one.items)


def test_related_items_are_graded_in_the_test_and_never_negatives(task):
    graded = 0
    for split, part in task.queries.items():
        for one in part:
            known = task.items[one.items[0]].related
            for name, grade in zip(one.items, one.grades, strict=True):
                assert (grade == RELATED) == (name in known)
                graded += grade == RELATED
                assert split is not Split.TRAIN or grade != RELATED
    assert graded > 0


def test_hard_negatives_look_alike_and_there_are_as_many_as_configured(task):
    for split, part in task.queries.items():
        learning = split is Split.TRAIN
        for one in part:
            assert len(one.hard) <= (CONFIG.hard if learning else CONFIG.hard_candidates)
            assert len(one.items) == (1 + CONFIG.negatives if learning else CONFIG.candidates)
            assert one.hard <= set(one.items[1:])
    assert any(one.hard for one in task.queries[Split.TEST])


def test_limits_are_kept(collection):
    some = read_task(collection, RelevanceTaskConfig(train=4, validation=2, test=3, candidates=4,
                                            hard_candidates=1, negatives=2, pool=5))  # fmt: skip
    sizes = {split: len(part) for split, part in some.queries.items()}
    assert sizes == {Split.TRAIN: 8, Split.VALIDATION: 4, Split.TEST: 9}
    assert len(some.items) < ITEMS


def test_items_compared_in_one_language_all_have_queries_in_it_or_none_has(task):
    compared = {"de": set(), "fr": set(), "es": set()}
    for one in task.queries[Split.TEST]:
        compared[one.query.language] |= set(one.items)
    assert not compared["de"] & compared["fr"]
    assert compared["es"] & compared["de"]
    assert compared["es"] & compared["fr"]
    assert {query.query_id for query in task.evaluated} == {
        one.query.query_id for split in ("validation", "test") for one in task.queries[Split(split)]
    }


def test_titles_that_are_not_translated_ask_nothing(tmp_path):
    folder = write_items(tmp_path / "items")
    same = Document("es:item9", "anything", page("en", 9).title.upper(), "es")
    documents = [same if one.doc_id == "es:item9" else one
                 for one in Collection.open(folder).documents()]  # fmt: skip
    write_documents(folder / "corpus.jsonl", documents)
    queries = read_task(Collection.open(folder), CONFIG).queries[Split.TEST]
    names = {one.items[0] for one in queries if one.query.language == "es"}
    assert "item14" in names
    assert "item9" not in names


def test_the_task_is_the_same_every_time_and_its_fingerprint_tells_tasks_apart(collection, task):
    assert read_task(collection, CONFIG).fingerprint == task.fingerprint
    other = read_task(collection, CONFIG, supervised=["de", "es"])
    assert other.supervised == ("de", "es")
    assert other.unsupervised == ("fr",)
    assert other.fingerprint != task.fingerprint


def test_items_that_would_ask_the_same_ask_nothing(tmp_path):
    folder = write_items(tmp_path / "items")
    same = Document("es:item9", "anything", page("es", 14).title, "es")
    documents = [same if one.doc_id == "es:item9" else one
                 for one in Collection.open(folder).documents()]  # fmt: skip
    write_documents(folder / "corpus.jsonl", documents)
    queries = read_task(Collection.open(folder), CONFIG).queries[Split.TEST]
    names = {one.items[0] for one in queries if one.query.language == "es"}
    assert "item19" in names
    assert not names & {"item9", "item14"}


def test_a_collection_without_queries_is_refused(collection, tmp_path):
    with pytest.raises(ConfigError, match="no pages in sw; there are some in de, fr, es"):
        read_task(collection, CONFIG, supervised=["sw"])
    folder = write_items(tmp_path / "items")
    queries = [
        replace(q, metadata={"split": "train"}) if q.metadata["split"] == "validation" else q
        for q in collection.queries()
    ]
    write_queries(folder / "queries.jsonl", queries)
    with pytest.raises(InputError, match="no query of the validation split"):
        read_task(Collection.open(folder), CONFIG)


def test_lead_sentences_ask_for_the_same_items_without_the_words_of_their_titles(task):
    asked = ask_by_lead_sentences(task)
    assert asked.fingerprint != task.fingerprint
    for split, part in task.queries.items():
        for title, sentence in zip(part, asked.queries[split], strict=True):
            number, code = int(title.items[0][4:]), title.query.language
            words = words_of(code, number)[:-1]  # the last one is in the title
            assert sentence.query.text == " ".join(words)
            assert replace(sentence, query=title.query) == title


def test_a_page_without_a_lead_sentence_is_asked_for_by_its_title(task):
    bare = {name: replace(item, pages={code: replace(one, text="") if code == "de" else one
                                       for code, one in item.pages.items()})
            for name, item in task.items.items()}  # fmt: skip
    asked = ask_by_lead_sentences(replace(task, items=bare))
    for title, one in zip(task.queries[Split.TEST], asked.queries[Split.TEST], strict=True):
        assert (one == title) == (title.query.language == "de")
