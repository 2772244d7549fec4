import subprocess
import sys

import pyterrier as pt
import pytest

from dragoman.errors import UserError
from dragoman.integrations.pyterrier.index_artifact import DragomanIndex
from small_frames import DOCUMENTS, TOPICS


def test_pyterrier_recognises_the_folder(artifact):
    loaded = pt.Artifact.load(str(artifact.path))
    assert isinstance(loaded, DragomanIndex)
    assert loaded.opened.count() == len(DOCUMENTS)
    loaded.close()


def test_another_folder_is_not_an_index(tmp_path):
    with pytest.raises(ValueError, match="No implementation found"):
        pt.Artifact.load(str(tmp_path))


def test_type_and_format_are_those_of_the_entry_point(artifact):
    assert pt.inspect.artifact_type_format(artifact) == ("multilingual_index", "dragoman")
    assert pt.inspect.indexer_inputs(artifact) == [["docno", "text"]]


def test_an_index_is_not_overwritten(artifact):
    with pytest.raises(UserError, match="expected a new folder"):
        artifact.index(DOCUMENTS)


def test_texts_are_added_to_results(artifact):
    found = (artifact.retriever() % 1 >> artifact.text_loader())(TOPICS)
    assert list(found["docno"]) == ["mkate", "tides"]
    assert list(found["doc_language"]) == ["sw", "en"]
    assert found["text"][1] == "The moon pulls the sea."


def test_an_index_can_be_the_end_of_a_pipeline(tmp_path):
    titled = pt.apply.text(lambda row: f"{row['text']} {row['title']}")
    index = DragomanIndex(tmp_path / "index", system="psq", language="en")
    (titled >> index).index([{"docno": "d", "text": "flour", "title": "bread"}])
    assert list(index.retriever(language="en").search("bread")["docno"]) == ["d"]
    index.close()


def test_a_package_of_the_index_is_loaded_again(artifact, tmp_path):
    package = artifact.build_package(str(tmp_path / "index.tar.lz4"), verbose=False)
    assert (tmp_path / "index.tar.lz4").stat().st_size > 1000
    assert package.endswith("index.tar.lz4")


def test_no_java_is_started():
    code = (
        "import sys, pyterrier as pt\n"
        "import dragoman.integrations.pyterrier.index_artifact\n"
        "assert not pt.java.started() and 'jnius' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
