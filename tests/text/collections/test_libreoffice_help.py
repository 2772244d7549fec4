"""Help pages -> items, from small packages in the real format."""

import pytest

from dragoman.errors import InputError
from dragoman.text.collections import build
from dragoman.text.collections.catalogue import BuildRequest, parse_languages
from dragoman.text.collections.libreoffice_help import package_code
from dragoman.text.files import Faults
from dragoman.text.formats.plain import read_documents, read_judgments, read_queries

TOPICS = {
    "swriter/01/margins": ("Page Margins", "margins", "margini"),
    "swriter/01/columns": ("Text Columns", "columns", "colonne"),
    "scalc/guide/sums": ("Sums of Cells", "sums", "somme"),
    "scalc/guide/charts": ("Charts", "charts", "grafici"),
}
LINKS = {
    "swriter/01/margins": ("swriter/01/columns", "scalc/guide/sums"),
    "swriter/01/columns": ("swriter/01/margins",),
}


def english(word):
    return [
        ("par_id1", f"You can set {word} of {word}like sheets for the old printer. It is easy."),
        (
            "par_id2",
            f"Drag the {word} with the mouse until they stand where you want them on the page.",
        ),
        ("par_id3", "Press Enter."),
        ("par_id4", f"Close the dialog; the {word} stay as they are until the next time."),
    ]


def italian(word):
    return [
        ("par_id1", f"Si possono impostare {word} per ogni foglio che esce di qui. È facile."),
        (
            "par_id2",
            f"Trascinare {word} con il mouse fino a dove si vogliono su tutta la pagina.",
        ),
        ("par_id3", "Press Enter."),  # not translated
        ("par_id4", f"Chiudere la finestra; {word} restano come sono fino alla prossima volta."),
    ]


@pytest.fixture
def debs(tmp_path, build_deb, help_page):
    """One package of English pages and one of Italian; the charts are not translated."""
    folder = tmp_path / "debs"
    folder.mkdir()
    for code, write in (("en-us", english), ("it", italian)):
        name = "en-US" if code == "en-us" else code
        files = {}
        for path, (title, word, parola) in TOPICS.items():
            translate = code == "it" and path != "scalc/guide/charts"
            paragraphs = write(parola) if translate else english(word)
            heading = f"{title} in italiano" if translate else title
            page = help_page(name, heading, paragraphs, LINKS.get(path, ()))
            files[f"usr/share/libreoffice/help/{name}/text/{path}.html"] = page.encode()
        content = build_deb(f"libreoffice-help-{code}", "4:7.4", files)
        (folder / f"libreoffice-help-{code}_4%3a7.4_all.deb").write_bytes(content)
    return folder


def test_translated_pages_are_items_and_untranslated_paragraphs_are_dropped(
    debs, tmp_path, no_progress
):
    request = BuildRequest(languages=parse_languages("en,it"), debs=debs, negatives=5)
    target = tmp_path / "out"
    manifest = build("libreoffice-help", request, target, no_progress)
    assert manifest["aligned"] == {"en-it": 3}
    documents = {d.doc_id: d for d in read_documents(target / "corpus.jsonl.gz", Faults())}
    margins = documents["it:swriter/01/margins"]
    assert margins.title == "Page Margins in italiano"
    assert "Press Enter" not in margins.text
    assert "Press Enter" in documents["en:swriter/01/margins"].text
    assert "Page Margins" not in documents["en:swriter/01/margins"].text, "the heading is the title"
    queries = {q.query_id: q.text for q in read_queries(target / "queries.jsonl.gz", Faults())}
    assert queries["swriter/01/margins"] == (
        "You can set of marginslike sheets for the old printer"
    )
    grades = {
        (row.query_id, row.doc_id): row.grade
        for row in read_judgments(target / "qrels.tsv.gz", Faults())
        if row.query_id == "swriter/01/margins"
    }
    assert grades == {
        ("swriter/01/margins", "it:swriter/01/margins"): 2,
        ("swriter/01/margins", "it:swriter/01/columns"): 1,  # linked both ways
        ("swriter/01/margins", "it:scalc/guide/sums"): 0,  # linked one way only
    }


def test_a_missing_or_double_package_is_named(debs, tmp_path, no_progress):
    request = BuildRequest(languages=parse_languages("en,fr"), debs=debs)
    with pytest.raises(InputError, match=r"0 files libreoffice-help-fr_.* apt-get download"):
        build("libreoffice-help", request, tmp_path / "out", no_progress)
    (debs / "libreoffice-help-it_4%3a7.5_all.deb").write_bytes(b"")
    request = BuildRequest(languages=parse_languages("en,it"), debs=debs)
    with pytest.raises(
        InputError, match=r"found 2 files libreoffice-help-it_\*\.deb; expected one"
    ):
        build("libreoffice-help", request, tmp_path / "out", no_progress)


def test_a_package_without_pages_is_an_error(debs, tmp_path, build_deb, no_progress):
    path = debs / "libreoffice-help-it_4%3a7.4_all.deb"
    path.write_bytes(build_deb("libreoffice-help-it", "1", {"usr/share/doc/copyright": b"MPL"}))
    request = BuildRequest(languages=parse_languages("en,it"), debs=debs)
    with pytest.raises(InputError, match="found no help page"):
        build("libreoffice-help", request, tmp_path / "out", no_progress)


@pytest.mark.parametrize(
    ("code", "tag", "expected"),
    [("en", "en", "en-us"), ("pt", "pt-BR", "pt-br"), ("zh", "zh", "zh-cn"), ("fr", "fra", "fr")],
)
def test_package_names(code, tag, expected):
    assert package_code(code, tag) == expected
