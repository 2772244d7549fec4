"""Translations of the best hits are raised: by how much, and when they are looked for."""

import json
from dataclasses import replace
from math import exp, sqrt
from time import monotonic, sleep

import numpy as np
import pytest

import dragoman
from dragoman.errors import ConfigError
from dragoman.indexes.spaces import Record
from dragoman.ranking.balance import Balance
from dragoman.systems.hybrid.config import HybridConfig
from dragoman.systems.hybrid.translation_boost import (
    MARGIN,
    TEMPERATURE,
    Seed,
    SeedHit,
    boosts,
    seeds,
)
from dragoman.types import Document
from toys import toy_encoder

ENGLISH = {"water": 0, "fire": 1, "man": 2, "house": 3, "bread": 4, "tides": (0, 5)}
SWAHILI = {"maji": 0, "moto": 1, "mtu": 2, "nyumba": 3, "mkate": 4, "kupwa": (0, 5)}
OTHERS = 29
PATIENCE = 20  # seconds, for what must not wait at all
DOCUMENTS = [
    Document("en-right", "tides", language="en"),
    *(Document(f"en-{n:02d}", "fire man", language="en") for n in range(OTHERS)),
    Document("sw-right", "kupwa", language="sw"),
    *(Document(f"sw-{n:02d}", "moto mtu", language="sw") for n in range(OTHERS)),
]


@pytest.fixture(scope="module")
def readers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("encoders")
    toy_encoder("en", ENGLISH).save(folder / "en")
    toy_encoder("sw", SWAHILI).save(folder / "sw")
    return {
        "encoder": str(folder / "en"),
        "students": [str(folder / "sw")],
        "shipped_students": False,
    }


def built(folder, readers, documents=DOCUMENTS, **settings):
    settings = {"dense": readers, **settings}
    return dragoman.index(documents, folder / "index", system="hybrid", settings=settings)


def boosted(ranking):
    parts = [(hit.doc_id, part) for hit in ranking.hits for part in hit.parts]
    return {doc_id: part for doc_id, part in parts if part.system == "translation"}


@pytest.fixture(scope="module")
def index(tmp_path_factory, readers):
    """An index that no test changes."""
    with built(tmp_path_factory.mktemp("boosted"), readers) as made:
        yield made


@pytest.fixture
def changing(tmp_path, readers):
    with built(tmp_path, readers) as made:
        yield made


def of_rows(doc_id, rows):
    document = Document(doc_id, "x", language="en")
    return Record(document, {"dense": np.array(rows, np.float32)} if len(rows) else {})


def test_a_translation_stands_out_by_the_margin_worked_by_hand(index):
    with index.snapshot() as snapshot:
        groups = index.scope().groups(snapshot)
        (right, translation) = snapshot.numbers_of(["en-right", "sw-right"]).tolist()
        (alone,) = seeds(snapshot, "dense", [SeedHit("en", right, 1.0)])
        seed = Seed("en", 0.5, alone.vector)
        raised = boosts(snapshot, "dense", [seed], groups, ["en", "sw"])
    # one cosine of 1 among 29 of 0: its z-score is the square root of 29
    distance = pytest.approx(0.5 * (sqrt(OTHERS) - MARGIN), rel=1e-3)
    assert {code: dict(mine) for code, mine in raised.items()} == {"sw": {translation: distance}}


def test_seeds_weigh_by_the_softmax_of_their_scores(index):
    with index.snapshot() as snapshot:
        loud, quiet = snapshot.numbers_of(["en-right", "en-00"]).tolist()
        first, second = seeds(
            snapshot, "dense", [SeedHit("en", loud, 3.0), SeedHit("en", quiet, 1.0)]
        )
        assert seeds(snapshot, "dense", []) == []
    assert first.weight / second.weight == pytest.approx(exp(2.0 / TEMPERATURE))
    assert first.weight + second.weight == pytest.approx(1.0)


def test_a_hit_without_a_vector_is_no_seed_and_of_a_long_one_the_middle_passage_is(changing):
    rows = np.eye(8, dtype=np.float32)[[1, 4, 2]]
    changing.store_records([of_rows("mute", []), of_rows("long", rows)])
    with changing.snapshot() as snapshot:
        mute, long = snapshot.numbers_of(["mute", "long"]).tolist()
        hits = [SeedHit("en", mute, 3.0), SeedHit("en", long, 1.0)]
        (seed,) = seeds(snapshot, "dense", hits)
    assert seed.vector.tolist() == rows[1].tolist()


def test_a_translation_of_the_best_hit_is_raised_and_says_so(index):
    ranking = index.search("tides", language="en", group=False).ranking
    part = boosted(ranking)["sw-right"]
    assert part.added == pytest.approx(HybridConfig().boost_weight * part.score)
    for hit in ranking.hits:
        assert hit.score == pytest.approx(sum(part.added for part in hit.parts))
    assert {hit.doc_id for hit in ranking.hits[:2]} == {"en-right", "sw-right"}


def test_what_the_query_itself_does_not_reach_is_found_as_a_translation(tmp_path, readers):
    named = [Document("en-named", "Xylophon tides", language="en")]
    with built(tmp_path, readers, DOCUMENTS + named) as index:
        ranking = index.search("Xylophon", language="en", group=False).ranking
    assert [hit.doc_id for hit in ranking.hits] == ["en-named", "sw-right"]
    assert [part.system for part in ranking.hits[1].parts] == ["psq", "translation"]


def test_translations_are_looked_for_while_the_encoder_reads_the_query(index, monkeypatch):
    system, raised = index.system, []
    words, vector = system._lexical, system.dense.query_vector

    def lexical(*arguments):
        made = words(*arguments)
        raised.append(made.boosts)
        return made

    def query_vector(text):
        deadline = monotonic() + PATIENCE
        while not raised:
            assert monotonic() < deadline, "translations wait for the query's vector"
            sleep(0.001)
        return vector(text)

    monkeypatch.setattr(system, "_lexical", lexical)
    monkeypatch.setattr(system.dense, "query_vector", query_vector)
    index.search("tides", language="en", group=False)
    assert [*raised[0]] == ["sw"]


def test_where_words_find_nothing_the_best_of_the_fusion_are_the_seeds(index):
    ranking = index.search("water", language="en", group=False).ranking  # in no document
    assert all(
        part.score == 0 for hit in ranking.hits for part in hit.parts if part.system == "psq"
    )
    assert "sw-right" in boosted(ranking)


@pytest.mark.parametrize(
    "options",
    [{"balance": Balance.OFF}, {"within": ["sw"]}],
    ids=["languages are not told apart", "one language is searched"],
)
def test_nothing_is_raised_without_other_languages(index, options):
    assert not boosted(index.search("tides", language="en", **options).ranking)


def test_where_nothing_is_a_translation_the_ranking_stays(tmp_path, readers):
    documents = [document for document in DOCUMENTS if document.doc_id != "sw-right"]
    with built(tmp_path, readers, documents) as index:
        ranking = index.search("tides", 60, language="en", group=False).ranking
        assert len(ranking.hits) == len(documents)
        assert not boosted(ranking)


def test_a_deleted_or_filtered_translation_is_not_raised(tmp_path, readers):
    marked = [replace(one, metadata={"right": one.doc_id == "sw-right"}) for one in DOCUMENTS]
    with built(tmp_path, readers, marked) as index:
        assert "sw-right" in boosted(index.search("tides", 60, language="en", group=False).ranking)
        filtered = index.search(
            "tides", 60, language="en", group=False, where=["right=false"]
        ).ranking
        assert "sw-right" not in {hit.doc_id for hit in filtered.hits}
        index.delete(["sw-right"])
        left = index.search("tides", 60, language="en", group=False).ranking
        assert not boosted(left)
        assert len(left.hits) == len(DOCUMENTS) - 1


def test_the_step_can_be_left_out(tmp_path, readers):
    with built(tmp_path, readers, boost_hits=0) as index:
        assert not boosted(index.search("tides", language="en", group=False).ranking)


def test_the_step_is_left_out_where_ranks_are_fused(tmp_path, readers):
    with built(tmp_path, readers, fusion="reciprocal-ranks") as index:
        ranking = index.search("tides", language="en", group=False).ranking
    assert not boosted(ranking)
    assert ranking.hits[0].doc_id == "en-right"


def test_settings_that_nobody_chose_follow_the_defaults(tmp_path, readers):
    built(tmp_path, readers, boost_hits=2).close()
    saved = json.loads((tmp_path / "index" / "system" / "config.json").read_text())
    assert saved["config"] == {"boost_hits": 2}
    with dragoman.open(tmp_path / "index") as again:
        assert again.system.config == replace(HybridConfig(), boost_hits=2)


@pytest.mark.parametrize("name", ["boost_hits", "boost_weight", "passage_discount"])
def test_settings_below_nothing_are_refused(name):
    with pytest.raises(ConfigError, match=f"{name} must be 0 or more, got -1"):
        HybridConfig(**{name: -1})
