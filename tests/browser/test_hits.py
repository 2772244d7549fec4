"""Hits: what they show, why they were found, the reader; stored text is never markup."""

import re

from playwright.sync_api import expect

from served_page import change_answers, search

QUERY = "baking bread with yeast"


def test_a_hit_has_title_language_and_a_snippet_with_marks(page):
    search(page, QUERY)
    german = page.locator("[data-hit=bread-de]")
    expect(german.locator(".language")).to_have_text("German")
    expect(german.locator(".title")).to_have_text("Brot backen")
    expect(german.locator(".snippet")).to_have_attribute("lang", "de")
    assert "Hefe" in german.locator(".snippet mark").all_inner_texts()


def test_file_page_and_date_are_shown_when_known(page):
    def with_origin(answer):
        answer["hits"][0] |= {"file": "bread/loaf.pdf", "page": 3, "modified": "2024-05-12T10:00Z"}

    change_answers(page, with_origin)
    search(page, QUERY)
    origin = page.locator(".hit .origin").first
    expect(origin).to_contain_text("bread/loaf.pdf")
    expect(origin).to_contain_text("page 3")
    expect(origin).to_contain_text("12 May 2024")


def test_translations_and_copies_are_grouped_under_the_best_hit(page):
    def with_members(answer):
        answer["hits"][0]["members"] = [
            {"id": "bread-es", "language": "es", "title": "Pan casero", "relation": "translation"},
            {"id": "bread-fi", "language": "fi", "title": "Leipä", "relation": "translation"},
            {"id": "bread-ru", "language": "ru", "title": "Хлеб", "relation": "copy"},
        ]

    change_answers(page, with_members)
    search(page, QUERY)
    hit = page.locator(".hit").first
    expect(hit.locator("summary", has_text="2 translations")).to_contain_text("Spanish · Finnish")
    expect(hit.locator("summary", has_text="1 copy")).to_be_visible()
    hit.locator("summary", has_text="2 translations").click()
    hit.get_by_text("Pan casero").click()
    expect(page.locator(".reader h2")).to_have_text("Pan casero")


def test_matches_are_said_in_words_and_a_weak_verdict_is_said_above_the_hits(page):
    def with_matches(answer):
        for hit, match in zip(answer["hits"], ("good", "fair", "weak"), strict=False):
            hit["match"] = match
        answer["verdict"] = "weak"

    change_answers(page, with_matches)
    search(page, QUERY)
    expect(page.locator(".match").nth(0)).to_have_text("Good match")
    expect(page.locator(".match").nth(1)).to_have_text("Fair match")
    expect(page.locator(".match").nth(2)).to_have_text("Weak match")
    expect(page.get_by_role("heading", name="Nothing good found")).to_be_visible()


def test_why_draws_links_between_the_query_and_the_passage(page):
    search(page, QUERY)
    hit = page.locator("[data-hit=bread-de]")
    hit.get_by_role("button", name="Why this hit").click()
    expect(hit.locator(".links path")).not_to_have_count(0)
    pairs = hit.locator(".link-table tr").all_inner_texts()
    assert any("yeast" in pair and "Hefe" in pair for pair in pairs)
    expect(hit.locator(".glossed .gloss", has_text="yeast").first).to_be_visible()
    assert "why=bread-de" in page.url
    ends = curve_ends(hit, "yeast", "Hefe")
    assert ends["near_query"] < 3
    assert ends["near_word"] < 3


def curve_ends(hit, query_word, document_word):
    """How far the ends of the nearest curve are from the two words, in pixels."""
    return hit.locator(".linked").evaluate(
        """(frame, [from, to]) => {
            const find = (name, text) => [...frame.querySelectorAll(`[data-${name}]`)]
                .find((one) => one.textContent === text).getBoundingClientRect();
            const [a, b] = [find("query", from), find("word", to)];
            const svg = frame.querySelector("svg").getBoundingClientRect();
            const ends = [...frame.querySelectorAll("path")].map((path) => {
                const [first, last] = [path.getPointAtLength(0),
                    path.getPointAtLength(path.getTotalLength())];
                return {
                    near_query: Math.hypot(first.x + svg.x - a.x - a.width / 2,
                        first.y + svg.y - a.bottom),
                    near_word: Math.hypot(last.x + svg.x - b.x - b.width / 2,
                        last.y + svg.y - b.top),
                };
            });
            return ends.sort((x, y) => x.near_query + x.near_word - y.near_query - y.near_word)[0];
        }""",
        [query_word, document_word],
    )


def test_why_shows_the_shares_of_the_parts_of_the_score(page):
    parts = [
        {"system": "psq", "score": 1.0, "added": 3.0},
        {"system": "dense", "score": 0.5, "added": 1.0},
    ]
    change_answers(page, lambda answer: answer.update(parts=parts), "**/explain?*")
    search(page, QUERY)
    page.locator(".hit .why").first.click()
    expect(page.locator(".parts li").nth(0)).to_have_text(re.compile(r"words\s*75%"))
    expect(page.locator(".parts li").nth(1)).to_have_text(re.compile(r"meaning of sentences\s*25%"))


def test_a_hit_without_linked_words_says_that_its_meaning_was_near(page):
    def by_vectors(answer):
        answer.update(by_vectors=True, links=[])

    change_answers(page, by_vectors, "**/explain?*")
    search(page, QUERY)
    page.locator(".hit .why").first.click()
    expect(page.locator(".explanation")).to_contain_text("meaning of its sentences")


def test_the_reader_shows_the_whole_document_with_marks(page):
    search(page, QUERY)
    page.locator("[data-hit=bread-de] .title").click()
    reader = page.locator(".reader")
    expect(reader.locator("h2")).to_have_text("Brot backen")
    expect(reader.locator("h2")).to_have_attribute("lang", "de")
    expect(reader.locator(".text")).to_contain_text("ist er fertig gebacken.")
    expect(reader.locator("mark", has_text="Hefe").first).to_be_visible()
    reader.get_by_role("button", name="Next match").click()
    expect(reader.locator("mark.current")).to_have_count(1)
    expect(reader.locator(".marks")).to_contain_text("1 of")
    page.go_back()
    expect(reader).to_have_count(0)


def test_similar_documents_are_offered_below_a_document(page):
    search(page, QUERY)
    page.locator("[data-hit=bread-de] .title").click()
    similar = page.locator(".similar a")
    expect(similar.first).to_be_visible()
    title = similar.first.inner_text()
    similar.first.click()
    expect(page.locator(".reader h2")).to_have_text(title)


def test_a_huge_document_is_read_in_parts(page):
    search(page, "almanac")
    page.locator("[data-hit=long] .title").click()
    text = page.locator(".reader .text")
    expect(text).to_contain_text("Paragraph 0 of")
    assert "Paragraph 8999 of" not in text.inner_text()
    more = page.get_by_role("button", name="Show the next part")
    while more.count():
        before = page.locator(".reader .part").count()
        more.click()
        expect(page.locator(".reader .part")).to_have_count(before + 1)
    expect(text).to_contain_text("Paragraph 8999 of")


def test_a_gloss_can_be_shown_under_every_snippet(page):
    search(page, QUERY)
    page.get_by_label("Gloss").check()
    german = page.locator("[data-hit=bread-de] .gloss-line")
    expect(german).to_contain_text("flour")
    expect(german).to_have_attribute("lang", "en")
    expect(page.locator("[data-hit=bread-en] .gloss-line")).to_have_count(0)
    assert "gloss=1" in page.url


def test_markup_in_stored_text_is_shown_as_text(page):
    search(page, "zeppelin")
    hit = page.locator("[data-hit='hostile/markup']")
    expect(hit.locator(".title")).to_contain_text("<i>Zeppelin</i> <script>")
    expect(hit.locator(".snippet")).to_contain_text("<b>bold</b>")
    assert hit.locator("b, i:not(.bars i), img, script, style").count() == 0
    hit.locator(".why").click()
    expect(hit.locator(".passage")).to_contain_text("onerror")
    assert hit.locator("b:not(.parts b), img, script, style").count() == 0
    hit.locator(".title").click()
    text = page.locator(".reader .text")
    expect(text).to_contain_text("<script>document.title='taken'</script>")
    assert page.locator(".reader").locator("script, style, img, b").count() == 0
    assert page.title() == "zeppelin – Dragoman"


def test_bidi_controls_in_stored_text_are_shown_by_their_code(page):
    search(page, "trebuchet")
    hit = page.locator("[data-hit='hostile/bidi']")
    expect(hit.locator(".title .control")).to_have_text("U+202E")
    assert "\u202e" not in hit.inner_text()
    hit.locator(".title").click()
    text = page.locator(".reader .text")
    expect(text).to_contain_text("U+202Egnp.exeU+2066 stays in itsU+0007 place.")
    assert not {"\u202e", "\u2066"} & set(page.locator(".reader").inner_text())


def test_markup_in_the_query_is_shown_as_text(page):
    page.goto(page.url + "?query=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E+bread")
    expect(page.locator("#query")).to_have_value("<img src=x onerror=alert(1)> bread")
    expect(page.locator(".hit").first).to_be_visible()
    assert page.locator("img").count() == 0
