"""The system and its model: what is saved, encoded, scored and found."""

import json
from itertools import combinations

import numpy as np
import pytest
from planted import planted, topic_of

import dragoman
from dragoman.errors import ConfigError, IndexFault, InputError, UnknownName
from dragoman.protocols import silent
from dragoman.ranking.balance import Balance
from dragoman.registry import system
from dragoman.systems.bilda.config import Schedule, TopicConfig
from dragoman.systems.bilda.corpus import collect
from dragoman.systems.bilda.learning import learn
from dragoman.systems.bilda.model import FACTS, TENSORS, TopicModel
from dragoman.systems.bilda.system import BildaSystem
from dragoman.types import Document, Query, Text
from dragoman.vectors.spelling import Preparation

SCHEDULE = Schedule(burn_in=40, every=10, sweeps=80)
WASSER = Query("q", "Wasser", "de")
HALVES = [np.isin(range(4), two) / 2 for two in combinations(range(4), 2)]
UNSEEN = planted(seed=5, length=60, shares=HALVES)
DOCUMENTS = [
    *(
        Document(f"{text.language}:{number}", text.body, language=text.language)
        for number, item in enumerate(UNSEEN.items)
        for text in item
    ),
    Document("en:stranger", "nobody knows these letters", language="en"),
    Document("de:0", "Wasser und Feuer", language="de"),
]


@pytest.fixture(scope="module")
def model():
    found = planted()
    corpus = collect(found.items, found.languages, Preparation(), 500)
    return learn(corpus, TopicConfig(topics=4, alpha=0.2, schedule=SCHEDULE))


@pytest.fixture(scope="module")
def folder(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("topics") / "model"
    model.save(path)
    return path


@pytest.fixture(scope="module", params=["relative-entropy", "jensen-shannon"])
def searched(request, folder):
    return built(folder, DOCUMENTS, request.param)


def built(folder, documents, divergence="relative-entropy"):
    config = BildaSystem.configure({"model": str(folder), "divergence": divergence})
    return BildaSystem.build(iter(documents), config, silent)


def query(number, language):
    text = UNSEEN.items[number][UNSEEN.languages.index(language)]
    return Query(f"q{number}", text.body, language)


def test_a_query_finds_its_translation_and_itself(searched):
    for number in range(6):
        for asked, other in (("en", "fr"), ("fr", "en")):
            hits = searched.search(query(number, asked), 10, [other]).hits
            assert hits[0].doc_id == f"{other}:{number}"
            itself = searched.search(query(number, asked), 1, [asked]).hits[0]
            assert (itself.doc_id, itself.score) == (f"{asked}:{number}", 0.0)


def test_a_filter_gives_what_leaving_out_gives(searched):
    everything = searched.search(query(0, "en"), 100).hits
    for languages in (["fr"], ["en", "fr"], [], ["it"]):
        found = searched.search(query(0, "en"), 100, languages).hits
        assert found == tuple(hit for hit in everything if hit.doc_id[:2] in languages)


def test_scores_fall_and_equal_ones_stand_by_id(folder):
    text = UNSEEN.items[0][0].body
    names = ["b", "a10", "a9", "é", "Z"]
    searched = built(folder, [Document(name, text, language="en") for name in names])
    hits = searched.search(query(0, "en"), 10).hits
    assert [hit.doc_id for hit in hits] == sorted(names)
    assert searched.search(query(0, "en"), 2).hits == hits[:2]


def test_the_order_of_documents_does_not_matter(folder, searched):
    backwards = built(folder, DOCUMENTS[::-1], searched.config.divergence)
    assert backwards.search(query(1, "fr"), 20) == searched.search(query(1, "fr"), 20)


@pytest.mark.parametrize("asked", [("", "en"), ("qqq zzz", "en"), ("Wasser", "de"), ("x", "")])
def test_a_query_without_a_known_word_finds_nothing(searched, asked):
    assert searched.search(Query("q", *asked), 10).hits == ()


def test_what_cannot_be_found_is_told(searched):
    hits = searched.search(query(0, "en"), 100).hits
    assert {"en:stranger", "de:0"}.isdisjoint(hit.doc_id for hit in hits)
    assert searched.notices == (
        "the topics know nothing of de; train a model with it: dragoman train bilda",
        "1 documents have no word that the topics know and cannot be found",
    )
    assert searched.query_notice(query(0, "en")) is None
    assert "know nothing of de" in searched.query_notice(Query("q", "Wasser", "de"))


def test_encoded_and_scored_it_gives_what_search_gives(searched):
    (asked,) = searched.encode_queries([query(2, "fr").content])
    texts = [document.content for document in DOCUMENTS]
    scores = searched.score(asked, searched.encode_documents(texts))
    by_id = dict(zip([document.doc_id for document in DOCUMENTS], scores, strict=True))
    hits = searched.search(query(2, "fr"), 100).hits
    assert len(hits) == 12
    assert {hit.doc_id: hit.score for hit in hits} == {
        hit.doc_id: by_id[hit.doc_id] for hit in hits
    }
    assert np.isfinite(scores).all()
    assert searched.score(asked, []).tolist() == []


def test_a_text_has_its_topics_in_every_batch_and_every_order_of_words(model, searched):
    texts = [text for item in UNSEEN.items for text in item]
    together = searched.encode_documents(texts)
    for text, encoded in zip(texts, together, strict=True):
        (alone,) = searched.encode_documents([text])
        assert alone.tolist() == encoded.tolist()
        turned = Text(" ".join(reversed(text.body.split())), text.language)
        assert model.topics_of(turned).tolist() == model.topics_of(text).tolist()
        assert encoded.sum() == pytest.approx(1, abs=1e-5)


def test_an_explanation_links_words_of_one_topic(searched):
    document = next(d for d in DOCUMENTS if d.doc_id == "fr:1")
    why = searched.explain(query(1, "en"), document)
    hits = {hit.doc_id: hit.score for hit in searched.search(query(1, "en"), 20).hits}
    assert why.score == hits["fr:1"]
    assert {link.query_word for link in why.links} == set(query(1, "en").text.split())
    for link in why.links:
        assert topic_of(link.query_word) == topic_of(link.document_word)
        assert 0 < link.weight <= 1
    shares = [link.share for link in why.links]
    assert sum(shares) == pytest.approx(1)
    assert shares == sorted(shares, reverse=True)
    stranger = next(d for d in DOCUMENTS if d.doc_id == "en:stranger")
    assert searched.explain(query(1, "en"), stranger).links == ()


def test_saved_and_loaded_it_answers_alike(searched, tmp_path):
    searched.save(tmp_path)
    again = system("bilda").load(tmp_path)
    queries = [query(number, "en") for number in range(3)]
    assert again.search_many(queries, 5) == searched.search_many(queries, 5)
    assert again.settings == searched.settings
    assert json.loads(json.dumps(again.settings)) == searched.settings
    assert list(again.notices) == list(searched.notices)


def test_the_model_on_disk_is_the_model(model, folder):
    again = TopicModel.load(folder)
    assert again.signature == model.signature
    assert again.facts == model.facts
    assert again.vocabularies == model.vocabularies
    text = UNSEEN.items[0][0]
    assert again.topics_of(text).tolist() == model.topics_of(text).tolist()
    assert again.best_words(0, "fr") == model.best_words(0, "fr")


def test_word_probabilities_sum_to_one_in_every_topic(model):
    english = len(model.vocabularies[0])
    rows = {"en": np.arange(english), "fr": english + np.arange(len(model.vocabularies[1]))}
    for code, inside in rows.items():
        sums = model.word_probabilities(inside, code).sum(axis=0)
        assert sums == pytest.approx(np.ones(4))


def test_texts_of_the_topics_are_less_perplexing_than_shuffled_ones(model):
    texts = [text for item in UNSEEN.items for text in item]
    words = " ".join(text.body for text in texts if text.language == "en").split()
    rng = np.random.default_rng(0)
    shuffled = [Text(" ".join(rng.choice(words, 60)), "en") for _ in range(6)]
    assert model.perplexity(texts) < 0.8 * model.perplexity(shuffled)
    assert np.isnan(model.perplexity([Text("", "en")]))


def test_damaged_models_are_told(folder, tmp_path):
    with pytest.raises(InputError, match="written by 'dragoman train bilda'"):
        TopicModel.load(tmp_path)
    facts = json.loads((folder / FACTS).read_text())
    (tmp_path / FACTS).write_text(json.dumps(facts))
    (tmp_path / TENSORS).write_bytes(b"?")
    with pytest.raises(InputError, match="no topics"):
        TopicModel.load(tmp_path)
    (tmp_path / FACTS).write_text(json.dumps({**facts, "words": "words:0"}))
    with pytest.raises(
        InputError, match=r"words read by words:0; expected .* Train the model again"
    ):
        TopicModel.load(tmp_path)
    (tmp_path / FACTS).write_text(json.dumps({**facts, "version": 9}))
    with pytest.raises(InputError, match="version 9"):
        TopicModel.load(tmp_path)


def test_a_document_that_comes_twice_is_refused(folder):
    with pytest.raises(InputError, match="'en:0' a second time"):
        built(folder, [*DOCUMENTS, DOCUMENTS[0]])


def test_settings_are_checked(folder):
    with pytest.raises(UnknownName, match="Did you mean 'model'"):
        BildaSystem.configure({"modell": "x"})
    with pytest.raises(ConfigError, match="bilda needs a model"):
        BildaSystem.configure({})
    with pytest.raises(UnknownName, match="Known: jensen-shannon, relative-entropy"):
        BildaSystem.configure({"model": str(folder), "divergence": "euclidean"})
    with pytest.raises(ConfigError, match="at least one sample"):
        Schedule(burn_in=10, every=5, sweeps=12)
    with pytest.raises(ConfigError, match="topics must be from 1"):
        TopicConfig(topics=0)
    with pytest.raises(ConfigError, match="above 0"):
        TopicConfig(beta=0)
    with pytest.raises(ConfigError, match="first must be"):
        TopicConfig(first=0)


def test_the_defaults_are_the_papers():
    config = TopicConfig()
    assert (config.topics, config.prior, config.beta) == (300, 50 / 300, 0.01)
    taken = [sweep for sweep in range(1, 501) if config.schedule.samples(sweep)]
    assert taken == list(range(225, 501, 25))


def test_another_systems_folder_is_refused(tmp_path):
    with pytest.raises(IndexFault, match="no settings"):
        BildaSystem.load(tmp_path)
    (tmp_path / "config.json").write_text('{"system": "dense"}')
    with pytest.raises(IndexFault, match="found 'dense'; expected 'bilda'"):
        BildaSystem.load(tmp_path)


def test_an_index_that_changes_finds_what_the_system_finds(folder, tmp_path):
    settings = {"model": str(folder)}
    static = built(folder, DOCUMENTS)
    with dragoman.index(DOCUMENTS[:5], tmp_path / "i", system="bilda", settings=settings) as index:
        index.add(DOCUMENTS[5:])
        assert any("know nothing of de" in notice for notice in index.query_notices(WASSER))
        everywhere = index.scope(balance=Balance.OFF)
        for number, language in ((0, "en"), (3, "fr")):
            asked = query(number, language)
            expected = {hit.doc_id: hit.score for hit in static.search(asked, 20).hits}
            hits = index.rank(asked, 20, everywhere).hits
            scores = {hit.doc_id: hit.score for hit in hits}
            # the store keeps half precision
            assert scores == pytest.approx(expected, abs=5e-3)
            assert hits[0].doc_id == f"{language}:{number}"
        document = next(d for d in DOCUMENTS if d.doc_id == "fr:1")
        why = index.explain(query(1, "en").text, "fr:1", language="en")
        assert why == static.explain(query(1, "en"), document)
    with dragoman.open(tmp_path / "i") as again:
        assert again.rank(query(3, "fr"), 1, everywhere).hits[0].doc_id == "fr:3"


def test_an_index_is_searched_by_what_is_an_inner_product(folder, tmp_path):
    settings = {"model": str(folder), "divergence": "jensen-shannon"}
    with pytest.raises(ConfigError, match=r"jensen-shannon is not\. Use it as a second stage"):
        dragoman.index(DOCUMENTS, tmp_path / "i", system="bilda", settings=settings)
