"""Mail (EML) and mailboxes (mbox) -> the text of each message; attachments are files inside it."""

import mailbox
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from email import message_from_bytes, policy
from email.message import EmailMessage, MIMEPart
from email.utils import parsedate_to_datetime
from pathlib import Path

from dragoman.text.formats.html import read_page
from dragoman.text.readers.contents import (
    Content,
    FileText,
    Member,
    ReaderConfig,
    Section,
    UnreadableFile,
    Value,
)

LARGEST = 256 << 20  # bytes of one message
HEADERS = ("from", "to", "cc", "message-id")


def read_eml(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One message with its attachments."""
    del config
    if path.stat().st_size > LARGEST:
        raise UnreadableFile(f"more than {LARGEST:,} bytes in one message")
    yield from _message(path.read_bytes(), "")


def read_mbox(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """Every message of a mailbox, by its number."""
    del config
    box = mailbox.mbox(path, create=False)
    try:
        for number, key in enumerate(box.iterkeys(), start=1):
            yield from _message(box.get_bytes(key), f"message-{number}")
    finally:
        box.close()


def _message(data: bytes, name: str) -> Iterator[Content]:
    message = message_from_bytes(data, policy=policy.default)
    assert isinstance(message, EmailMessage)
    yield FileText(name, title=_header(message, "subject"), metadata=_metadata(message))
    body = message.get_body(("plain", "html"))
    if body is not None:
        yield Section(_body_text(body))
    for number, part in enumerate(message.iter_attachments(), start=1):
        yield from _attachment(part, "/".join(filter(None, (name, _file_name(part, number)))))


def _header(message: EmailMessage, name: str) -> str:
    try:
        return " ".join(str(message.get(name, "")).split())
    except (ValueError, LookupError, AttributeError, IndexError, TypeError):  # a broken header
        return ""


def _metadata(message: EmailMessage) -> dict[str, Value]:
    metadata: dict[str, Value] = {
        name: value for name in HEADERS if (value := _header(message, name))
    }
    with suppress(ValueError, TypeError):
        metadata["date"] = parsedate_to_datetime(_header(message, "date")).isoformat()
    return metadata


def _body_text(part: MIMEPart) -> str:
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    try:
        text = data.decode(part.get_content_charset() or "utf-8", "replace")
    except LookupError:  # no encoding has that name
        text = data.decode("utf-8", "replace")
    if part.get_content_subtype() != "html":
        return text
    try:
        return read_page(text).text
    except ValueError:
        return ""


def _file_name(part: EmailMessage, number: int) -> str:
    try:
        name = part.get_filename() or ""
    except (ValueError, LookupError, AttributeError, TypeError):
        name = ""
    return name.replace("/", "_").replace("\\", "_") or f"attachment-{number}"


def _attachment(part: EmailMessage, name: str) -> Iterator[Content]:
    if part.get_content_type() == "message/rfc822":
        inner = part.get_payload(0) if part.is_multipart() else None
        data = inner.as_bytes() if isinstance(inner, EmailMessage) else b""
        name = name if name.endswith(".eml") else f"{name}.eml"
    else:
        payload = part.get_payload(decode=True)
        data = payload if isinstance(payload, bytes) else b""
    with tempfile.NamedTemporaryFile(delete=False) as copy:
        copy.write(data)
    yield Member(name, Path(copy.name))
