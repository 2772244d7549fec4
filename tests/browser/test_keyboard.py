"""The whole page without a mouse."""

from playwright.sync_api import expect

from served_page import search

QUERY = "baking bread with yeast"


def focused(page):
    return page.evaluate("document.activeElement.closest('[data-hit]')?.dataset.hit ?? ''")


def test_a_slash_goes_to_the_search_box_and_is_not_typed(page):
    search(page, QUERY)
    page.locator(".hit .title").first.focus()
    page.keyboard.press("/")
    expect(page.locator("#query")).to_be_focused()
    expect(page.locator("#query")).to_have_value(QUERY)


def test_arrows_move_from_hit_to_hit_and_back_to_the_box(page):
    search(page, QUERY)
    hits = page.locator("[data-hit]").evaluate_all("all => all.map(one => one.dataset.hit)")
    page.locator("#query").focus()
    page.keyboard.press("ArrowDown")
    assert focused(page) == hits[0]
    page.keyboard.press("ArrowDown")
    assert focused(page) == hits[1]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#query")).to_be_focused()


def test_enter_opens_a_document_and_escape_returns_to_its_hit(page):
    search(page, QUERY)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    hit = focused(page)
    page.keyboard.press("Enter")
    expect(page.locator(".reader")).to_be_focused()
    page.keyboard.press("n")
    page.keyboard.press("Escape")
    expect(page.locator(".reader")).to_have_count(0)
    assert focused(page) == hit
    page.keyboard.press("Escape")
    expect(page.locator("#query")).to_be_focused()


def test_w_explains_a_hit_and_escape_closes_the_explanation(page):
    search(page, QUERY)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("w")
    expect(page.locator(".explanation .link-table")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".explanation")).to_have_count(0)
    assert focused(page)


def test_n_and_p_move_between_the_matches_of_a_document(page):
    search(page, QUERY)
    page.locator("[data-hit=bread-de] .title").press("Enter")
    expect(page.locator(".reader mark").first).to_be_visible()
    page.keyboard.press("n")
    page.keyboard.press("n")
    expect(page.locator(".reader .marks")).to_contain_text("2 of")
    page.keyboard.press("p")
    expect(page.locator(".reader .marks")).to_contain_text("1 of")


def test_a_question_mark_opens_the_sheet_of_keys_and_escape_closes_it(page):
    search(page, QUERY)
    page.locator(".hit .title").first.focus()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("from hit to hit")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_letters_typed_in_the_box_are_not_commands(page):
    page.locator("#query").press_sequentially("w?g/")
    expect(page.locator("#query")).to_have_value("w?g/")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_facets_open_by_keys_and_close_by_escape(page):
    search(page, QUERY)
    facet = page.locator(".facet summary", has_text="group")
    facet.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".facet .panel")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Remove filters")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".facet .panel")).to_be_hidden()


def test_every_stop_of_the_tab_key_shows_where_it_is(page):
    search(page, QUERY)
    page.evaluate("document.activeElement.blur()")
    for _ in range(14):
        page.keyboard.press("Tab")
        ring = page.evaluate(
            """() => {
                const one = document.activeElement;
                const box = one.closest(".box") ?? one;
                const style = getComputedStyle(box);
                return [one.tagName, style.outlineStyle !== "none" || style.boxShadow !== "none"];
            }"""
        )
        assert ring[1], ring
