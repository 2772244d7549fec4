"""LibreOffice's help pages: title, paragraphs by id, links."""

from dragoman.text.collections.help_pages import parse_page

BODY = """<!DOCTYPE html><html lang="en-US"><head><title>Page
  Margins</title></head><body>
<header><p dir="auto">LibreOffice 7.4 Help</p></header>
<div id="DisplayArea" itemprop="softwareHelp">
<h1 id="hd_id1" dir="auto"><a name="top"></a>Page Margins</h1>
<p id="par_id2" class="paragraph">Choose <span id="sw"><span hidden="true" class="MAC">
<span class="emph">LibreOffice - Preferences</span></span><span hidden="true">
<span class="emph">Tools - Options</span></span></span>&nbsp;now &amp; here.<br>Then go.</p>
<div class="howtoget"><div><p class="howtogetheader">To access this command...</p></div>
<div class="howtogetbody"><div class="embedded"><p class="embedded">First.</p></div>
<p class="embedded">Second <a href="en-US/text/swriter/01/05.html#x">link</a>.</p></div></div>
<pre class="bascode">Dim a As Integer</pre>
<div class="note"><div class="noteicon"><img src="a.svg" alt="note"></div>
<div class="notetext"><p id="par_id2">Repeated id.</p></div></div>
<p id="par_id9" class="paragraph">   </p>
<p><a href="https://example.org/text/no.html" target="_blank">outside</a></p>
</div>
<footer><p>Title is: Page Margins</p></footer></body></html>"""


def test_a_page_in_the_real_form():
    page = parse_page(BODY)
    assert page.title == "Page Margins"
    assert dict(page.paragraphs) == {
        ("hd_id1", 1): "Page Margins",
        ("par_id2", 1): "Choose Tools - Options now & here. Then go.",
        ("embedded", 1): "First.",
        ("embedded", 2): "Second link.",
        ("par_id2", 2): "Repeated id.",
        ("p", 1): "outside",
    }
    assert page.headings == {("hd_id1", 1)}
    assert page.links == {"swriter/01/05.html", "no.html"}


def test_a_page_without_a_body_or_with_tags_left_open_is_read_as_far_as_it_goes():
    assert not parse_page("<title>T</title><p>outside").paragraphs
    page = parse_page('<div id="DisplayArea"><p id="a">one<p id="b">two</b></div><p>no</p>')
    assert list(page.paragraphs.values()) == ["one", "two"]
