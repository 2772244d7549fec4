"""Addresses of services."""

import pytest

from dragoman.errors import UserError
from dragoman.service.clients.address import ServiceAddress, is_address, parse_address


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1"),
        ("http://host/v1/", "http://host/v1"),
        ("http://[::1]:8080", "http://[::1]:8080/v1"),
        ("https://host/search", "https://host/search/v1"),
        ("https://host/search/v1/indexes/a%20b", "https://host/search/v1/indexes/a%20b"),
        ("http://host:1/v1/indexes/letters/", "http://host:1/v1/indexes/letters"),
    ],
)
def test_an_address_names_a_service_and_perhaps_an_index(text, base):
    assert parse_address(text).base == base


def test_the_index_can_be_named_beside_the_address():
    assert parse_address("http://host", "letters") == ServiceAddress("http://host", "letters")
    with pytest.raises(UserError, match="one of the two"):
        parse_address("http://host/v1/indexes/a", "b")


@pytest.mark.parametrize(
    "text", ["ftp://host", "http://", "host:8080", "http://host:x", "http://host/?q=1"]
)
def test_what_is_no_address_is_refused(text):
    with pytest.raises(UserError, match="expected the address of a service"):
        parse_address(text)


def test_a_password_in_an_address_is_refused_and_not_repeated():
    with pytest.raises(UserError, match="DRAGOMAN_KEY") as raised:
        parse_address("http://me:secret@host")
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "is_loopback"),
    [
        ("http://127.0.0.2", True),
        ("http://localhost:1", True),
        ("http://[::1]", True),
        ("http://10.0.0.1", False),
        ("http://localhost.example", False),
    ],
)
def test_services_on_this_machine_are_known(text, is_loopback):
    assert parse_address(text).is_loopback is is_loopback


def test_a_folder_is_no_address():
    assert not is_address("my-index")
    assert not is_address("http")
    assert is_address("HTTP://host")
