"""Mail (EML) and mailboxes (mbox) -> the text of each message; attachments are files inside it."""

import mailbox
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from email import message_from_bytes, policy
from email.errors import CloseBoundaryNotFoundDefect
from email.message import EmailMessage, MIMEPart
from email.parser import BytesHeaderParser
from email.utils import parsedate_to_datetime
from pathlib import Path

from dragoman.text.readers.contents import (
    Content,
    FileText,
    Member,
    NoTextInFile,
    ReaderConfig,
    Section,
    UnreadableFile,
    Value,
)
from dragoman.text.readers.encoding import declared_encoding, encoding_of_bytes, noted
from dragoman.text.readers.formats.archives import label
from dragoman.text.readers.formats.html import parsed, sections

LARGEST = 256 << 20  # bytes of one message
BROKEN = (  # what the library raises for broken headers
    *(ValueError, LookupError, AttributeError, TypeError, AssertionError, OverflowError),
)
HEADERS = ("from", "to", "cc", "message-id")


def read_eml(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One message with its attachments."""
    del config
    if path.stat().st_size > LARGEST:
        raise UnreadableFile(f"more than {LARGEST:,} bytes in one message")
    yield from _message(path.read_bytes(), "")


def read_mbox(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """Every message of a mailbox, by its number; what is broken is reported at the end."""
    del config
    box = mailbox.mbox(path, create=False)
    broken: dict[int, str] = {}
    try:
        number = 0
        for number, key in enumerate(box.iterkeys(), start=1):
            with box.get_file(key) as stream:
                data = stream.read(LARGEST + 1)
            try:
                if len(data) > LARGEST:
                    raise UnreadableFile(f"more than {LARGEST:,} bytes")
                yield from _message(data, f"message-{number}")
            except UnreadableFile as error:
                broken[number] = str(error)
        if not number:
            raise NoTextInFile("a mailbox without messages")
    finally:
        box.close()
    for first, why in broken.items():
        more = f"; {len(broken):,} of {number:,} are broken" if len(broken) > 1 else ""
        raise UnreadableFile(f"{why} in message {first}{more}")


def _message(data: bytes, name: str) -> Iterator[Content]:
    message, damage = _parsed(data)
    yield FileText(name, title=_header(message, "subject"), metadata=_metadata(message))
    body, attachments = (message, []) if damage else _parts(message)
    if body is not None:
        yield from _body_text(body)
    for number, part in enumerate(attachments, start=1):
        yield from _attachment(part, "/".join(filter(None, (name, _file_name(part, number)))))
    if any(isinstance(defect, CloseBoundaryNotFoundDefect) for defect in message.defects):
        damage = damage or "a message that is cut off"
    if damage:
        raise UnreadableFile(damage)


def _parsed(data: bytes) -> tuple[EmailMessage, str]:
    """The message and what is broken in it; not cut into parts where one has a broken header."""
    damage = ""
    try:
        message = message_from_bytes(data, policy=policy.default)
    except BROKEN:
        message, damage = (
            BytesHeaderParser(policy=policy.default).parsebytes(data),
            "broken headers",
        )
    assert isinstance(message, EmailMessage)
    return message, damage


def _parts(message: EmailMessage) -> tuple[MIMEPart | None, list[EmailMessage]]:
    """The body and the attachments; the whole message is the body where its parts are broken."""
    try:
        body = message.get_body(("plain", "html"))
        attachments = [
            part for part in message.iter_attachments() if isinstance(part, EmailMessage)
        ]
    except BROKEN:
        return message, []
    return body, attachments


def _header(message: EmailMessage, name: str) -> str:
    try:
        return " ".join(str(message.get(name, "")).split())
    except BROKEN:
        return ""


def _metadata(message: EmailMessage) -> dict[str, Value]:
    metadata: dict[str, Value] = {
        name: value for name in HEADERS if (value := _header(message, name))
    }
    with suppress(*BROKEN):
        metadata["date"] = parsedate_to_datetime(_header(message, "date")).isoformat()
    return metadata


def _body_text(part: MIMEPart) -> Iterator[Content]:
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    try:
        declared = declared_encoding(part.get_content_charset() or "")
    except BROKEN:
        declared = None
    encoding = declared or encoding_of_bytes(data)
    if not declared:
        yield from noted(encoding)
    text = data.decode(encoding, "replace")
    if part.get_content_subtype() == "html":
        text = "".join(section.text for section in sections(parsed(text).blocks))
    yield Section(text)


def _file_name(part: EmailMessage, number: int) -> str:
    try:
        name = part.get_filename() or ""
    except BROKEN:
        name = ""
    return label(name.replace("/", "_").replace("\\", "_")) if name else f"attachment-{number}"


def _attachment(part: EmailMessage, name: str) -> Iterator[Content]:
    if part.get_content_type() == "message/rfc822":
        inner = part.get_payload(0) if part.is_multipart() else None
        try:
            data = inner.as_bytes() if isinstance(inner, EmailMessage) else b""
        except BROKEN as error:
            raise UnreadableFile(f"a broken message inside the message ({error})") from error
        name = name if name.endswith(".eml") else f"{name}.eml"
    else:
        payload = part.get_payload(decode=True)
        data = payload if isinstance(payload, bytes) else b""
    with tempfile.NamedTemporaryFile(delete=False) as copy:
        copy.write(data)
    yield Member(name, Path(copy.name))
