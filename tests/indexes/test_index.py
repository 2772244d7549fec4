"""An index that is opened, searched and changed, with the lexical systems on small collections."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

import dragoman
from dragoman import compilation
from dragoman.errors import ConfigError, IndexFault, UnknownName, UserError
from dragoman.indexes.maintenance.checksums import write_checksums
from dragoman.indexes.spaces import Counts, Record
from dragoman.indexes.store import StoreReplaced
from dragoman.ranking.balance import Balance
from dragoman.types import Document, Query

SEA = [
    Document("tide", "The tide rises because of the moon.", "Tides", "en", {"year": 2001}),
    Document("bread", "Bread rises because of yeast.", "Bread", "en", {"year": 2005}),
    Document("brot", "Brot geht auf wegen der Hefe.", "Brot", "de", {"year": 2010}),
]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("built") / "index"
    dragoman.index(SEA, folder, system="psq").close()
    return folder


@pytest.fixture
def index(built, tmp_path):
    shutil.copytree(built, tmp_path / "index")
    with dragoman.open(tmp_path / "index") as opened:
        yield opened


def doc_ids(index, text, **options):
    return [hit.doc_id for hit in index.search(text, **options).ranking.hits]


def scores(index, text):
    hits = index.search(text, k=100, language="en").ranking.hits
    return {hit.doc_id: hit.score for hit in hits}


def test_a_query_finds_the_documents_that_share_its_words(index):
    assert doc_ids(index, "moon tide", language="en") == ["tide"]
    assert doc_ids(index, "rises", language="en") == ["bread", "tide"]
    answer = index.search("moon", language="en")
    assert answer.documents == (SEA[0],)
    assert answer.detection is None


def test_a_result_has_the_words_that_met_and_the_passage_around_them(index):
    (result,) = index.search("moon tide", language="en", within=["en"]).results
    assert {"tide", "moon"} <= {word.casefold() for word in result.words}
    marked = {result.snippet.text[start:end] for start, end in result.snippet.marks}
    assert {"tide", "moon"} <= marked
    (bare,) = index.search("moon", language="en", within=["en"], snippet_length=0).results
    assert bare.words == ()
    assert bare.hit.doc_id == "tide"


def test_the_language_of_a_query_is_detected_and_said(index):
    answer = index.search("Warum geht das Brot mit der Hefe auf?")
    assert answer.query.language == "de"
    assert answer.detection is not None


def test_many_queries_are_ranked_in_turn_and_their_languages_detected(index):
    steps = []
    queries = [Query("1", "moon tide", "en"), Query("2", "Warum geht das Brot mit der Hefe auf?")]
    rankings = list(index.rank_all(queries, 2, advance=lambda: steps.append(1)))
    assert rankings == [index.rank(replace(query, language=code), 2)
                        for query, code in zip(queries, ("en", "de"), strict=True)]  # fmt: skip
    assert len(steps) == 2


def test_filters_run_inside_the_search(index):
    assert doc_ids(index, "rises", language="en", where=["year>2002"], k=1) == ["bread"]
    assert doc_ids(index, "bread", language="en", within=["de"]) == ["brot"]
    with pytest.raises(UserError, match="no documents in fr; it has de, en"):
        index.search("rises", language="en", within=["fr"])
    with pytest.raises(ConfigError, match="expected FIELD=VALUE"):
        index.search("rises", language="en", where=["year"])


def test_changes_are_seen_at_once_and_counted(index):
    index.add([Document("moon", "The moon, the moon.", language="en"), SEA[1]])
    assert doc_ids(index, "moon", language="en") == ["moon", "tide"]
    assert index.count() == 4
    assert index.delete(["tide", "nowhere"]) == 1
    assert doc_ids(index, "moon", language="en") == ["moon"]


def test_languages_come_and_go_with_their_documents(index):
    index.add([Document("pain", "Le pain monte grâce à la levure.", language="fr")])
    assert index.languages == {"de": 1, "en": 2, "fr": 1}
    assert doc_ids(index, "levure", within=["fr"], language="fr") == ["pain"]
    index.delete(["pain"])
    assert index.languages == {"de": 1, "en": 2}
    index.add([replace(SEA[0], language="de")])
    assert index.languages == {"de": 2, "en": 1}


def test_a_document_without_a_language_gets_the_detected_one(index):
    text = "Das Brot geht in der warmen Küche wegen der Hefe auf."
    index.add([Document("teig", text)])
    (document,) = index.documents(["teig"])
    assert document.language == "de"
    assert "teig" in doc_ids(index, "Hefe", language="de", within=["de"])


def test_of_documents_with_one_id_the_last_is_kept(index):
    twice = [replace(SEA[0], text=f"The tide falls {number}.") for number in range(300)]
    assert index.add(twice) == 300  # more than are encoded together
    assert index.count() == 3
    assert index.documents(["tide"]) == [twice[-1]]


def test_a_document_is_found_by_its_id_whatever_letters_it_has(index):
    strange = Document("Datei-\udce9 \t'\"%_", "moonlight \udce9", "\udce9", "en", {"a": "\udce9"})
    index.add([strange])
    assert index.documents([strange.doc_id]) == [strange]
    assert doc_ids(index, "moonlight", language="en", within=["en"]) == [strange.doc_id]
    assert doc_ids(index, "moonlight", language="en", where=["a=\udce9"]) == [strange.doc_id]
    assert index.delete([strange.doc_id]) == 1


def test_threads_that_come_together_open_an_index_once(index):
    index.close()
    with dragoman.open(index.folder) as again, ThreadPoolExecutor(8) as threads:
        waiting = [threads.submit(doc_ids, again, "moon tide", language="en") for _ in range(16)]
        assert all(each.result() == ["tide"] for each in waiting)


def test_after_any_changes_scores_are_those_of_a_fresh_build(index, built):
    index.add([Document("x", "rises the sun", language="en")])
    index.add([replace(SEA[0], text="The tide falls.")])
    index.delete(["x"])
    index.add([SEA[0]])
    with dragoman.open(built) as fresh:
        assert scores(index, "the tide rises") == scores(fresh, "the tide rises")


def test_an_index_opened_again_answers_alike(index):
    index.add([Document("y", "tide tide", language="en")])
    index.delete(["bread"])
    before = scores(index, "the tide rises")
    index.close()
    with dragoman.open(index.folder) as again:
        assert scores(again, "the tide rises") == before


def test_two_open_indexes_of_one_folder_see_each_others_changes(index):
    with dragoman.open(index.folder) as other:
        assert doc_ids(other, "moon", language="en") == ["tide"]
        index.add([Document("moon", "The moon, the moon.", language="en")])
        assert doc_ids(other, "moon", language="en") == ["moon", "tide"]
        other.delete(["tide"])
        assert doc_ids(index, "moon", language="en") == ["moon"]


def test_what_is_added_after_another_build_is_in_the_new_index(index):
    assert index.count() == 3
    dragoman.index(SEA[:1], index.folder, system="psq").close()
    index.add([Document("moon", "The moon, the moon.", language="en")])
    assert index.doc_ids() == ["moon", "tide"]
    with dragoman.open(index.folder) as again:
        assert again.doc_ids() == ["moon", "tide"]


def test_documents_are_not_added_to_an_index_that_another_system_built_since(index):
    manifest = index.manifest
    record = Record(SEA[0], {"psq": Counts(np.array([1]), np.array([1.0]), 1)})
    assert index.count() == 3
    dragoman.index(SEA, index.folder, system="bm25", settings={"translate": False}).close()
    with pytest.raises(StoreReplaced, match="built anew; open it again"):
        index.store_records([record], manifest)
    index.add([Document("moon", "The moon, the moon.", language="en")])  # read by the new system
    assert index.manifest.system == "bm25"
    assert doc_ids(index, "moon", language="en") == ["moon", "tide"]


def test_optimizing_leaves_one_segment_and_the_same_answers(index):
    for number in range(3):
        index.store_records([Record(*one) for one in encoded(index, number)], memtable=0)
    index.delete(["bread", "n1"])
    before = scores(index, "the tide rises number")
    with index.snapshot() as snapshot:
        assert len(snapshot.readers) > 1
    index.optimize()
    with index.snapshot() as snapshot:
        assert len(snapshot.readers) == 1
        assert not snapshot.readers[0].deleted.any()
    assert scores(index, "the tide rises number") == before
    assert index.count() == 4


def encoded(index, number):
    documents = [Document(f"n{number}", f"number rises {number}", language="en")]
    return zip(documents, index.system.encode(documents), strict=True)


@pytest.mark.parametrize("balance", list(Balance))
def test_an_index_without_documents_can_be_searched_and_filled_again(index, balance):
    index.delete(index.doc_ids())
    index.optimize()
    assert index.count() == 0
    assert index.search("moon", language="en", balance=balance).results == ()
    index.add(SEA)
    assert doc_ids(index, "moon", language="en", balance=balance) == ["tide"]


def test_an_explanation_names_words_of_both_sides(index):
    explanation = index.explain("moon", "tide", language="en")
    assert [(link.query_word, link.document_word) for link in explanation.links] == [
        ("moon", "moon")
    ]
    with pytest.raises(UserError, match="no document has the id 'nowhere'"):
        index.explain("moon", "nowhere", language="en")


@pytest.mark.usefixtures("compiling")
def test_warming_up_turns_compiled_kernels_on(index):
    compilation.disable()
    before = scores(index, "the tide rises")
    index.warm_up()
    assert compilation.is_enabled()
    assert scores(index, "the tide rises") == before


def test_what_is_no_index_is_left_alone(tmp_path):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_bytes(b"cat")
    with pytest.raises(IndexFault, match="left alone"):
        dragoman.index(SEA, tmp_path / "photos", system="psq")
    with pytest.raises(IndexFault, match=r"found no manifest\.json"):
        dragoman.open(tmp_path / "photos")
    assert (tmp_path / "photos" / "cat.jpg").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 99}, "found index format 99; .* Install the version that wrote it"),
        (
            {"format": 2},
            "found index format 2, of dragoman 0.1; .*`dragoman export .*`dragoman index",
        ),
        ({"settings": {"k1": 9.0}}, "built with b = None"),
    ],
)
def test_an_index_that_does_not_fit_is_refused(index, change, message):
    index.close()
    path = index.folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    write_checksums(index.folder)
    with pytest.raises(IndexFault, match=message), dragoman.open(index.folder) as opened:
        opened.search("tide", language="en")


def test_documents_that_would_be_read_differently_now_are_named_with_the_remedy(index, monkeypatch):
    kind = type(index.system)
    treatment = kind.treatment
    monkeypatch.setattr(
        kind, "treatment", lambda self, code: treatment(self, code) + "!" * (code == "de")
    )
    with (
        dragoman.open(index.folder) as again,
        pytest.raises(IndexFault, match=r"documents in .de. were indexed with .* dragoman upgrade"),
    ):
        again.search("moon", language="en")


def test_unbounded_input_is_refused(index):
    with pytest.raises(UserError, match="at most 100,000"):
        index.search("a" * 100_001)
    for k in (0, 10_001):
        with pytest.raises(UserError, match="expected 1 to 10,000"):
            index.search("a", k=k, language="en")
    with pytest.raises(UnknownName, match="Unknown system 'bm26'"):
        dragoman.index(SEA, index.folder, system="bm26")
