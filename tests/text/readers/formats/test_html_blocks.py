import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.text.formats.html import read_page
from dragoman.text.readers.formats.html_blocks import read_blocks

TAGS = ["p", "div", "li", "ul", "table", "tr", "td", "a", "b", "h2", "main", "nav", "article"]


def block_texts(html):
    return [block.text for block in read_blocks(html).blocks]


def test_elements_without_end_tags_end_where_browsers_end_them():
    html = "<ul><li>one<li>two<ul><li>inner</ul></ul><p>three<p>four<dl><dt>a<dd>b</dl>"
    assert block_texts(html) == ["one", "two", "inner", "three", "four", "a", "b"]


def test_preformatted_text_has_its_lines_and_others_have_none():
    assert block_texts("<pre>a\n  b\n</pre><p>a\n  b<br>c</p>") == ["a\n  b", "a b\nc"]


def test_a_table_for_layout_is_cut_into_paragraphs():
    html = (
        f"<table><tr><td><p>{'word ' * 100}</p><p>{'other ' * 100}</p></td><td>c</td></tr></table>"
    )
    assert [text.split()[0] for text in block_texts(html)] == ["word", "other", "c"]


def test_rows_of_a_table_inside_a_table_are_rows_of_their_own():
    html = "<table><tr><td>a<table><tr><td>b<td>c</tr></table></td><td>d</td></tr></table>"
    assert block_texts(html) == ["a", "b | c", "d"]


def test_an_end_tag_without_a_beginning_changes_nothing():
    assert block_texts("</nav></p>a</div><p>b") == ["a", "b"]
    assert not any(block.is_boilerplate for block in read_blocks("</nav>a").blocks)


def test_what_is_linked_is_counted():
    (block,) = read_blocks("<p>See <a href=x>the page</a>.").blocks
    assert block.linked == len("thepage")


@pytest.mark.parametrize("html", ["<div>" * 50_000 + "deep", "<a" * 1000, "<p>a<![if x]>b"])
def test_hostile_pages_are_read(html):
    assert read_blocks(html).blocks is not None


def test_what_the_parser_refuses_is_a_value_error():
    with pytest.raises(ValueError, match="unknown status keyword"):
        read_blocks("<![unknown[")


@st.composite
def pages(draw):
    pieces = draw(
        st.lists(
            st.one_of(
                st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS]),
                st.text(st.sampled_from("abc é\n"), max_size=6),
            ),
            max_size=40,
        )
    )
    return "".join(pieces)


@given(pages())
def test_no_letter_of_a_page_is_lost(html):
    letters = re.sub(r"\W", "", "".join(block_texts(html)))
    assert letters == re.sub(r"\W", "", read_page(html).text)
