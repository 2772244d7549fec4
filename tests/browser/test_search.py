"""Searching: answers while one types, the language, chips, facets, the address."""

import re

from playwright.sync_api import expect

from served_page import change_answers, search


def test_the_first_screen_explains_itself_and_offers_three_searches(page):
    expect(page.locator(".about")).to_contain_text("any language")
    examples = page.locator(".examples button")
    expect(examples).to_have_count(3)
    languages = examples.locator("bdi").evaluate_all("all => all.map(one => one.lang)")
    assert len(set(languages)) == 3
    examples.first.click()
    expect(page.locator(".hit").first).to_be_visible()


def test_hits_in_other_languages_appear_while_one_types(page):
    page.locator("#query").press_sequentially("baking bread", delay=30)
    expect(page.locator(".hit").first).to_be_visible()
    page.wait_for_url("**/?query=baking+bread")
    languages = page.locator(".hit .snippet").evaluate_all("all => all.map(one => one.lang)")
    assert len(set(languages)) > 3


def test_letters_are_not_asked_one_by_one_and_a_stale_answer_is_dropped(page):
    asked = []
    page.on("request", lambda one: asked.append(one.url) if "/search?" in one.url else None)
    page.route(
        lambda address: "query=sea+salt&" in address,
        lambda route: page.wait_for_timeout(600) or route.fallback(),
    )
    page.locator("#query").press_sequentially("sea salt", delay=20)
    page.wait_for_timeout(200)
    page.locator("#query").press_sequentially(" lighthouse", delay=20)
    expect(page.locator(".summary")).to_be_visible()
    page.wait_for_timeout(900)
    assert len(asked) <= 4
    assert "query=sea+salt+lighthouse" in page.url
    expect(page.locator(".hit .title").first).to_be_visible()


def test_the_language_of_the_query_is_shown_and_can_be_changed(page):
    search(page, "baking bread with yeast")
    chosen = page.get_by_label("Language of the query")
    expect(chosen.locator("option").first).to_have_text("English, detected")
    with page.expect_response(lambda answer: "language=de" in answer.url) as answered:
        chosen.select_option("de")
    assert answered.value.json()["language"]["code"] == "de"
    assert "language=de" in page.url


def test_a_language_that_the_query_does_not_show_is_called_assumed(page):
    page.fill("#query", "2026")
    first = page.get_by_label("Language of the query").locator("option").first
    expect(first).to_contain_text(", assumed")


def test_the_detected_language_is_held_while_one_types(page):
    search(page, "il pane fatto in casa")
    page.wait_for_timeout(800)
    with page.expect_request(lambda one: "/search?" in one.url) as asked:
        page.fill("#query", "il pane fatto in casx")
    assert "language=it" in asked.value.url
    with page.expect_request(lambda one: "/search?" in one.url) as asked:
        pass
    assert "language=" not in asked.value.url.replace("languages=", "")


def test_language_chips_have_counts_and_restrict_the_hits(page):
    search(page, "baking bread with yeast")
    chip = page.locator(".chip[data-language=fr]")
    assert re.fullmatch(r"French\s+\d+", chip.inner_text())
    chip.click()
    expect(page.locator(".hit .language").first).to_have_text("French")
    assert "languages=fr" in page.url
    expect(chip).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".chip[data-language=de]")).to_be_visible()
    page.get_by_role("button", name="Remove filters").click()
    assert "languages" not in page.url


def test_facets_restrict_the_hits(page):
    search(page, "baking bread with yeast")
    page.locator(".facet summary", has_text="group").click()
    page.locator(".facet label", has_text="drinks").click()
    expect(page.locator(".hit").first).to_be_visible()
    assert "where=group%3Ddrinks" in page.url
    expect(page.locator("[data-hit^=bread]")).to_have_count(0)


def test_a_shared_address_shows_the_same_search(page, open_page):
    search(page, "baking bread with yeast")
    page.locator(".chip[data-language=fr]").click()
    expect(page.locator(".hit .language").first).to_have_text("French")
    other = open_page(page.url)
    expect(other.locator("#query")).to_have_value("baking bread with yeast")
    expect(other.locator(".hit .title").first).to_have_text(
        page.locator(".hit .title").first.inner_text()
    )


def test_back_returns_to_the_search_before(page):
    search(page, "baking bread with yeast")
    page.locator("#query").press("Enter")
    first = page.locator(".hit .title").first.inner_text()
    page.locator(".chip[data-language=fr]").click()
    expect(page.locator(".chip[data-language=fr]")).to_have_attribute("aria-pressed", "true")
    page.go_back()
    expect(page.locator(".hit .title").first).to_have_text(first)
    page.go_back()
    expect(page.locator(".about")).to_be_visible()
    expect(page.locator("#query")).to_have_value("")


def test_more_hits_are_shown_on_request(page):
    search(page, "baking bread with yeast")
    expect(page.locator(".hit")).to_have_count(10)
    page.get_by_role("button", name="Show more hits").click()
    expect(page.locator(".hit")).to_have_count(20)


def test_the_page_answers_in_languages_written_from_right_to_left(page):
    search(page, "الخبز والخميرة في البيت")
    expect(page.locator("#query")).to_have_attribute("dir", "auto")
    box = page.locator("#query").evaluate("one => getComputedStyle(one).direction")
    assert box == "rtl"
    arabic = page.locator(".snippet[lang=ar]").first
    expect(arabic).to_have_attribute("dir", "auto")
    assert arabic.evaluate("one => getComputedStyle(one).direction") == "rtl"


def test_fields_that_only_keep_an_index_in_step_are_not_offered_as_filters(page):
    fields = ["digest", "group", "modified", "path", "size"]
    change_answers(page, lambda stats: stats.update(fields=fields), "**/stats")
    page.reload()
    with page.expect_request(lambda one: "/search?" in one.url) as asked:
        page.fill("#query", "bread")
    assert "facets=language%2Cgroup" in asked.value.url
    assert "digest" not in asked.value.url


def test_somebody_who_types_before_the_page_knows_the_index_gets_filters_too(page):
    page.route("**/stats", lambda route: page.wait_for_timeout(1500) or route.fallback())
    page.reload()
    page.fill("#query", "bread with yeast")
    expect(page.locator(".facet summary", has_text="group")).to_be_visible()
