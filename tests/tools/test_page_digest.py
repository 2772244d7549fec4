"""The committed page: built from its sources, small, nothing inline or from elsewhere."""

import gzip
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from page_digest import BUILT, RECORD, SOURCES, digest, digests

MOST_BYTES = 60_000


def test_the_page_was_built_from_its_sources():
    recorded = json.loads(RECORD.read_text(encoding="utf-8"))
    assert digests() == recorded, "run 'make page' and commit what it writes"


def test_the_page_is_small():
    sizes = [len(gzip.compress(path.read_bytes())) for path in BUILT.rglob("*") if path.is_file()]
    assert 0 < sum(sizes) < MOST_BYTES


def test_a_digest_depends_on_names_and_contents_but_not_on_what_is_left_out(tmp_path):
    (tmp_path / "a").write_text("1")
    first = digest(tmp_path)
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "b").write_text("2")
    assert digest(tmp_path, frozenset({"node_modules"})) == first
    (tmp_path / "a").rename(tmp_path / "c")
    assert digest(tmp_path, frozenset({"node_modules"})) != first


def test_the_built_page_has_no_inline_script_or_style_and_loads_nothing_from_elsewhere():
    start = (BUILT / "index.html").read_text(encoding="utf-8")
    assert "<style" not in start
    assert "style=" not in start
    assert "<script>" not in start
    for path in BUILT.rglob("*"):
        if path.suffix in {".html", ".css", ".js"}:
            text = path.read_text(encoding="utf-8")
            addresses = text.replace("http://www.w3.org/", "")
            assert "http://" not in addresses
            assert "https://" not in addresses


def test_no_registry_is_named_in_the_lock_file():
    assert '"resolved"' not in (SOURCES / "package-lock.json").read_text(encoding="utf-8")


def test_every_language_of_the_page_has_every_text():
    texts = SOURCES / "src/texts"
    english = json.loads((texts / "en.json").read_text(encoding="utf-8"))
    for path in texts.glob("*.json"):
        other = json.loads(path.read_text(encoding="utf-8"))
        assert not {name for name in english if not name.endswith((".one", ".other"))} - set(other)
        plural = {name.removesuffix(".other") for name in english if name.endswith(".other")}
        assert all(f"{stem}.other" in other for stem in plural)
