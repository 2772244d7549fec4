"""Published data in its own files, read as graded collections."""

from collections import Counter

import pytest

from dragoman.errors import ConfigError
from dragoman.text.collection import Collection
from dragoman.text.collections.published import NEGATIVES, drawn_split, find_pairs, open_graded
from small_graded import write_collection
from small_published import ARTICLES, write_multi8, write_sasaki


def test_pairs_are_found_by_the_names_of_files(tmp_path):
    write_sasaki(tmp_path, ("en", "de"))
    write_multi8(tmp_path, ("en",), "it")
    found = [(pair.query_language, pair.document_language) for pair in find_pairs(tmp_path)]
    assert found == [("de", "fr"), ("en", "fr"), ("en", "it")]
    assert find_pairs(tmp_path / "nowhere") == []


def test_a_pair_without_one_of_its_files_is_none(tmp_path):
    write_multi8(tmp_path)
    (tmp_path / "en.fr.dev.jl.gz").unlink()
    assert find_pairs(tmp_path) == []
    write_sasaki(tmp_path / "other")
    (tmp_path / "other" / "wiki_fr.documents").unlink()
    assert find_pairs(tmp_path / "other") == []


def test_sasaki_queries_get_splits_and_irrelevant_documents(tmp_path):
    collection = open_graded(write_sasaki(tmp_path))
    queries = list(collection.queries())
    splits = Counter(query.metadata["split"] for query in queries)
    assert sum(splits.values()) == ARTICLES
    assert splits["train"] > splits["validation"] > 0 < splits["test"]
    judged = collection.judgments()
    assert judged["en3"]["d3"] == 2
    assert judged["en3"]["d7"] == 1
    assert Counter(judged["en3"].values()) == {2: 1, 1: 1, 0: NEGATIVES}
    assert collection.judgments() == judged
    some = collection.judgments("test")
    assert set(some) == {q.query_id for q in queries if q.metadata["split"] == "test"}


def test_splits_are_three_to_one_to_one_and_do_not_change():
    drawn = Counter(drawn_split(str(number)) for number in range(5_000))
    assert drawn["train"] == pytest.approx(3_000, abs=150)
    assert drawn["test"] == pytest.approx(1_000, abs=120)
    assert drawn_split("7") is drawn_split("7")


def test_clirmatrix_keeps_its_splits_and_grades_are_folded(tmp_path):
    collection = open_graded(write_multi8(tmp_path))
    assert [q.query_id for q in collection.queries("validation")] == [f"en{n}" for n in
                                                                     range(36, 48)]  # fmt: skip
    judged = collection.judgments()["en50"]
    assert judged["d50"] == 2
    assert judged["d54"] == 1
    assert judged["d55"] == 0
    assert len(judged) == 13  # its own files have irrelevant documents


def test_a_folder_with_several_pairs_needs_the_languages(tmp_path):
    write_sasaki(tmp_path, ("en", "de"))
    with pytest.raises(ConfigError, match="found 2 pairs of languages; expected one of de-fr, en-"):
        open_graded(tmp_path)
    with pytest.raises(ConfigError, match="found no pair en-it"):
        open_graded(tmp_path, ("en", "it"))
    assert open_graded(tmp_path, ("de", "fr")).name == f"{tmp_path.name}-de-fr"


def test_any_other_folder_is_opened_as_before(tmp_path):
    assert type(open_graded(write_collection(tmp_path))) is Collection
