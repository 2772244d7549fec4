"""Files that a sync reads: missing readers, TREC's SGML, encodings, columns of tables."""

import json
import os
import zipfile

import pytest

from dragoman.errors import UserError
from dragoman.indexes.index import Index
from dragoman.text.readers import pool
from synced_folders import ids, statuses


@pytest.fixture
def without_pypdfium2(tmp_path, monkeypatch):
    """Worker processes that lack a module of the extra ``files``."""
    (tmp_path / "lacking").mkdir()
    lacking = 'raise ModuleNotFoundError("No module named pypdfium2", name="pypdfium2")'
    (tmp_path / "lacking" / "pypdfium2.py").write_text(lacking)
    with monkeypatch.context() as patch:
        packages = f"{tmp_path / 'lacking'}{os.pathsep}{pool.PACKAGES}"
        patch.setattr(pool, "PACKAGES", packages)
        yield patch


def test_a_file_whose_reader_is_missing_is_passed_over_with_the_extra_to_install(
    folder, run, without_pypdfium2
):
    for name in ("a.pdf", "copy.pdf"):
        (folder / name).write_bytes(b"%PDF-1.4 broken")
    with zipfile.ZipFile(folder / "b.zip", "w") as archive:
        archive.writestr("inside.pdf", "%PDF-1.4 broken")
    report = run(folder)
    reasons = {file.path.name: file.reason for file in report.files if file.reason}
    assert reasons.pop("b.zip") == "no file inside that can be read"
    assert {*statuses(report).items()} >= {(name, "passed over") for name in reasons}
    assert {*reasons} == {"a.pdf", "copy.pdf", "inside.pdf"}
    assert "pip install 'dragoman[files]'" in reasons["a.pdf"]
    without_pypdfium2.undo()
    assert statuses(run(folder))["a.pdf"] != "passed over"  # tried again when it is installed


@pytest.mark.usefixtures("without_pypdfium2")
def test_a_folder_without_any_text_is_refused_with_the_reasons(tmp_path, run):
    (tmp_path / "only").mkdir()
    (tmp_path / "only" / "a.pdf").write_bytes(b"%PDF-1.4")
    (tmp_path / "only" / "b.png").write_bytes(b"\x89PNG")
    with pytest.raises(
        UserError, match=r"only: found no text .* 2 files .*image.*dragoman\[files\]"
    ):
        run(tmp_path / "only")


def test_documents_of_trec_are_documents_of_the_index(folder, run, tmp_path):
    (folder / "ft911").write_text(
        "<DOC>\n<DOCNO>FT-1</DOCNO>\n<TEXT>\nbread\n</TEXT>\n</DOC>\n"
        "<DOC>\n<DOCNO>FT-2</DOCNO>\n<TEXT>\nships\n</TEXT>\n</DOC>\n"
    )
    run(folder)
    assert [one for one in ids(tmp_path) if "FT" in one] == ["docs/ft911#FT-1", "docs/ft911#FT-2"]


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("old.txt", "{}"),
        ("old.md", "# A\n\n{}"),
        ("old.rst", "A\n=\n\n{}"),
        ("old.csv", "text,encoding\n{},of its own\n"),
        ("old.json", '{{"text": "{}"}}'),
        ("old.jsonl", '{{"text": "{}"}}\n'),
        ("old.srt", "1\n00:00:01,000 --> 00:00:02,000\n{}\n"),
        ("old.html", "<html><body><p>{}</p></body></html>"),
        ("old.eml", "Subject: A\nFrom: b@c.d\n\n{}\n"),
    ],
)
def test_what_was_decided_about_encodings_is_reported(folder, run, name, form):
    text = "Старый рыбак вышел в море рано утром, когда деревня ещё спала, и вернулся вечером."
    (folder / name).write_bytes(form.format(text).encode("koi8-r"))
    report = run(folder, languages=("en", "ru"))
    assert report.encodings() == {"koi8_r": [folder / name]}
    assert {json.loads(line)["encoding"] for line in report.lines()} == {"", "koi8_r"}


def test_a_column_about_encodings_is_not_the_encoding_of_the_file(folder, run):
    (folder / "rows.csv").write_text("text,encoding\nthe tide,latin1\n")
    assert run(folder).encodings() == {}


def test_columns_named_like_fields_of_the_file_are_renamed_and_reported(folder, run, tmp_path):
    rows = folder / "rows.csv"
    rows.write_text("path,size,own_size,part,text\n/usr,12,9,b,the tide and the moon\n")
    report = run(folder)
    with Index(tmp_path / "index") as index:
        metadata = index.get("docs/rows.csv#row-1").metadata
    own = {"own_path": "/usr", "own_size": "12", "own_own_size": "9", "own_part": "b"}
    assert {name: metadata.get(name) for name in own} == own
    assert (metadata["path"], metadata["size"]) == ("rows.csv", rows.stat().st_size)
    assert report.renamed == {
        "path": "own_path",
        "size": "own_size",
        "part": "own_part",
        "own_size": "own_own_size",
    }
