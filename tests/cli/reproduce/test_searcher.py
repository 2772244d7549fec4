"""``dragoman reproduce searcher``."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from commands import run
from dragoman.errors import InputError, UnknownName


def test_wrong_options_are_refused(tmp_path):
    with pytest.raises(UnknownName, match="Unknown scale 'large'"):
        run("reproduce", "searcher", tmp_path, "-o", tmp_path / "r", "--scale", "large")
    with pytest.raises(InputError, match=r"no bitext/en-so.tsv.gz"):
        run("reproduce", "searcher", tmp_path, "-o", tmp_path / "r", "--languages", "so")
    with pytest.raises(UnknownName, match="Unknown row 'softmx'"):
        run("reproduce", "searcher", tmp_path, "-o", tmp_path / "r", "--rows", "softmx,max")
