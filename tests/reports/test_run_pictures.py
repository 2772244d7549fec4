import numpy as np

from dragoman.metrics.parser import parse_measures
from dragoman.reports.run_pictures import draw_runs, save_all
from small_reports import JUDGMENTS, LANGUAGES, QUERIES, RIGHT, WRONG, report

(RR,) = parse_measures("RR")


def drawn(query_languages, document_languages):
    return draw_runs(
        report(),
        {"right": lambda: RIGHT, "wrong": lambda: WRONG},
        JUDGMENTS,
        RR,
        query_languages=query_languages,
        document_languages=document_languages,
        rng=np.random.default_rng(5),
    )


def test_every_view_has_its_picture():
    languages = {query: "sw" if query < "q03" else "fr" for query in QUERIES}
    assert list(drawn(languages, LANGUAGES)) == [
        "RR of right minus wrong, by query",
        "precision by recall",
        "RR by language of the queries",
        "RR by language of the documents",
        "RR of right by language pair",
        "RR of wrong by language pair",
        "languages of the documents of right, by rank",
        "languages of the documents of wrong, by rank",
    ]


def test_without_languages_there_are_none_to_show():
    assert list(drawn({}, {})) == ["RR of right minus wrong, by query", "precision by recall"]


def test_pictures_are_saved_under_their_captions(tmp_path):
    written = save_all(drawn({}, {}), tmp_path / "pictures")
    assert [path.name for path in written] == [
        "RR-of-right-minus-wrong-by-query.pdf",
        "precision-by-recall.pdf",
    ]
    assert all(path.read_bytes().startswith(b"%PDF") for path in written)
