"""``dragoman reproduce transport``."""

import pytest

from commands import run
from dragoman.errors import InputError
from small_data import write_data


def test_transport_needs_its_paragraphs(tmp_path):
    page = tmp_path / "results.md"
    with pytest.raises(InputError, match="found no xquad-r; expected its paragraphs"):
        run("reproduce", "transport", write_data(tmp_path / "data"), "-o", page)
    assert not page.exists()
