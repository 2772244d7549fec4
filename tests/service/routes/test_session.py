import pytest

from dragoman.service.security.keys import KeyFile, KeyScope
from small_service import small_service

SEARCH = "/v1/search?query=tide"


@pytest.fixture
def keys(tmp_path):
    return KeyFile(tmp_path / "state" / "keys.json")


@pytest.fixture
def browser(tmp_path):
    with small_service(tmp_path) as client:
        yield client


def enter(browser, key):
    return browser.post("/v1/session", json={"key": key})


def test_a_service_without_keys_says_that_none_is_needed(browser):
    assert browser.get("/v1/session").json() == {
        "key_needed": False,
        "scopes": ["read", "write", "admin"],
        "name": "",
        "indexes": [],
    }
    assert enter(browser, "dgm_any").status_code == 200
    assert not browser.cookies


def test_a_key_is_entered_once_and_becomes_a_cookie_for_this_site_alone(browser, keys):
    key = keys.add("reading-room", KeyScope.WRITE, ["letters"])
    assert browser.get("/v1/session").json()["scopes"] == []
    answer = enter(browser, f" {key}\n")
    assert answer.json() == {
        "key_needed": True,
        "scopes": ["read", "write"],
        "name": "reading-room",
        "indexes": ["letters"],
    }
    cookie = answer.headers["Set-Cookie"]
    for part in ("HttpOnly", "SameSite=strict", "Path=/", "Max-Age=43200"):
        assert part in cookie
    assert key not in cookie
    assert key not in answer.text
    assert browser.get(SEARCH).status_code == 200
    assert browser.get("/v1/session").json()["name"] == "reading-room"


def test_behind_tls_the_cookie_is_for_tls_alone(browser, keys):
    key = keys.add("a", KeyScope.READ)
    headers = {"X-Forwarded-Proto": "https"}
    answer = browser.post("/v1/session", json={"key": key}, headers=headers)
    assert "Secure" in answer.headers["Set-Cookie"]
    assert "Secure" not in enter(browser, key).headers["Set-Cookie"]


def test_a_session_ends_when_its_owner_leaves(browser, keys):
    enter(browser, keys.add("a", KeyScope.READ))
    cookie = dict(browser.cookies)
    assert browser.delete("/v1/session").status_code == 204
    assert not browser.cookies
    browser.cookies.update(cookie)
    assert browser.get(SEARCH).status_code == 401


def test_a_session_ends_when_its_key_is_revoked(browser, keys):
    enter(browser, keys.add("a", KeyScope.READ))
    assert browser.get(SEARCH).status_code == 200
    keys.revoke("a")
    assert browser.get(SEARCH).status_code == 401


def test_a_session_has_the_scope_of_its_key(browser, keys):
    enter(browser, keys.add("a", KeyScope.READ))
    answer = browser.delete("/v1/documents/tide")
    assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing")


def test_guesses_are_slowed_down(browser, keys):
    key = keys.add("a", KeyScope.READ)
    statuses = [enter(browser, f"dgm_{n}").status_code for n in range(12)]
    assert statuses == [401] * 10 + [429] * 2
    assert enter(browser, key).status_code == 200


@pytest.mark.parametrize("body", [{}, {"key": 1}, {"key": "a", "b": 1}, [], {"key": "x" * 300}])
def test_a_wrong_body_is_a_problem(browser, body):
    assert browser.post("/v1/session", json=body).status_code == 422


@pytest.mark.parametrize(
    "cookie", ["dragoman_session=", "dragoman_session=abc", "=;;=", '"', "a=b; \x01=c"]
)
def test_a_forged_cookie_is_no_session(browser, keys, cookie):
    keys.add("a", KeyScope.READ)
    assert browser.get(SEARCH, headers={"Cookie": cookie}).status_code == 401
