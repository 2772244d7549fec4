from html.parser import HTMLParser

from dragoman.reports.html_page import PageParts, html_page
from dragoman.reports.losses import ExplainedLoss, Loss, RankedDocument
from dragoman.types import Explanation, Link
from small_reports import RIGHT, WRONG, report

VOID = {"meta", "br"}


class Balanced(HTMLParser):
    """Refuses tags that are not closed in order."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def page():
    loss = Loss("q<1>", 0.1, 0.9, (RankedDocument("d&1", 2, None, 1),), "d<2>", None)
    explanation = Explanation("d&1", 1.0, (Link("<b>", "Brot", 1.0, 0.5),))
    parts = PageParts(
        {"a & b": "<svg></svg>"},
        [ExplainedLoss(loss, "<script>", [explanation, None])],
        ("wr<ng", "right"),
        "RR",
    )
    return html_page("<T>", report(**{"wr<ng": WRONG, "right": RIGHT}), parts)


def test_names_and_texts_are_escaped():
    text = page()
    assert "<script>" not in text
    assert "<title>&lt;T&gt;</title>" in text
    assert "<bdi>&lt;b&gt;</bdi> = <bdi>Brot</bdi> 50%" in text
    assert "ranks first: d&lt;2&gt; (not judged)" in text
    assert "http" not in text


def test_tags_are_balanced():
    parser = Balanced()
    parser.feed(page())
    assert parser.open == []


def test_intervals_settings_and_bounds_of_p_values_are_visible():
    text = page()
    assert "<small>1.0000 to 1.0000</small>" in text
    assert "Intervals: 95% percentile bootstrap over queries, 2,000 draws." in text
    assert "<td>0.0000</td>" not in text.partition("paired tests")[2].partition("</table>")[0]


def test_all_pairs_are_in_one_folded_table():
    text = page()
    assert text.count("<details>") == 1
    assert "values of 2 language pairs" in text
    assert "<td>en-de</td>" in text


def test_tables_have_marks_and_ranks():
    text = page()
    assert "<sup>a</sup>" in text
    assert "<td>d&amp;1</td><td>2</td><td>-</td><td>1</td>" in text
