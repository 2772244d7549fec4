"""Colours, contrast, motion, small screens, languages of the page, accessibility."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from served_page import search

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
QUERY = "baking bread with yeast"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def background(page):
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_dark_follows_the_system_and_can_be_chosen(page, open_page, service):
    light = background(page)
    assert background(open_page(service, color_scheme="dark")) != light
    page.get_by_label("Colours").select_option("dark")
    dark = background(page)
    assert dark != light
    page.reload()
    expect(page.locator("#query")).to_be_visible()
    assert background(page) == dark


def test_more_contrast_is_given_where_the_system_asks_for_it(open_page, service):
    assert background(open_page(service, contrast="more")) == "rgb(255, 255, 255)"


def test_forced_colours_keep_the_marks_visible(open_page, service):
    page = open_page(service, forced_colors="active")
    search(page, QUERY)
    mark = page.locator(".snippet mark").first
    assert mark.evaluate("one => getComputedStyle(one).backgroundColor") != background(page)


def test_nothing_moves_where_the_system_asks_for_calm(open_page, service):
    page = open_page(service, reduced_motion="reduce")
    names = page.locator(".progress").evaluate(
        "one => getComputedStyle(one, '::after').animationName"
    )
    assert names == "none"


def test_a_phone_needs_no_sideways_scrolling(open_page, service):
    page = open_page(service, **PHONE)
    search(page, QUERY)
    page.locator(".hit .why").nth(1).click()
    expect(page.locator(".explanation .link-table")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.locator(".hit .title").first.click()
    reader = page.locator(".reader").bounding_box()
    assert (reader["x"], reader["width"]) == (0, 390)


def test_the_page_speaks_german(page):
    page.get_by_label("Language of the page").select_option("de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("h1")).to_have_text("In der eigenen Sprache fragen, in allen finden.")
    page.reload()
    expect(page.locator("#query")).to_have_attribute(
        "placeholder", "In einer beliebigen Sprache suchen"
    )
    search(page, QUERY)
    expect(page.locator(".hit .language").first).to_have_text("Englisch")


def test_the_language_of_the_browser_is_taken(open_page, service):
    page = open_page(service, locale="de-AT")
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_in_arabic_the_page_runs_from_right_to_left(open_page, service):
    page = open_page(service, locale="ar")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    search(page, QUERY)
    logo = page.locator(".home").bounding_box()
    assert logo["x"] > 640
    language = page.locator("[data-hit=bread-de] header").bounding_box()
    title = page.locator("[data-hit=bread-de] h3").bounding_box()
    assert language["x"] > title["x"]
    snippet = page.locator("[data-hit=bread-de] .snippet")
    assert snippet.evaluate("one => getComputedStyle(one).direction") == "ltr"
    assert page.evaluate("document.documentElement.scrollWidth") == 1280


def serious(page):
    """What axe-core finds, of the two gravest kinds."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        (one["id"], node["target"], node["failureSummary"])
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed; npm ci in web/ does it")
@pytest.mark.parametrize(("colours", "locale"), [("light", "en-GB"), ("dark", "ar")])
def test_axe_finds_nothing_serious(open_page, service, colours, locale):
    page = open_page(service, color_scheme=colours, locale=locale, reduced_motion="reduce")
    expect(page.locator(".examples button")).to_have_count(3)
    assert not serious(page)
    search(page, QUERY)
    page.locator("[data-hit=bread-ar] .why").click()
    expect(page.locator(".link-table")).to_be_visible()
    page.locator(".facet summary").first.click()
    assert not serious(page)
    page.locator("[data-hit=bread-de] .title").click()
    expect(page.locator(".reader .text")).to_be_visible()
    page.wait_for_timeout(300)
    assert not serious(page)
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert not serious(page)
