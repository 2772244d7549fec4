import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.text.formats.html import HtmlPage, read_page

PAGE = """<!DOCTYPE html>
<HTML LANG="de-AT"><head><meta charset="utf-8"><title> Brot &amp;
 Butter </title><style>p { color: red }</style><script>if (1 < 2) alert("<p>no</p>")</script></head>
<body><h1>Brot</h1><p>Mehl,&nbsp;Wasser
und <b>Sa</b>lz.<br>Fertig<noscript>no</noscript>.<svg><title>no</title></svg>
<ul><li>eins<li>zwei</ul><table><tr><td>a</td><td>b</td></tr></table></body></html>"""


def test_a_page_is_what_a_person_reads():
    text = "Brot\nMehl, Wasser und Salz.\nFertig.\neins\nzwei\na\nb"
    assert read_page(PAGE) == HtmlPage("Brot & Butter", text, "de-AT", 2)


def test_a_fragment_is_a_page_without_title_and_language():
    assert read_page("just <i>text") == HtmlPage("", "just text", "", 1)


def test_what_the_parser_cannot_read_is_a_value_error():
    with pytest.raises(ValueError, match="unknown status keyword"):
        read_page("<p><![strange[x]]></p>")


@settings(max_examples=50)
@given(st.text(alphabet=st.sampled_from("<>!-[]/\"'= abpscripttitlehtmllang&;#x1\n"), max_size=80))
def test_no_soup_raises_anything_else(soup):
    try:
        page = read_page(soup)
    except ValueError:
        return
    assert page.text == page.text.strip()
