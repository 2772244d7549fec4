"""The system and its model: what is saved, encoded, scored and found."""

import json
from itertools import combinations
from shutil import rmtree

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy

import dragoman
from dragoman.embeddings.normalization import WordTokenizer
from dragoman.errors import ConfigError, IndexFault, InputError, UnknownName
from dragoman.indexes.search.reranking import Rerank
from dragoman.ranking.balance import Balance
from dragoman.registry import system
from dragoman.systems.bilda.config import SamplingSchedule, TopicConfig
from dragoman.systems.bilda.corpus import build_corpus
from dragoman.systems.bilda.model import FACTS, TENSORS, TopicModel
from dragoman.systems.bilda.system import BildaSystem
from dragoman.systems.bilda.training import train
from dragoman.types import Document, Query, Text
from planted import planted, topic_of

SCHEDULE = SamplingSchedule(burn_in=40, every=10, sweeps=80)
HALF = 2e-3  # an index keeps logarithms of topics in half precision
REFERENCES = {
    "relative-entropy": entropy,
    "jensen-shannon": lambda one, other: jensenshannon(one, other) ** 2,
}
WASSER = Query("q", "Wasser", "de")
HALVES = [np.isin(range(4), two) / 2 for two in combinations(range(4), 2)]
UNSEEN = planted(seed=5, length=60, shares=HALVES)
DOCUMENTS = [
    *(
        Document(
            f"{text.language}:{number}",
            text.body,
            language=text.language,
            metadata={"half": "first" if number < 3 else "second"},
        )
        for number, item in enumerate(UNSEEN.items)
        for text in item
    ),
    Document("en:stranger", "nobody knows these letters", language="en"),
    Document("de:0", "Wasser und Feuer", language="de"),
]


@pytest.fixture(scope="module")
def model():
    found = planted()
    corpus = build_corpus(found.items, found.languages, WordTokenizer(), 500)
    return train(corpus, TopicConfig(topics=4, alpha=0.2, schedule=SCHEDULE))


@pytest.fixture(scope="module")
def folder(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("topics") / "model"
    model.save(path)
    return path


@pytest.fixture(scope="module", params=["relative-entropy", "jensen-shannon"])
def divergence(request):
    return request.param


@pytest.fixture(scope="module")
def index(folder, divergence, tmp_path_factory):
    """Documents in one segment and in the memtable."""
    target = tmp_path_factory.mktemp("index")
    with built(folder, target, DOCUMENTS[:9], divergence) as one:
        one.add(DOCUMENTS[9:])
        yield one


@pytest.fixture(scope="module")
def room(folder, divergence):
    return created(folder, divergence)


def built(folder, target, documents, divergence="relative-entropy"):
    settings = {"model": str(folder), "divergence": divergence}
    return dragoman.index(documents, target / "index", system="bilda", settings=settings)


def created(folder, divergence="relative-entropy"):
    return BildaSystem.create(
        BildaSystem.configure({"model": str(folder), "divergence": divergence})
    )


def query(number, language):
    text = UNSEEN.items[number][UNSEEN.languages.index(language)]
    return Query(f"q{number}", text.body, language)


def ranked(index, wanted, k, languages=None):
    return index.rank(wanted, k, index.scope(languages, balance=Balance.OFF)).hits


def scored(hits):
    return {hit.doc_id: hit.score for hit in hits}


def test_a_query_finds_its_translation_and_itself(index):
    for number in range(6):
        for language, other in (("en", "fr"), ("fr", "en")):
            hits = ranked(index, query(number, language), 10, [other])
            assert hits[0].doc_id == f"{other}:{number}"
            itself = ranked(index, query(number, language), 1, [language])[0]
            assert itself.doc_id == f"{language}:{number}"
            assert itself.score == pytest.approx(0, abs=HALF)


def test_scores_are_minus_what_scipy_says(index, model, divergence):
    for number, language in ((0, "en"), (3, "fr")):
        topics = model.infer_topics(query(number, language).content)
        expected = {
            document.doc_id: -REFERENCES[divergence](topics, other)
            for document in DOCUMENTS
            if (other := model.infer_topics(document.content)) is not None
        }
        assert len(expected) == 12
        hits = ranked(index, query(number, language), 20)
        assert scored(hits) == pytest.approx(expected, rel=HALF, abs=HALF)
        scores = [hit.score for hit in hits]
        assert scores == sorted(scores, reverse=True)


def test_a_filter_gives_what_leaving_out_gives(index):
    everything = ranked(index, query(0, "en"), 100)
    for languages in (["fr"], ["en", "fr"], ["de"]):
        hits = ranked(index, query(0, "en"), 100, languages)
        assert hits == tuple(hit for hit in everything if hit.doc_id[:2] in languages)
    scope = index.scope(where=["half=first"], balance=Balance.OFF)
    expected = {hit for hit in everything if int(hit.doc_id[3:]) < 3}
    assert {*index.rank(query(0, "en"), 100, scope).hits} == expected


def test_scores_fall_and_equal_ones_stand_by_id(folder, tmp_path, divergence):
    text = UNSEEN.items[0][0].body
    names = ["b", "a10", "a9", "é", "Z"]
    documents = [Document(name, text, language="en") for name in names]
    with built(folder, tmp_path, documents[:3], divergence) as index:
        index.add(documents[3:])
        hits = ranked(index, query(0, "en"), 10)
        assert [hit.doc_id for hit in hits] == sorted(names)
        assert ranked(index, query(0, "en"), 2) == hits[:2]


def test_the_order_of_documents_and_their_segments_do_not_matter(
    folder, index, tmp_path, divergence
):
    with built(folder, tmp_path, DOCUMENTS[::-1], divergence) as backwards:
        backwards.delete(["fr:0"])
        backwards.add([one for one in DOCUMENTS if one.doc_id == "fr:0"])
        assert ranked(backwards, query(1, "fr"), 20) == ranked(index, query(1, "fr"), 20)
        backwards.delete(["en:1"])
        left = tuple(hit for hit in ranked(index, query(1, "fr"), 20) if hit.doc_id != "en:1")
        assert ranked(backwards, query(1, "fr"), 20) == left


@pytest.mark.parametrize("text", [("", "en"), ("qqq zzz", "en"), ("Wasser", "de"), ("x", "")])
def test_a_query_without_a_known_word_finds_nothing(index, room, text):
    assert ranked(index, Query("q", *text), 10) == ()
    assert np.isnan(room.score(None, Query("q", *text), DOCUMENTS)).all()


def test_languages_of_no_topics_are_warned_about(index):
    hits = ranked(index, query(0, "en"), 100)
    assert {"en:stranger", "de:0"}.isdisjoint(hit.doc_id for hit in hits)
    warning = "the topic model was not trained on de; train one that is: dragoman train bilda"
    assert index.query_warnings(WASSER) == (warning,)
    assert index.query_warnings(query(0, "en")) == ()


def test_documents_in_no_index_have_the_scores_of_a_search(index, room):
    scores = room.score(None, query(2, "fr"), DOCUMENTS)
    by_id = dict(zip([document.doc_id for document in DOCUMENTS], scores, strict=True))
    hits = ranked(index, query(2, "fr"), 100)
    assert len(hits) == 12
    known = {doc_id: score for doc_id, score in by_id.items() if not np.isnan(score)}
    assert scored(hits) == pytest.approx(known, abs=1e-5)
    assert np.isnan([by_id["en:stranger"], by_id["de:0"]]).all()
    assert room.score(None, query(2, "fr"), []).tolist() == []


def test_a_text_has_its_topics_in_every_batch_and_every_order_of_words(model, room):
    documents = [one for one in DOCUMENTS if model.infer_topics(one.content) is not None]
    together = room.encode(documents)
    for document, encoded in zip(documents, together, strict=True):
        (alone,) = room.encode([document])
        assert alone["bilda"].tolist() == encoded["bilda"].tolist()
        turned = Text(" ".join(reversed(document.text.split())), document.language)
        assert model.infer_topics(turned).tolist() == model.infer_topics(document.content).tolist()
        assert np.exp(encoded["bilda"]).sum() == pytest.approx(1, abs=1e-5)


def test_an_explanation_links_words_of_one_topic(index):
    why = index.explain(query(1, "en").text, "fr:1", language="en")
    assert why.score == pytest.approx(scored(ranked(index, query(1, "en"), 20))["fr:1"], abs=1e-5)
    assert {link.query_word for link in why.links} == set(query(1, "en").text.split())
    for link in why.links:
        assert topic_of(link.query_word) == topic_of(link.document_word)
        assert 0 < link.weight <= 1
    shares = [link.share for link in why.links]
    assert sum(shares) == pytest.approx(1)
    assert shares == sorted(shares, reverse=True)
    stranger = index.explain(query(1, "en").text, "en:stranger", language="en")
    assert stranger.links == ()
    assert stranger.score < why.score


def test_an_index_needs_the_model_no_longer(model, index, tmp_path, divergence):
    model.save(tmp_path / "model")
    built(tmp_path / "model", tmp_path, DOCUMENTS, divergence).close()
    rmtree(tmp_path / "model")
    with dragoman.open(tmp_path / "index") as again:
        for number in range(3):
            assert ranked(again, query(number, "en"), 5) == ranked(index, query(number, "en"), 5)


def test_a_saved_system_is_a_second_stage(room, index, tmp_path):
    room.save(tmp_path)
    again = system("bilda").load(tmp_path)
    assert json.loads(json.dumps(again.settings)) == room.settings
    hits = index.rank(query(4, "en"), 12, rerank=Rerank(str(tmp_path), weight=1)).hits
    assert hits[0].doc_id in {"en:4", "fr:4"}
    expected = dict(
        zip(
            (document.doc_id for document in DOCUMENTS),
            room.score(None, query(4, "en"), DOCUMENTS),
            strict=True,
        )
    )
    for hit in hits:
        assert hit.parts[-1].score == pytest.approx(expected[hit.doc_id])


def test_the_model_on_disk_is_the_model(model, folder):
    again = TopicModel.load(folder)
    assert again.signature == model.signature
    assert again.facts == model.facts
    assert again.vocabularies == model.vocabularies
    text = UNSEEN.items[0][0]
    assert again.infer_topics(text).tolist() == model.infer_topics(text).tolist()
    assert again.top_words(0, "fr") == model.top_words(0, "fr")


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


def test_damaged_models_are_refused(folder, tmp_path):
    with pytest.raises(InputError, match="written by 'dragoman train bilda'"):
        TopicModel.load(tmp_path)
    facts = json.loads((folder / FACTS).read_text())
    (tmp_path / FACTS).write_text(json.dumps(facts))
    (tmp_path / TENSORS).write_bytes(b"?")
    with pytest.raises(InputError, match="no topics"):
        TopicModel.load(tmp_path)
    (tmp_path / FACTS).write_text(json.dumps({**facts, "words": "words:0"}))
    with pytest.raises(
        InputError, match=r"words tokenized by words:0; expected .* Train the model again"
    ):
        TopicModel.load(tmp_path)
    (tmp_path / FACTS).write_text(json.dumps({**facts, "version": 9}))
    with pytest.raises(InputError, match="version 9"):
        TopicModel.load(tmp_path)


def test_settings_are_checked(folder):
    with pytest.raises(UnknownName, match="Did you mean 'model'"):
        BildaSystem.configure({"modell": "x"})
    with pytest.raises(ConfigError, match="Train a model: dragoman train bilda"):
        BildaSystem.configure({})
    with pytest.raises(UnknownName, match="Known: jensen-shannon, relative-entropy"):
        BildaSystem.configure({"model": str(folder), "divergence": "euclidean"})
    with pytest.raises(ConfigError, match="at least one sample"):
        SamplingSchedule(burn_in=10, every=5, sweeps=12)
    with pytest.raises(ConfigError, match="topics must be from 1"):
        TopicConfig(topics=0)
    with pytest.raises(ConfigError, match="above 0"):
        TopicConfig(beta=0)
    with pytest.raises(ConfigError, match="first must be"):
        TopicConfig(first=0)


def test_the_defaults_are_the_papers():
    config = TopicConfig()
    assert (config.topics, config.prior, config.beta) == (300, 50 / 300, 0.01)
    taken = [sweep for sweep in range(1, 501) if config.schedule.takes_sample(sweep)]
    assert taken == list(range(225, 501, 25))


def test_another_systems_folder_is_refused(tmp_path):
    with pytest.raises(IndexFault, match="no settings"):
        BildaSystem.load(tmp_path)
    (tmp_path / "config.json").write_text('{"system": "dense"}')
    with pytest.raises(IndexFault, match="found 'dense'; expected 'bilda'"):
        BildaSystem.load(tmp_path)
