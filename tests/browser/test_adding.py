"""Files dropped on the page or chosen become documents, with the progress of the task."""

import pytest
from playwright.sync_api import expect

from served_page import change_answers, search

DROP = """async ([name, text]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], name, {type: "text/plain"}));
    for (const kind of ["dragenter", "dragover"]) {
        document.body.dispatchEvent(new DragEvent(kind, {dataTransfer: transfer, bubbles: true}));
        await new Promise(requestAnimationFrame);
    }
    const shown = document.querySelector(".drop")?.textContent ?? "";
    document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: transfer, bubbles: true}));
    return shown;
}"""
ITALIAN = (
    "Il faro di Genova si chiama Lanterna. Guida le navi verso il porto da quasi mille anni, e la"
    " sua luce si vede da lontano anche quando il mare è in tempesta."
)


@pytest.fixture
def growing(several):
    """The address of an index that may grow."""
    return f"{several}/?index=harbour"


def test_a_dropped_file_is_added_and_found(open_page, growing):
    page = open_page(growing)
    expect(page.locator(".size")).to_contain_text("60 documents")
    shown = page.evaluate(DROP, ["lanterna.txt", ITALIAN])
    assert "Drop files to add them to harbour" in shown
    expect(page.locator(".upload")).to_contain_text("1 document added")
    expect(page.locator(".size")).to_contain_text("61 documents")
    search(page, "the lighthouse of Genoa guides the ships")
    hit = page.locator(".hit").first
    expect(hit.locator(".snippet")).to_contain_text("Lanterna")
    expect(hit.locator(".origin")).to_contain_text("lanterna.txt")


def test_a_file_that_cannot_be_read_is_named_with_the_reason(open_page, growing):
    page = open_page(growing)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Add files").click()
    broken = {"name": "broken.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.4 no"}
    chooser.value.set_files([broken])
    errors = page.locator(".upload details")
    errors.locator("summary").click()
    expect(errors).to_contain_text("broken.pdf")
    page.locator(".upload").get_by_role("button", name="Dismiss").click()
    expect(page.locator(".upload")).to_have_count(0)


def test_the_progress_of_a_task_is_shown_and_it_can_be_cancelled(open_page, growing):
    page = open_page(growing)
    cancelled = []
    running = {"state": "running", "done": 3, "total": 10}
    page.on("request", lambda one: cancelled.append(one.url) if one.method == "DELETE" else None)
    change_answers(page, lambda task: task.update(running), "**/tasks/*")
    page.evaluate(DROP, ["again.txt", ITALIAN])
    upload = page.locator(".upload")
    expect(upload).to_contain_text("Reading and indexing: 3 of 10")
    assert upload.locator("progress").evaluate("one => one.value") == pytest.approx(0.3)
    upload.get_by_role("button", name="Cancel").click()
    page.wait_for_timeout(200)
    assert cancelled
    page.unroute_all(behavior="ignoreErrors")
    expect(upload.get_by_role("button", name="Dismiss")).to_be_visible()


def test_a_refused_upload_says_why(open_page, growing):
    page = open_page(growing)
    problem = {"title": "Too large", "status": 413, "detail": "Found 200 MB; at most 100 MB."}
    page.route("**/files", lambda route: route.fulfill(status=413, json=problem))
    page.evaluate(DROP, ["large.txt", "text"])
    expect(page.locator(".upload")).to_contain_text("Found 200 MB; at most 100 MB.")
