"""What is shown instead of hits: nothing found, slow, busy, offline, failed."""

from playwright.sync_api import expect

from served_page import change_answers, search

SEARCHES = "**/search?*"


def test_no_hits_offers_to_remove_the_filters(page):
    def without_hits(answer):
        answer.update(hits=[], window={"hits": 0, "limit": 500}, next=None)

    change_answers(page, without_hits)
    page.goto(page.url + "?query=bread&languages=fr")
    expect(page.get_by_role("heading", name="No hits")).to_be_visible()
    page.unroute(SEARCHES)
    page.locator(".notice").get_by_role("button", name="Remove filters").click()
    expect(page.locator(".hit").first).to_be_visible()


def test_a_slow_search_says_so_and_then_answers(page):
    page.route(SEARCHES, lambda route: page.wait_for_timeout(2500) or route.fallback())
    page.fill("#query", "bread")
    expect(page.locator(".hint.slow")).to_have_text("Still searching…")
    expect(page.locator(".hit").first).to_be_visible()
    expect(page.locator(".hint.slow")).to_have_count(0)


def test_an_unreachable_service_is_named_and_the_search_goes_on_by_itself(page):
    page.route("**/v1/**", lambda route: route.abort())
    page.fill("#query", "bread")
    expect(page.get_by_role("heading", name="The service does not answer")).to_be_visible()
    page.unroute("**/v1/**")
    expect(page.locator(".hit").first).to_be_visible()
    expect(page.locator(".notice")).to_have_count(0)


def test_hits_stay_while_the_service_is_unreachable(page):
    search(page, "bread")
    page.route("**/v1/**", lambda route: route.abort())
    page.fill("#query", "bread and salt")
    expect(page.get_by_role("heading", name="The service does not answer")).to_be_visible()
    expect(page.locator(".hit").first).to_be_visible()


def test_a_busy_service_is_asked_again(page):
    problem = {"title": "Too many requests", "status": 429, "code": "busy"}
    page.route(SEARCHES, lambda route: route.fulfill(status=429, json=problem), times=1)
    page.fill("#query", "bread")
    expect(page.get_by_role("heading", name="The service is busy")).to_be_visible()
    expect(page.locator(".hit").first).to_be_visible()


def test_an_error_shows_its_reason_and_the_request(page):
    problem = {"title": "Bad", "detail": "The <b>reason</b>.", "code": "x", "request_id": "abc123"}
    page.route(SEARCHES, lambda route: route.fulfill(status=500, json=problem))
    page.fill("#query", "bread")
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text("The <b>reason</b>.")
    expect(notice).to_contain_text("abc123")
    page.wait_for_timeout(1000)  # until the search after the pause has failed as well
    page.unroute(SEARCHES)
    notice.get_by_role("button", name="Try again").click()
    expect(page.locator(".hit").first).to_be_visible()


def test_an_expired_cursor_begins_the_ranking_again(page):
    search(page, "bread with yeast")
    gone = {"title": "Gone", "status": 410, "code": "expired_cursor"}
    page.route("**/search?*cursor=*", lambda route: route.fulfill(status=410, json=gone), times=1)
    with page.expect_response(lambda answer: answer.ok and "/search?" in answer.url):
        page.get_by_role("button", name="Show more hits").click()
    expect(page.locator(".hit")).to_have_count(10)
    expect(page.locator(".notice")).to_have_count(0)


def test_an_empty_index_asks_for_files(page):
    change_answers(page, lambda stats: stats.update(documents=0, languages={}), "**/stats")
    page.reload()
    expect(page.get_by_role("heading", name="This index is empty")).to_be_visible()


def test_warnings_of_the_service_are_shown(page):
    change_answers(page, lambda answer: answer.update(warnings=["No encoder reads this."]))
    search(page, "bread")
    expect(page.locator(".note")).to_have_text("No encoder reads this.")
