from commands import run
from dragoman.text.formats.trec import write_judgments, write_run
from small_reports import JUDGMENTS, LANGUAGES, QUERIES, RIGHT, WRONG


def test_a_page_of_two_runs(tmp_path):
    write_run(tmp_path / "right.trec", RIGHT)
    write_run(tmp_path / "wrong.trec", WRONG)
    write_judgments(tmp_path / "qrels.txt", JUDGMENTS)
    texts = [f'{{"_id": "{query}", "text": "mkate", "lang": "sw"}}' for query in QUERIES]
    (tmp_path / "queries.jsonl").write_text("\n".join(texts))
    corpus = [
        f'{{"_id": "{one}", "text": "bread", "lang": "{code}"}}' for one, code in LANGUAGES.items()
    ]
    (tmp_path / "corpus.jsonl").write_text("\n".join(corpus))
    page = tmp_path / "out" / "report.html"
    printed = run(
        *("report", tmp_path / "wrong.trec", tmp_path / "right.trec"),
        *("--qrels", tmp_path / "qrels.txt", "--queries", tmp_path / "queries.jsonl"),
        *("--corpus", tmp_path / "corpus.jsonl", "-o", page, "--title", "Bread & water"),
        *("--pictures", tmp_path / "pictures"),
    )
    assert "2 runs, 12 queries" in printed
    text = page.read_text()
    # differences, curves, languages of documents, and of two runs pairs and languages by rank
    assert text.count("<svg") == len(list((tmp_path / "pictures").glob("*.pdf"))) == 7
    assert "7 pictures" in printed
    assert "where wrong loses most to right" in text
    assert "Bread &amp; water" in text
