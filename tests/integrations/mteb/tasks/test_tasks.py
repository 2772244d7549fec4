"""The definitions hold by MTEB's own rules, and read the published files."""

import json

import pytest
from mteb.languages import check_language_code

from dragoman.errors import InputError, UserError
from dragoman.integrations.mteb.evaluation import evaluate_tasks
from dragoman.integrations.mteb.search_model import SearchModel
from dragoman.integrations.mteb.tasks import TASKS


@pytest.mark.parametrize("name", TASKS)
def test_metadata_are_complete(name):
    metadata = TASKS[name]().metadata
    assert metadata.is_filled()
    for code in metadata.bcp47_codes:
        check_language_code(code)


@pytest.mark.parametrize("name", ["AfriQARetrieval", "CIRALRetrieval"])
def test_missing_files_are_named(name, tmp_path):
    with pytest.raises(UserError, match="--data FOLDER"):
        TASKS[name]().load_data()
    with pytest.raises(InputError, match=f"expected the files of {name}"):
        TASKS[name](tmp_path).load_data()


@pytest.fixture
def ciral(tmp_path):
    folder = tmp_path / "ciral-swahili"
    folder.mkdir()
    (folder / "swahili_passages.jsonl").write_text(
        '{"docid": "1#0", "title": "Mkate", "text": "Mkate huokwa kwa unga.", "url": ""}\n'
        '{"docid": "2#0", "title": "Bahari", "text": "Bahari hujaa na kupwa.", "url": ""}\n'
    )
    (folder / "topics.ciral-v1.0-sw-test-a.tsv").write_text("7\thow is bread baked\n")
    (folder / "qrels.ciral-v1.0-sw-test-a.tsv").write_text("7 Q0 1#0 1\n7 Q0 2#0 0\n")
    return tmp_path


@pytest.fixture
def afriqa(tmp_path):
    for split, context in (("train", "The sea rises."), ("dev", "Bread."), ("test", "Flour.")):
        row = {"question_lang": "unga ni nini", "context": context, "title": ""}
        path = tmp_path / f"gold_span_passages.afriqa.swa.en.{split}.json"
        path.write_text(json.dumps(row) + "\n")
    return tmp_path


@pytest.fixture
def clirmatrix(tmp_path):
    (tmp_path / "de.tsv").write_text("7\tBrot wird gebacken\n9\tDas Meer\n")
    (tmp_path / "en.de.test1.jl").write_text(
        '{"src_id": "3", "src_query": "bread", "tgt_results": [["7", 6], ["9", 0]]}\n'
    )
    return tmp_path


@pytest.mark.parametrize(
    ("name", "files", "subset", "split"),
    [
        ("CIRALRetrieval", "ciral", "en-sw", "test-a"),
        ("AfriQARetrieval", "afriqa", "swa-en", "test"),
        ("CLIRMatrixMulti8Retrieval", "clirmatrix", "en-de", "test1"),
    ],
)
def test_published_files_are_evaluated(name, files, subset, split, request, tmp_path):
    task = TASKS[name](request.getfixturevalue(files))
    task.hf_subsets = [subset]
    task.filter_eval_splits([split])
    with SearchModel("psq") as model:
        (score,) = evaluate_tasks(model, [task], tmp_path / "results")
    assert (score.task, score.subset, score.split, score.score) == (name, subset, split, 1.0)
