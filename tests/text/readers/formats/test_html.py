import pytest

from dragoman.text.readers.contents import NoTextInFile, UnreadableFile
from dragoman.text.readers.formats import html
from file_contents import contents, texts

PAGE = """<!DOCTYPE html><html lang="de"><head><title>Brot &amp; Butter</title>
<meta name="author" content="A. Bäcker"><meta charset="utf-8"><style>p {{}}</style></head><body>
<header><a href="/">Startseite</a></header>
<nav><ul><li><a href="a">Rezepte</a></li><li><a href="b">Kontakt</a></li></ul></nav>
{}
<aside>Werbung</aside><div role="contentinfo">Impressum</div><footer>© 2024</footer></body>"""
PARAGRAPH = "<p>Das Brot wird aus Mehl, Wasser und Salz gebacken, jeden Morgen im heißen Ofen.</p>"


def page(path, body):
    path.write_text(PAGE.format(body), encoding="utf-8")
    return path


def test_a_page_has_its_title_language_author_headings_tables_and_lists(tmp_path):
    body = (
        "<h1>Brot</h1>"
        + PARAGRAPH
        + "<h2>Zutaten</h2><table><tr><th>Was</th><th>Wie viel</th></tr>"
        "<tr><td>Mehl<td><p>500</p> g</tr></table><ul><li>Salz<li>Wasser</ul>"
    )
    begun, first, second = contents(page(tmp_path / "a.html", body), "html")
    assert (begun.title, begun.language) == ("Brot & Butter", "de")
    assert begun.metadata == {"author": "A. Bäcker"}
    assert first.heading == "Brot"
    assert first.text.splitlines()[0] == "Brot"
    assert second.heading == "Zutaten"
    assert second.text == "Zutaten\n\nWas | Wie viel\nMehl | 500 g\nSalz\nWasser\n"


def test_menus_banners_hidden_parts_and_footers_are_left_out(tmp_path):
    body = (
        "<div class='navbar'>Leiste</div><p hidden>versteckt</p><p style='display: none'>auch</p>"
        "<div role='navigation'>Pfad</div><noscript>ohne Skript</noscript>"
        f"{PARAGRAPH}<div>mit <a href=x>einem Verweis</a> im Text</div>"
        "<div><a href=1>Eins</a></div><div><a href=2>Zwei</a></div><div><a href=3>Drei</a></div>"
    )
    text = texts(contents(page(tmp_path / "a.html", body), "html"))[0]
    assert text.split("\n\n")[1:] == ["mit einem Verweis im Text"]
    assert text.startswith("Das Brot")


def test_two_links_after_each_other_are_no_menu(tmp_path):
    body = f"{PARAGRAPH}<ul><li><a href=1>Eins</a><li><a href=2>Zwei</a></ul>"
    assert texts(contents(page(tmp_path / "a.html", body), "html"))[0].endswith("Eins\nZwei")


@pytest.mark.parametrize("name", ["main", "article"])
def test_only_the_main_part_is_taken_where_it_has_most_of_the_text(name, tmp_path):
    body = f"<div>Neben</div><{name}><header>Kopf</header>{PARAGRAPH}</{name}><div>Unten</div>"
    text = texts(contents(page(tmp_path / "a.html", body), "html"))[0]
    assert text.startswith("Kopf")
    assert "Neben" not in text
    assert "Unten" not in text


def test_a_page_of_links_alone_is_taken_with_them(tmp_path):
    body = "".join(f"<li><a href={n}>Ein Kapitel {n}</a>" for n in range(9))
    text = texts(contents(page(tmp_path / "a.html", f"<ol>{body}</ol>"), "html"))[0]
    assert text == "\n".join(f"Ein Kapitel {n}" for n in range(9))


def test_a_page_that_is_declared_to_be_navigation_alone_is_taken_whole(tmp_path):
    path = tmp_path / "a.html"
    path.write_text(f"<nav>{PARAGRAPH}</nav>", encoding="utf-8")
    assert texts(contents(path, "html"))[0].startswith("Das Brot wird")


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ('<meta charset="koi8-r">', "koi8-r"),
        ('<meta http-equiv=Content-Type content="text/html; charset=windows-1251">', "cp1251"),
        ('<?xml version="1.0" encoding="iso-8859-5"?>', "iso8859-5"),
        ('<meta charset="klingon">', "utf-8"),  # nobody's encoding
        ('<meta charset="utf-16">', "utf-8"),  # could be read as ASCII, so it is not
        ('<meta charset="koi8-r">', "utf-16"),  # the mark is stronger
        ("", "cp1251"),
    ],
)
def test_the_declared_charset_is_honoured(head, encoding, tmp_path):
    text = "Хлеб пекут из муки, воды и соли в горячей печи каждое утро"
    path = tmp_path / "a.html"
    path.write_bytes(f"{head}<p>{text}</p>".encode(encoding))
    assert texts(contents(path, "html")) == [text]


@pytest.mark.parametrize("source", ["", "<p>", "<script>x</script>", "<!-- x -->"])
def test_a_page_without_text_says_so(source, tmp_path):
    path = tmp_path / "a.html"
    path.write_text(source)
    with pytest.raises(NoTextInFile, match="without text"):
        contents(path, "html")


def test_a_page_that_is_too_large_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(html, "LARGEST", 10)
    with pytest.raises(UnreadableFile, match="more than 10 bytes"):
        contents(page(tmp_path / "a.html", PARAGRAPH), "html")
