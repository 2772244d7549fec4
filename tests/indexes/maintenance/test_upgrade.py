"""Indexes of released formats and of older tables, opened or rebuilt from their own texts."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import dragoman
from dragoman.errors import IndexFault
from dragoman.indexes import build
from dragoman.indexes.maintenance.checksums import write_checksums
from dragoman.indexes.maintenance.stored_texts import StoredTexts
from dragoman.indexes.maintenance.upgrade import differences, upgrade
from dragoman.indexes.maintenance.verification import verify
from dragoman.indexes.manifest import FORMAT, OLDEST, Manifest
from dragoman.indexes.pipeline import BATCH
from dragoman.lexicons import sparse_rows
from dragoman.lexicons.lexicon import Lexicon
from dragoman.lexicons.vocabulary import Vocabulary
from dragoman.systems.lexical.bm25 import Bm25
from dragoman.types import Document
from small_index import SETTINGS, answers, execute, flip, segment_of, small_index, treat_otherwise

RELEASED = sorted((Path(__file__).parents[1] / "formats").iterdir())


@pytest.fixture
def index(tmp_path):
    return small_index(tmp_path / "index")


def files(folder):
    """What is in a folder, and when it was written."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def hits(opened, text, language, **options):
    return [hit.doc_id for hit in opened.search(text, language=language, **options).ranking.hits]


@pytest.mark.parametrize("released", RELEASED, ids=lambda path: path.name)
def test_a_released_format_is_searched_or_upgraded(released, tmp_path):
    folder = shutil.copytree(released, tmp_path / "index")
    assert sum(path.stat().st_size for path in folder.rglob("*")) < 200_000
    upgrade(folder, version="1")
    report = verify(folder)
    assert (report.findings, report.documents) == ((), 4)
    with dragoman.open(folder) as opened:
        assert hits(opened, "yeast rises", "en", within=["en"]) == ["bread", "tide"]
        assert hits(opened, "yeast rises", "en", where=["year>=2001"]) == ["tide"]
        assert hits(opened, "Salz Hefe", "de") == ["brot", "salz"]
        assert hits(opened, "deleted", "en") == []
        opened.add([Document("new", "Moon and sea", language="en")])
        assert "new" in hits(opened, "sea", "en")
        opened.optimize()
    assert verify(folder).findings == ()


def test_there_is_an_index_of_every_format_that_can_be_read():
    assert [int(path.name) for path in RELEASED] == [*range(OLDEST, FORMAT + 1)]


def test_an_index_that_fits_is_left_as_it_is(index):
    before = files(index)
    assert upgrade(index, version="1") == ()
    assert files(index) == before


def test_an_index_with_older_tables_is_rebuilt_from_its_texts(index):
    expected = answers(index)
    treat_otherwise(index, "de")
    with pytest.raises(IndexFault, match="dragoman upgrade"):
        answers(index)
    (difference,) = upgrade(index, version="7.7")
    assert difference.startswith("documents in de: older tables, now language:de|")
    assert answers(index) == expected
    assert verify(index) == ((), 4, 1)
    assert Manifest.read(index).dragoman == "7.7"
    assert [path.name for path in index.parent.iterdir()] == ["index"]


def test_an_index_with_another_setting_is_rebuilt(index):
    path = index / "manifest.json"
    fields = json.loads(path.read_text())
    fields["settings"] |= {"k1": 9.0, "encoder": "old"}
    path.write_text(json.dumps(fields))
    write_checksums(index)
    assert upgrade(index, version="1") == ("encoder: 'old', now None", "k1: 9.0, now 1.2")
    assert verify(index).findings == ()


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: segment_of(folder).unlink(),
        lambda folder: execute(folder, "DELETE FROM fields", "DELETE FROM memtable"),
        lambda folder: execute(folder, "DELETE FROM facts WHERE name = 'treatment:de'"),
        lambda folder: execute(folder, "UPDATE facts SET value = x'ff' WHERE name LIKE '%:de'"),
    ],
    ids=["segment", "rows", "no treatment", "damaged treatment"],
)
def test_only_texts_are_needed(index, change):
    expected = answers(index)
    treat_otherwise(index, "de")
    change(index)
    assert upgrade(index, version="1")
    assert answers(index) == expected


def own_table(folder):
    """A table of the user's own, by which ``quarz`` is a stone."""
    words, stones = Vocabulary(("quarz",)), Vocabulary(("stone",))
    forward = sparse_rows.table(np.zeros(1, int), np.zeros(1, int), np.ones(1), (1, 1))
    count = np.full(1, 10)
    Lexicon("de", "en", words, stones, count, count, forward, forward).save(folder)
    return str(folder)


def test_the_users_own_tables_are_kept(tmp_path):
    table = own_table(tmp_path / "table")
    stones = [Document("quarz", "Quarz", language="de"), Document("hefe", "Hefe", language="de")]
    folder = tmp_path / "index"
    dragoman.index(stones, folder, system="psq", settings={"lexicons": [table]}).close()
    shutil.rmtree(table)
    treat_otherwise(folder, "de")
    (difference,) = upgrade(folder, version="1")
    assert "|own:" in difference
    with dragoman.open(folder) as opened:
        assert hits(opened, "stone", "en") == ["quarz"]
    assert upgrade(folder, version="1") == ()


def test_what_a_system_has_collected_is_not_collected_again(index, monkeypatch):
    collected = []
    monkeypatch.setattr(Bm25, "collect", lambda *_: collected.append(1), raising=False)
    treat_otherwise(index, "de")
    assert upgrade(index, version="1")
    assert not collected


def test_a_killed_upgrade_goes_on_where_it_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "SEGMENT", 1)
    documents = [Document(f"d{n:04}", f"word{n} tide", language="en") for n in range(2 * BATCH + 9)]
    folder = tmp_path / "index"
    dragoman.index(documents, folder, **SETTINGS).close()
    treat_otherwise(folder, "en")
    encode, encoded = Bm25.encode, []

    def killed(self, batch):
        if len(encoded) == BATCH:
            raise KeyboardInterrupt
        return counted(self, batch)

    def counted(self, batch):
        encoded.extend(document.doc_id for document in batch)
        return encode(self, batch)

    monkeypatch.setattr(Bm25, "encode", killed)
    with pytest.raises(KeyboardInterrupt):
        upgrade(folder, version="1")
    with StoredTexts(folder) as old:
        assert old.count() == len(documents)
        assert old.treatments() == {"en": "older tables"}
    encoded.clear()
    monkeypatch.setattr(Bm25, "encode", counted)
    assert upgrade(folder, version="1")
    assert len(encoded) == len(documents) - BATCH
    assert verify(folder) == ((), len(documents), 1)


def test_who_writes_during_an_upgrade_is_refused(index, monkeypatch):
    monkeypatch.setattr("dragoman.indexes.store.PATIENCE", 0.0)
    treat_otherwise(index, "de")
    encode, refused = Bm25.encode, []

    def add_meanwhile(self, batch):
        with dragoman.open(index) as opened:
            opened._system = self  # an installation that the old tables fit
            try:
                opened.delete(["tide"])
            except IndexFault as error:
                refused.append(str(error))
        return encode(self, batch)

    monkeypatch.setattr(Bm25, "encode", add_meanwhile)
    assert upgrade(index, version="1")
    assert len(refused) == 1
    assert "is writing to it" in refused[0]


def test_damage_is_not_built_into_the_new_index(index):
    treat_otherwise(index, "de")
    flip(index / "system" / "config.json", 9)
    with pytest.raises(IndexFault, match=r"system/config\.json: found bytes with another checksum"):
        upgrade(index, version="1")
    flip(index / "system" / "config.json", 9)
    execute(index, "UPDATE documents SET text = x'41' WHERE key = 3")
    with pytest.raises(IndexFault, match="checksum"):
        upgrade(index, version="1")
    with StoredTexts(index) as old:
        assert old.count() == 4


def test_an_index_without_documents_is_not_rebuilt(index):
    with dragoman.open(index) as opened:
        opened.delete(opened.doc_ids())
    treat_otherwise(index, "de")
    with pytest.raises(IndexFault, match="found an index without documents"):
        upgrade(index, version="1")


def test_an_older_format_is_opened_by_upgrade_alone(index, monkeypatch):
    for module in ("manifest", "maintenance.upgrade"):
        monkeypatch.setattr(f"dragoman.indexes.{module}.FORMAT", FORMAT + 1)
    with pytest.raises(IndexFault, match=f"found index format {FORMAT}; .* dragoman upgrade"):
        dragoman.open(index)
    system = Bm25.load(index / "system")
    read = Manifest.read(index, OLDEST)
    assert differences(read, system, {}) == (f"format: {FORMAT}, now {FORMAT + 1}",)


@pytest.mark.parametrize("found", [1, 2, 3])
def test_indexes_of_the_embedded_engine_are_refused_with_the_remedy(tmp_path, found):
    (tmp_path / "manifest.json").write_text(json.dumps({"format": found}))
    with pytest.raises(IndexFault, match=r"of dragoman 0\.1; .*dragoman export .*dragoman index"):
        upgrade(tmp_path, version="1")
