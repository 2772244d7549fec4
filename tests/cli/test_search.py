"""``dragoman search``: groups and matches as a person sees them."""

import json

import pytest

import dragoman
from commands import run
from dragoman.cli.search import MOST_COPIES, also
from dragoman.indexes.search.answer import GroupMember, Relation
from dragoman.types import Document

TEXT = "Bread rises because yeast eats sugar and gives off gas, which the dough holds."


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    documents = [
        Document("a", TEXT, language="en"),
        Document("b", TEXT.replace(" ", "  "), language="en"),
        Document("tide", "The tide rises because of the moon.", language="en"),
    ]
    documents += [Document(f"x{n}", f"first{n} second{n}", language="en") for n in range(20)]
    folder = tmp_path_factory.mktemp("search") / "index"
    dragoman.index(documents, folder, system="psq").close()
    return folder


def member(doc_id, language, relation):
    return GroupMember(doc_id, 1.0, language, "", relation)


def test_a_copy_is_named_below_its_hit_and_left_out_of_the_ranking(index):
    printed = run("search", index, "why does bread rise", "--query-language", "en")
    assert "also: copy: b" in printed
    assert "  3  " not in printed
    assert "also" not in run("search", index, "bread", "--query-language", "en", "--no-group")


def test_json_has_members_matches_and_a_verdict(index):
    answer = json.loads(run("search", index, "yeast bread dough gas", "--json", "-k", "1"))
    (hit,) = answer["hits"]
    (copy,) = hit["members"]
    assert copy == {
        "id": "b",
        "score": pytest.approx(hit["score"]),
        "language": "en",
        "title": "",
        "relation": "copy",
    }
    assert answer["verdict"] == hit["match"] in {"good", "fair"}


def test_a_person_is_told_that_nothing_good_was_found(index):
    printed = run("search", index, "because of inflation, interest rates and parliament")
    assert "nothing good found" in printed
    assert " weak " in printed
    good = run("search", index, "yeast bread dough gas")
    assert "nothing good" not in good


def test_translations_are_named_by_language_and_copies_by_id():
    mine = [
        member("x-fr", "fr", Relation.TRANSLATION),
        member("x-de", "de", Relation.TRANSLATION),
        member("b/readme.txt", "en", Relation.COPY),
    ]
    assert also(mine) == "also: de, fr (translations); copy: b/readme.txt"
    assert also(mine[:1]) == "also: fr (translation)"


def test_many_copies_are_counted():
    many = [member(f"c{number}", "en", Relation.COPY) for number in range(MOST_COPIES + 2)]
    assert also(many) == "also: copies: c0, c1, c2 and 2 more"
