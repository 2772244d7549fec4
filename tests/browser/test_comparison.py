"""Two indexes side by side, and thumbs that become qrels."""

from playwright.sync_api import expect

from served_page import search

QUERY = "baking bread with yeast"


def test_several_answer_side_by_side_and_thumbs_are_exported_as_qrels(open_page, several):
    page = open_page(several)
    search(page, QUERY)
    page.get_by_role("button", name="Compare").click()
    left, right = page.locator(".column").nth(0), page.locator(".column").nth(1)
    expect(left.locator(".hit").first).to_be_visible()
    expect(right.locator(".hit").first).to_be_visible()
    assert "other=" in page.url
    best = left.locator(".hit").first
    name = best.get_attribute("data-hit")
    best.get_by_role("button", name="Relevant", exact=True).click()
    expect(page.locator(".comparison-bar")).to_contain_text("1 judgment")
    second = left.locator(".hit").nth(1)
    second.get_by_role("button", name="Not relevant").click()
    expect(page.locator(".comparison-bar")).to_contain_text("2 judgments")
    expect(best.get_by_role("button", name="Relevant", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    with page.expect_download() as download:
        page.get_by_role("link", name="Export as qrels").click()
    rows = [line.split() for line in download.value.path().read_text().splitlines()]
    assert [name, "1"] in [row[-2:] for row in rows]
    page.get_by_role("button", name="Back to one index").click()
    expect(page.locator(".comparison")).to_have_count(0)


def test_a_judgment_is_still_there_after_a_reload(open_page, several):
    page = open_page(f"{several}/?query=sea+salt&index=psq&other=bm25")
    hit = page.locator(".column").first.locator(".hit").first
    hit.get_by_role("button", name="Not relevant").click()
    pressed = page.locator(".thumbs [aria-pressed=true]")
    expect(pressed.first).to_be_visible()
    page.reload()
    expect(pressed.first).to_be_visible()


def test_a_thumb_that_is_pressed_again_is_withdrawn(open_page, several):
    page = open_page(f"{several}/?query=winter+night&index=psq&other=bm25")
    thumb = page.locator(".column").first.locator(".hit").first.locator(".thumbs button").first
    thumb.click()
    expect(thumb).to_have_attribute("aria-pressed", "true")
    thumb.click()
    expect(thumb).to_have_attribute("aria-pressed", "false")
    page.reload()
    expect(thumb).to_have_attribute("aria-pressed", "false")


def test_an_index_can_be_chosen(open_page, several):
    page = open_page(several)
    search(page, QUERY)
    with page.expect_response(lambda answer: "/bm25/search?" in answer.url):
        page.get_by_label("Index").select_option("bm25")
    assert "index=bm25" in page.url


def test_titles_have_the_direction_of_their_text(open_page, several):
    page = open_page(f"{several}/?query=baking+bread&index=psq&other=bm25")
    title = page.locator(".column h3[lang=ar]").first
    expect(title).to_have_css("direction", "rtl")
    button, heading = title.locator("button").bounding_box(), title.bounding_box()
    assert button["x"] + button["width"] > heading["x"] + heading["width"] - 5
