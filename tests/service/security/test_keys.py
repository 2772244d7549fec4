import json
import re
import stat

import pytest

from dragoman.errors import InputError, UserError
from dragoman.service.security import keys as module
from dragoman.service.security.keys import KeyFile, KeyScope


@pytest.fixture
def keys(tmp_path):
    return KeyFile(tmp_path / "state" / "keys.json")


def test_a_key_has_256_random_bits_and_a_prefix(keys):
    one, other = keys.add("a", KeyScope.READ), keys.add("b", KeyScope.READ)
    assert re.fullmatch(r"dgm_[A-Za-z0-9_-]{43}", one)
    assert one != other


def test_the_file_holds_a_hash_and_only_its_owner_reads_it(keys):
    key = keys.add("a", KeyScope.WRITE, ["letters"])
    text = keys.path.read_text()
    assert key not in text
    assert key.removeprefix("dgm_") not in text
    assert stat.S_IMODE(keys.path.stat().st_mode) == 0o600
    (row,) = json.loads(text)["keys"]
    assert row["indexes"] == ["letters"]
    assert row["scope"] == "write"
    assert len(row["digest"]) == 64


def test_a_key_is_recognised_and_another_is_not(keys):
    key = keys.add("a", KeyScope.WRITE)
    assert keys.find(key).name == "a"
    for wrong in ("", "dgm_", key[:-1], key + "a", key.upper(), "x" * 10_000, "dgm_\ud800"):
        assert keys.find(wrong) is None


def test_every_stored_hash_is_compared_in_constant_time(keys, monkeypatch):
    key = keys.add("a", KeyScope.READ)
    keys.add("b", KeyScope.READ)
    compared = []
    real = module.hmac.compare_digest

    def compare(one, other):
        compared.append(one)
        return real(one, other)

    monkeypatch.setattr(module.hmac, "compare_digest", compare)
    assert keys.find(key).name == "a"
    assert len(compared) == 2


def test_another_process_revokes_a_key_and_this_one_notices(keys):
    key = keys.add("a", KeyScope.READ)
    assert keys.find(key)
    KeyFile(keys.path).revoke("a")
    assert keys.find(key) is None
    assert keys.exists()


def test_names_are_unique_and_readable(keys):
    keys.add("a", KeyScope.READ)
    with pytest.raises(UserError, match="called 'a' already"):
        keys.add("a", KeyScope.READ)
    for name in ("", "x" * 65, "a\nb"):
        with pytest.raises(UserError, match="expected 1 to 64 letters"):
            keys.add(name, KeyScope.READ)
    with pytest.raises(UserError, match="no key is called 'b'; known: a"):
        keys.revoke("b")


def test_scopes_include_those_below_them():
    order = [KeyScope.READ, KeyScope.WRITE, KeyScope.ADMIN]
    for place, scope in enumerate(order):
        assert [scope.includes(other) for other in order] == [n <= place for n in range(3)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format": 2, "keys": []}',
        '{"format": 1, "keys": [{"name": "a"}]}',
        '{"format": 1, "keys": [{"name": "a", "digest": "b", "scope": "all", "indexes": [],'
        ' "created": ""}]}',
        '{"format": 1, "keys": [{"name": "a", "digest": "b", "scope": "read", "indexes": "x",'
        ' "created": ""}]}',
    ],
)
def test_a_damaged_file_is_an_error_and_never_opens_the_service(keys, text):
    keys.path.parent.mkdir()
    keys.path.write_text(text)
    with pytest.raises(InputError, match="written by `dragoman keys`"):
        keys.find("dgm_x")


def test_two_processes_that_add_keys_do_not_lose_one(keys):
    other = KeyFile(keys.path)
    keys.add("a", KeyScope.READ)
    other.add("b", KeyScope.READ)
    keys.add("c", KeyScope.READ)
    assert [one.name for one in other.stored()] == ["a", "b", "c"]
