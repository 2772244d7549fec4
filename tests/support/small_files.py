"""Small files in binary formats, made by hand, for tests of readers."""

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

CORE = """<cp:coreProperties xmlns:cp="urn:cp" xmlns:dc="urn:dc"><dc:title>{title}</dc:title>
<dc:creator>{author}</dc:creator><dc:language>{language}</dc:language></cp:coreProperties>"""
WORD = '<w:document xmlns:w="urn:w" xmlns:mc="urn:mc"><w:body>{}</w:body></w:document>'
BOOK = """<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>"""


def zipped(path: Path, entries: Mapping[str, str | bytes]) -> Path:
    """A zip file of entries."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return path


def encrypted(path: Path) -> Path:
    """The same zip file, its entries marked as encrypted."""
    data = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = data.find(signature)
        while start >= 0:
            data[start + offset] |= 1
            start = data.find(signature, start + 4)
    path.write_bytes(bytes(data))
    return path


def core(title: str = "", author: str = "", language: str = "") -> str:
    """The properties of an Office document."""
    return CORE.format(title=title, author=author, language=language)


def paragraph(text: str, style: str = "") -> str:
    """A paragraph of a Word document."""
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}<w:r><w:t>{escape(text)}</w:t></w:r></w:p>"


def docx(path: Path, *paragraphs: str, **entries: str) -> Path:
    """A Word document of the XML of paragraphs."""
    named = {f"{name.replace('__', '/')}.xml": content for name, content in entries.items()}
    body = WORD.format("".join(paragraphs))
    return zipped(path, {"[Content_Types].xml": "", "word/document.xml": body, **named})


def epub(path: Path, chapters: Mapping[str, str], metadata: str = "") -> Path:
    """A book of chapters in their order."""
    items = "".join(
        f'<item id="{name}" href="{name}" media-type="application/xhtml+xml"/>' for name in chapters
    )
    spine = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    package = (
        f'<package xmlns:dc="urn:dc"><metadata>{metadata}</metadata>'
        f"<manifest>{items}</manifest><spine>{spine}</spine></package>"
    )
    texts = {f"OEBPS/{name}": html for name, html in chapters.items()}
    return zipped(
        path,
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": BOOK,
            "OEBPS/book.opf": package,
            **texts,
        },
    )


def pdf(
    path: Path, pages: Sequence[Sequence[str]], title: str = "", extra: str = "", trailer: str = ""
) -> Path:
    """A PDF of pages of lines in Helvetica; ``extra`` goes into its catalogue."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {extra} >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, lines in enumerate(pages):
        shown = "".join(f"({line}) Tj 0 -20 Td " for line in lines)
        content = f"BT /F1 12 Tf 50 700 Td {shown}ET"
        objects += [
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800]"
            f" /Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * number} 0 R >>",
            f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        ]
    objects.append(f"<< /Title ({title}) /Author (A. Baker) >>")
    data, offsets = b"%PDF-1.4\n", list[int]()
    for number, content in enumerate(objects, start=1):
        offsets.append(len(data))
        data += f"{number} 0 obj\n{content}\nendobj\n".encode("latin-1")
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    data += (
        f"xref\n0 {size}\n0000000000 65535 f \n{table}"
        f"trailer\n<< /Size {size} /Root 1 0 R /Info {size - 1} 0 R {trailer} >>\n"
        f"startxref\n{len(data)}\n%%EOF\n"
    ).encode("latin-1")
    path.write_bytes(data)
    return path
