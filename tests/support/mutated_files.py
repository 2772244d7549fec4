"""A small file of every type, and broken variants of it by a seed."""

import bz2
import gzip
import io
import json
import lzma
import mailbox
import random
import tarfile
import zipfile
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path

import openpyxl
import zstandard

from small_files import core, docx, epub, paragraph, pdf, zipped

PACKED = {".gz": gzip, ".bz2": bz2, ".xz": lzma, ".zst": zstandard}
ODD = (b"\0", b"\xff" * 4, b"<", b"&", b"{", b'"', b"\n\n", b"\\", b"9" * 20, "ü\u2028".encode())


def originals(folder: Path) -> dict[str, list[Path]]:
    """Well-formed small files by the name of their type."""
    folder.mkdir(exist_ok=True)
    made = _texts(folder) | _documents(folder)
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["Date"] = (
        "Brot",
        "a@example.org",
        "Fri, 01 Mar 2024 12:30:00",
    )
    mail.set_content("Grüße\n")
    mail.add_alternative("<p>Grüße</p>", subtype="html")
    mail.add_attachment(
        made["csv"][0].read_bytes(), maintype="text", subtype="csv", filename="a.csv"
    )
    (folder / "a.eml").write_bytes(mail.as_bytes())
    with closing(mailbox.mbox(folder / "a.mbox")) as box:
        box.add(mail)
        box.add(mail)
    made |= {"eml": [folder / "a.eml"], "mbox": [folder / "a.mbox"]}
    made["zip"] = [
        zipped(folder / "a.zip", {"b.csv": made["csv"][0].read_bytes(), "c.txt": "Brot"})
    ]
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        archive.add(made["csv"][0], "b.csv")
        archive.add(made["eml"][0], "c.eml")
    made["tar"], made["compressed"] = [folder / "a.tar", folder / "a.tgz"], []
    made["tar"][0].write_bytes(stream.getvalue())
    made["tar"][1].write_bytes(gzip.compress(stream.getvalue()))
    for ending, library in PACKED.items():
        path = folder / f"a.csv{ending}"
        path.write_bytes(library.compress(made["csv"][0].read_bytes()))
        made["compressed"].append(path)
    return made


def _texts(folder: Path) -> dict[str, list[Path]]:
    page = (
        '<!DOCTYPE html><html lang="de"><title>T</title><meta charset="utf-8"><body><nav><a href=x>'
        "M</a></nav><main><h1>Brot</h1><p>Käse<table><tr><td>a<td>b</table><ul><li>x<li>y</ul></main>"
    )
    records = [{"title": "Brot", "text": "Käse", "n": {"a": [1, 2.5, None, True]}}, {"text": "b"}]
    sources = {
        "text": ("a.txt", "Brot und Käse\n\nfür alle\n"),
        "html": ("a.html", page),
        "markdown": (
            "a.md",
            "---\ntitle: T\ntags: [a, b]\n---\n# Brot\n\n*Käse* [x](y)\n\n- a\n  - b\n\n"
            "| a |\n|---|\n| b |\n",
        ),
        "rst": (
            "a.rst",
            "Brot\n====\n\n:a: b\n\n*Käse* `x <y>`_\n\n.. note:: c\n\n- a\n\n  - b\n\n"
            "== ==\na  b\n== ==\n",
        ),
        "csv": ("a.csv", 'id,title,text\n1,Brot,"Käse, ""x"""\n2,Suppe,Gemüse\n'),
        "tsv": ("a.tsv", "id\ttext\n1\tKäse\n"),
        "json": ("a.json", json.dumps(records)),
        "jsonl": ("a.jsonl", "\n".join(map(json.dumps, records))),
        "trec": (
            "a.sgml",
            "<DOC>\n<DOCNO>F-1</DOCNO>\n<HEADLINE>Brot</HEADLINE>\n<TEXT>\nKäse &amp; x\n"
            '</TEXT>\n</DOC>\n<doc lang="de"><docno>F-2</docno><text>b</doc>\n',
        ),
        "subtitles": ("a.srt", "1\n00:00:01,000 --> 00:01:03,000\n<i>Käse</i>\n\n2\n"),
        "rtf": (
            "a.rtf",
            r"{\rtf1\ansi\ansicpg1252{\info{\title T}}K\'e4se \u228?\par{\b x}\tab\par}",
        ),
    }
    made = {}
    for kind, (name, source) in sources.items():
        (folder / name).write_text(source, encoding="utf-8")
        made[kind] = [folder / name]
    return made


def _documents(folder: Path) -> dict[str, list[Path]]:
    book = openpyxl.Workbook()
    book.active.append(["Brot", 3, 2.5, True])
    book.save(folder / "a.xlsx")
    spaces = 'xmlns:a="urn:a" xmlns:p="urn:p" xmlns:r="urn:r"'
    slide = f"<p:sld {spaces}><p:sp><a:p><a:r><a:t>Brot</a:t></a:r></a:p></p:sp></p:sld>"
    slides = {
        "ppt/presentation.xml": f'<p:presentation {spaces}><p:sldId r:id="r1"/></p:presentation>',
        "ppt/_rels/presentation.xml.rels": '<a><b Id="r1" Target="slides/s.xml"/></a>',
        "ppt/slides/s.xml": slide,
    }
    names = " ".join(f'xmlns:{name}="urn:{name}"' for name in ("office", "text", "table", "dc"))
    content = (
        f"<office:document {names}><office:body><text:h>Brot</text:h><text:p>K<text:s text:c='2'/>"
        "</text:p><table:table><table:table-row><table:table-cell><text:p>x</text:p>"
        "</table:table-cell></table:table-row></table:table></office:body></office:document>"
    )
    table = f"<w:tbl><w:tr><w:tc>{paragraph('x')}</w:tc></w:tr></w:tbl>"
    chapter = "<html><head><title>T</title></head><body><h1>Brot</h1><p>x</p></body></html>"
    word = docx(folder / "a.docx", paragraph("Brot", "Heading1"), table, docProps__core=core("T"))
    flat = folder / "a.fodt"
    flat.write_text(content)
    return {
        "pdf": [pdf(folder / "a.pdf", [["Brot", "und"], ["Butter"]], "T", "/Lang (de)")],
        "docx": [word],
        "pptx": [zipped(folder / "a.pptx", slides)],
        "xlsx": [folder / "a.xlsx"],
        "opendocument": [zipped(folder / "a.odt", {"content.xml": content}), flat],
        "epub": [epub(folder / "a.epub", {"a.xhtml": chapter}, "<dc:title>T</dc:title>")],
    }


def mutated(path: Path, seed: int) -> bytes:
    """The bytes of a file with a few faults; packed files are also broken inside."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    data = path.read_bytes()
    if rng.random() < 0.15:
        return _broken(data, rng)
    if zipfile.is_zipfile(path):
        return _broken_inside(data, rng)
    ending = {".tgz": ".gz"}.get(path.suffix, path.suffix)
    if ending in PACKED:
        return bytes(PACKED[ending].compress(_broken(PACKED[ending].decompress(data), rng)))
    return _broken(data, rng)


def _broken_inside(data: bytes, rng: random.Random) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    for name in rng.sample(sorted(entries), k=min(len(entries), rng.randint(1, 2))):
        entries[name] = _broken(entries[name], rng)
    if rng.random() < 0.1:
        entries.pop(rng.choice(sorted(entries)))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return stream.getvalue()


def _broken(data: bytes, rng: random.Random) -> bytes:
    """Some bytes with up to six faults: changed, removed, repeated, inserted or cut off."""
    broken = bytearray(data)
    for _ in range(rng.randint(1, 6)):
        start = rng.randrange(len(broken) + 1)
        end = min(len(broken), start + rng.choice((1, 1, 4, 16, 64)))
        match rng.randrange(6):
            case 0 if start < len(broken):
                broken[start] ^= 1 << rng.randrange(8)
            case 1:
                broken[start:end] = rng.randbytes(end - start)
            case 2:
                del broken[start:end]
            case 3:
                broken[start:start] = broken[start:end] * rng.choice((1, 3, 50))
            case 4:
                broken[start:start] = rng.choice(ODD)
            case 5 if rng.random() < 0.3:
                del broken[start:]
    return bytes(broken)
