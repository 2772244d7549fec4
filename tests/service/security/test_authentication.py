import pytest

from dragoman.service.security.keys import KeyFile, KeyScope
from small_service import small_service

SEARCH = "/v1/search?query=tide"


@pytest.fixture
def keys(tmp_path):
    return KeyFile(tmp_path / "state" / "keys.json")


@pytest.fixture
def opened(tmp_path):
    with small_service(tmp_path) as client:
        yield client


def bearer(key):
    return {"Authorization": f"Bearer {key}"}


def test_without_keys_everything_is_open(opened):
    assert opened.get(SEARCH).status_code == 200


def test_the_first_key_closes_a_running_service(opened, keys):
    key = keys.add("a", KeyScope.READ)
    answer = opened.get(SEARCH)
    assert (answer.status_code, answer.json()["code"]) == (401, "key_needed")
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert opened.get(SEARCH, headers=bearer(key)).status_code == 200


def test_a_revoked_key_ends_at_once(opened, keys):
    key = keys.add("a", KeyScope.READ)
    assert opened.get(SEARCH, headers=bearer(key)).status_code == 200
    keys.revoke("a")
    answer = opened.get(SEARCH, headers=bearer(key))
    assert (answer.status_code, answer.json()["code"]) == (401, "key_unknown")


def test_a_lost_or_damaged_file_of_keys_does_not_open_the_service(opened, keys):
    key = keys.add("a", KeyScope.READ)
    assert opened.get(SEARCH).status_code == 401
    keys.path.write_text("{}")
    answer = opened.get(SEARCH, headers=bearer(key))
    assert (answer.status_code, answer.json()["code"]) == (503, "keys_unreadable")
    assert str(keys.path) not in answer.text
    assert opened.get("/v1/health", headers=bearer(key)).status_code == 200
    keys.path.unlink()
    assert opened.get(SEARCH, headers=bearer(key)).status_code == 401


@pytest.mark.parametrize("value", ["", "Bearer", "Basic abc", "dgm_abc", "Bearer \xff", "bearer x"])
def test_other_authorization_is_no_key(opened, keys, value):
    keys.add("a", KeyScope.READ)
    answer = opened.get(SEARCH, headers={"Authorization": value.encode("latin-1")})
    assert answer.status_code == 401


def test_wrong_keys_have_to_wait_and_right_ones_do_not(opened, keys):
    key = keys.add("a", KeyScope.READ)
    answers = [opened.get(SEARCH, headers=bearer("dgm_wrong")) for _ in range(12)]
    assert [one.status_code for one in answers] == [401] * 10 + [429] * 2
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 61
    assert opened.get(SEARCH, headers=bearer(key)).status_code == 200
    by_proxy = {**bearer("dgm_wrong"), "X-Forwarded-For": "198.51.100.7"}
    assert opened.get(SEARCH, headers=by_proxy).status_code in (401, 429)


def test_a_key_in_the_address_is_not_looked_at(opened, keys):
    key = keys.add("a", KeyScope.READ)
    assert opened.get(f"{SEARCH}&key={key}").status_code in (401, 422)
