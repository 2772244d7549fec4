"""A service with keys: the key is entered once and is a session from then on."""

import subprocess
import sys

import pytest
from playwright.sync_api import expect

import dragoman
from served_page import search, serving


def new_key(state, name, scope):
    command = [sys.executable, "-m", "dragoman", "keys", "add", name, "--scope", scope]
    made = subprocess.run([*command, "--state", state], capture_output=True, text=True, check=True)
    return next(word for word in made.stdout.split() if word.startswith("dgm_"))


def enter(page, key):
    page.get_by_role("textbox", name="Key").fill(key)
    page.keyboard.press("Enter")
    expect(page.locator(".about")).to_be_visible()


@pytest.fixture(scope="module")
def guarded(sample, tmp_path_factory):
    """A service with a key to read, and its address."""
    folder = tmp_path_factory.mktemp("guarded")
    state = str(folder / "state")
    key = new_key(state, "reading-room", "read")
    dragoman.index(sample[:60], folder / "vault", system="psq").close()
    with serving([folder / "vault"], folder, keys=True) as address:
        yield address, key


def test_the_page_asks_for_a_key_and_refuses_a_wrong_one(open_page, guarded):
    address, key = guarded
    page = open_page(address)
    dialog = page.get_by_role("dialog", name="This service needs a key")
    expect(dialog).to_be_visible()
    dialog.get_by_label("Key").fill("dgm_wrong")
    dialog.get_by_role("button", name="Open").click()
    expect(dialog).to_contain_text("This key is not accepted.")
    dialog.get_by_label("Key").fill(key)
    dialog.get_by_role("button", name="Open").click()
    expect(dialog).to_be_hidden()
    search(page, "bread")
    assert key not in page.url
    stored = page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")
    assert "dgm_" not in stored


def test_the_session_outlives_a_reload_and_ends_by_signing_out(open_page, guarded):
    address, key = guarded
    page = open_page(address)
    for _ in range(5):  # an answer that came before the page had subscribed to it was missed
        enter(page, key)
        page.reload()
        expect(page.locator(".about")).to_be_visible()
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_role("dialog")).to_be_visible()


def test_a_key_to_read_offers_no_adding(open_page, guarded):
    address, key = guarded
    page = open_page(address)
    enter(page, key)
    expect(page.get_by_role("button", name="Add files")).to_have_count(0)
