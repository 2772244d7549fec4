import pytest

from dragoman.cluster.address import is_cluster_address, parse_cluster_address
from dragoman.errors import ConfigError, UserError


def test_an_address_names_nodes_an_index_and_settings():
    address = parse_cluster_address("qdrant://a:7000,b,[::1]:1/news?shards=12&exact=true")
    assert address.nodes == ("http://a:7000", "http://b:6333", "http://[::1]:1")
    assert (address.name, address.settings.shards, address.settings.exact) == ("news", 12, True)
    assert str(address) == "qdrant://a:7000,b:6333,[::1]:1/news"
    assert parse_cluster_address("qdrants://a/n").nodes == ("https://a:6333",)
    assert is_cluster_address("QDRANT://a/b")
    assert not is_cluster_address("folder/qdrant")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("qdrant://a:6333/", "found the name ''"),
        ("qdrant://a:6333/a/b", "found the name 'a/b'"),
        ("qdrant:///news", "found the host ''"),
        ("qdrant://key@a/news", "Found a key in the address"),
        ("qdrant://a/news?shards=many", "found shards=many; expected a whole number"),
        ("qdrant://a/news?lease_seconds=x", "found lease_seconds=x; expected a number"),
        ("qdrant://a/news?exact=perhaps", "found exact=perhaps; expected true or false"),
    ],
)
def test_another_address_is_refused(text, found):
    with pytest.raises(UserError, match=found.replace("[", r"\[")):
        parse_cluster_address(text)


@pytest.mark.parametrize("query", ["shards=0", "replication=2&write_factor=3"])
def test_settings_out_of_range_are_refused(query):
    with pytest.raises(ConfigError, match="must be"):
        parse_cluster_address(f"qdrant://a/news?{query}")
