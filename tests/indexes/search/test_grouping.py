"""Hits in groups: copies by their texts, translations by their vectors, as many groups as asked."""

import numpy as np
import pytest

import dragoman
from dragoman.indexes.search.answer import Relation
from dragoman.indexes.search.grouping import WINDOW, joined_apart
from dragoman.indexes.spaces import Record
from dragoman.types import Document, Query
from small_systems import settings_of

FILLER = "some words about water that are long enough to be told apart from other texts"


def members(answer):
    return {
        result.hit.doc_id: [(one.doc_id, str(one.relation)) for one in result.members]
        for result in answer.results
    }


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """Sixty copies of one text, and twenty other texts; by words alone."""
    texts = {f"copy-{number:02}": f"water {FILLER}" for number in range(60)}
    texts |= {f"other-{number:02}": f"water {chr(97 + number) * 40}" for number in range(20)}
    documents = [Document(name, text, language="en") for name, text in texts.items()]
    folder = tmp_path_factory.mktemp("copied") / "index"
    with dragoman.index(documents, folder, system="psq") as index:
        yield index


@pytest.fixture(scope="module")
def translated(tmp_path_factory):
    """English and Swahili documents on axes: ``tides`` is one document in both, with a copy."""
    folder = tmp_path_factory.mktemp("translated")
    settings = settings_of("dense", folder)
    axes = np.eye(8, dtype=np.float32)
    rows = {
        "en-tides": axes[0] + 0.3 * axes[5],
        "sw-tides": axes[0] + 0.35 * axes[5],
        "sw-tides-again": axes[0] + 0.35 * axes[5],
        "en-other": axes[0] - axes[6],
        "sw-other": axes[0] - axes[7],
    }
    numbers = {"tides": "1815 40 7", "other": "3"}
    records = [
        Record(
            Document(name, f"{name[:8]} {numbers[name.split('-')[1]]}", language=name[:2]),
            {"dense": row / np.linalg.norm(row)},
        )
        for name, row in rows.items()
    ]
    first = [Document("en-first", "mkate", language="en")]
    with dragoman.index(first, folder / "index", system="dense", settings=settings) as index:
        index.store_records(records)
        index.delete(["en-first"])
        yield index


def test_copies_are_members_of_the_best_of_them(copied):
    answer = copied.search("words water", 3, language="en", snippet_length=0)
    (copies,) = [mine for mine in members(answer).values() if mine]
    assert {relation for _, relation in copies} == {"copy"}


def test_there_are_as_many_groups_as_hits_are_asked_for_however_many_copies(copied):
    for k in (1, 5, 20, 21):
        assert len(copied.search("water", k, language="en", snippet_length=0).results) == k
    whole = copied.search("water", 50, language="en", snippet_length=0)
    assert len(whole.results) == 21
    assert sum(len(result.members) for result in whole.results) == 59


def test_without_grouping_the_ranking_is_that_of_the_system(copied):
    answer = copied.search("water", 70, language="en", snippet_length=0, group=False)
    assert answer.ranking == copied.rank(Query("query", "water", "en"), 70)
    assert not any(result.members for result in answer.results)


def test_groups_stand_in_the_order_of_their_best_hits(copied):
    ranked = [hit.doc_id for hit in copied.rank(Query("q", "water", "en"), 80).hits]
    grouped = copied.search("water", 21, language="en", snippet_length=0)
    firsts = [result.hit.doc_id for result in grouped.results]
    assert firsts == sorted(firsts, key=ranked.index)
    for result in grouped.results:
        mine = [ranked.index(member.doc_id) for member in result.members]
        assert mine == sorted(mine)
        assert all(ranked.index(result.hit.doc_id) < place for place in mine)


def test_a_run_is_never_grouped(copied):
    (ranking,) = copied.rank_all([Query("q", "water", "en")], 70)
    assert len(ranking.hits) == 70


def test_a_translation_is_a_member_and_its_copy_too(translated):
    answer = translated.search("water", language="en", snippet_length=0)
    mine = members(answer)
    assert mine.pop("en-tides") == [("sw-tides", "translation"), ("sw-tides-again", "translation")]
    assert not any(mine.values())
    (member, _) = answer.results[0].members
    assert (member.language, member.relation) == ("sw", Relation.TRANSLATION)


def test_members_are_only_documents_that_the_search_may_return(translated):
    answer = translated.search("water", language="en", within=["en"], snippet_length=0)
    assert not any(result.members for result in answer.results)


def test_an_answer_without_hits_has_no_groups(copied):
    assert copied.search("xylophone", language="en").results == ()


def test_a_link_that_would_bring_a_language_twice_is_not_followed():
    firsts = joined_apart(np.arange(4), ["en", "de", "de", "fr"], [(0, 1), (2, 3), (0, 3)])
    assert firsts.tolist() == [0, 0, 2, 2]


def test_links_are_followed_through_others():
    firsts = joined_apart(np.arange(4), ["en", "de", "it", "fr"], [(1, 3), (0, 3)])
    assert firsts.tolist() == [0, 0, 2, 0]


def test_the_window_is_not_deeper_than_the_candidates_of_the_default_system():
    assert WINDOW == 50  # deeper ones could change which documents are fused
