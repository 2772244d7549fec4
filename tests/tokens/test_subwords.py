import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import ConfigError
from dragoman.tokens.subwords import buckets, fnv1a, ngrams


def test_the_example_of_the_paper():
    assert ngrams("where", 3, 3) == ["<wh", "whe", "her", "ere", "re>"]


def test_lengths_and_edges():
    assert ngrams("ab", 1, 2) == ["<a", "a", "ab", "b", "b>"]
    assert ngrams("", 3, 6) == []
    assert ngrams("ß", 3, 6) == ["<ß>"]


@pytest.mark.parametrize(("low", "high"), [(0, 3), (4, 3)])
def test_lengths_are_checked(low, high):
    with pytest.raises(ConfigError, match="1 <= low <= high"):
        ngrams("word", low, high)
    with pytest.raises(ConfigError, match="1 <= low <= high"):
        buckets("word", 100, low, high)


def test_there_is_at_least_one_bucket():
    with pytest.raises(ConfigError, match="count must be at least 1"):
        buckets("word", 0)


def test_the_published_hash_of_ascii():
    # FNV-1a, 32 bits: values of the algorithm's own test suite
    assert fnv1a("") == 0x811C9DC5
    assert fnv1a("a") == 0xE40C292C
    assert fnv1a("foobar") == 0xBF9CF968


def slow_hash(text):
    """As above, each byte taken as signed, as fastText does."""
    value = 2166136261
    for octet in text.encode():
        signed = octet - 256 if octet > 127 else octet
        value = ((value ^ (signed & 0xFFFFFFFF)) * 16777619) & 0xFFFFFFFF
    return value


@given(st.text(st.characters(codec="utf-8"), max_size=12), st.integers(1, 4), st.integers(0, 3))
@settings(max_examples=200, deadline=None)
def test_buckets_are_the_hashes_of_the_ngrams(word, low, more):
    expected = [slow_hash(gram) % 1009 for gram in ngrams(word, low, low + more)]
    assert buckets(word, 1009, low, low + more).tolist() == expected
