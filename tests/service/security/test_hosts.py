import pytest

from dragoman.errors import UserError
from dragoman.service.security.hosts import (
    allowed_names,
    host_name,
    is_loopback,
    refuse_open_address,
)

ANY = "0.0.0.0"  # noqa: S104 - nothing listens here


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("localhost:8080", "localhost"),
        ("LOCALHOST", "localhost"),
        ("localhost.:80", "localhost"),
        ("[::1]:8080", "[::1]"),
        ("127.0.0.1", "127.0.0.1"),
        ("127.0.0.1.evil.example:80", "127.0.0.1.evil.example"),
        ("", ""),
    ],
)
def test_the_name_of_a_host_has_no_port(host, name):
    assert host_name(host) == name


def test_addresses_of_this_machine_alone():
    assert all(map(is_loopback, ("127.0.0.1", "127.8.9.1", "::1", "[::1]", "localhost")))
    assert not any(map(is_loopback, (ANY, "::", "192.168.1.5", "example.org", "")))


def test_a_service_is_known_by_its_own_number_but_not_by_any():
    assert "192.168.1.5" in allowed_names("192.168.1.5")
    assert ANY not in allowed_names(ANY)
    assert "search.example.org" in allowed_names("127.0.0.1", ["Search.Example.org:443"])


def test_an_address_that_others_reach_needs_keys():
    with pytest.raises(UserError, match="dragoman keys add NAME"):
        refuse_open_address(ANY, has_keys=False)
    refuse_open_address(ANY, has_keys=True)
    refuse_open_address("127.0.0.1", has_keys=False)


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "", "localhost@evil.example"],
)
@pytest.mark.parametrize("path", ["/", "/v1/health", "/v1/indexes", "/v1/search?query=a", "/none"])
def test_another_host_is_refused_on_every_route(client, host, path):
    answer = client.get(path, headers={"Host": host})
    assert answer.status_code == 421
    assert answer.json()["code"] == "host_not_allowed"


@pytest.mark.parametrize("host", ["localhost", "localhost:9000", "127.0.0.1:8080", "[::1]:8080"])
def test_names_of_this_machine_are_allowed_with_any_port(client, host):
    assert client.get("/v1/health", headers={"Host": host}).status_code == 200
