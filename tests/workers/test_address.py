"""The value of --workers, as people write it."""

import pytest

from dragoman.errors import ConfigError
from dragoman.workers.address import WorkersAddress, parse_workers


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("local:1", WorkersAddress(count=1)),
        ("local:64", WorkersAddress(count=64)),
        ("ray://10.0.0.1:6379", WorkersAddress("10.0.0.1", 6379)),
        ("ray://head.example:6379", WorkersAddress("head.example", 6379)),
        ("ray://[::1]:6379", WorkersAddress("[::1]", 6379)),
    ],
)
def test_workers_are_here_or_in_a_cluster(value, expected):
    assert parse_workers(value) == expected
    assert str(expected) == value


@pytest.mark.parametrize(
    "value",
    [
        *("", "4", "local", "local:0", "local:-1", "local:two", "local:2 ", "http://host:10001"),
        *("ray://", "ray://host", "ray://host:0", "ray://host:65536", "ray://host:10001/name"),
    ],
)
def test_another_value_is_refused_with_both_forms(value):
    with pytest.raises(ConfigError, match=r"expected local:N, as in local:4, .* ray://10\.0\.0\.1"):
        parse_workers(value)
