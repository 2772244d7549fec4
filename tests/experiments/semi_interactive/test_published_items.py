"""Items of published data: an English page, queries in other languages, one split."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")
pytest.importorskip("transformers", reason="needs the extra neural")

from dragoman.errors import InputError
from dragoman.experiments.semi_interactive.published_items import read_published_items
from dragoman.experiments.semi_interactive.task import RelevanceTaskConfig, make_task
from dragoman.text.collections.splits import Split
from small_published import ARTICLES, CODES, title, write_multi8, write_sasaki


@pytest.mark.parametrize("write", [write_sasaki, write_multi8])
def test_queries_of_all_languages_meet_at_the_english_document(write, tmp_path):
    items = read_published_items(write(tmp_path, CODES, "en"))
    assert len(items) == ARTICLES
    item = items["d8"]
    assert item.document.doc_id == "en:d8"
    assert {code: page.title for code, page in item.pages.items() if code != "en"} == {
        code: title(code, 8) for code in CODES
    }
    assert item.related == {"d12"}
    assert {one.split for one in items.values()} == set(Split)


def test_the_splits_of_the_files_are_kept(tmp_path):
    items = read_published_items(write_multi8(tmp_path, CODES, "en"))
    assert items["d0"].split is Split.TRAIN
    assert items["d40"].split is Split.VALIDATION
    assert items["d59"].split is Split.TEST


@pytest.mark.parametrize("write", [write_sasaki, write_multi8])
def test_they_make_a_task_with_hard_negatives(write, tmp_path):
    items = read_published_items(write(tmp_path, CODES, "en"))
    config = RelevanceTaskConfig(candidates=6, hard_candidates=2, negatives=2, hard=1)
    task = make_task("published", items, config, ("de", "fr"))
    assert task.languages == ("de", "fr", "es")
    assert all(one.hard for one in task.queries[Split.TRAIN])
    assert {one.query.language for one in task.queries[Split.TRAIN]} == {"de", "fr"}


def test_other_folders_have_none_and_foreign_documents_are_refused(tmp_path):
    assert read_published_items(tmp_path) == {}
    with pytest.raises(InputError, match="found no pair with English documents"):
        read_published_items(write_sasaki(tmp_path / "en-fr"))
