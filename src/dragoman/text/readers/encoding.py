"""The bytes of a file -> the encoding of its text.

A mark decides, then the rules of UTF-8, then the letters: East Asian encodings by how many of the
characters are common ones, the others by charset-normalizer. Among encodings of Latin letters,
which it confuses, the language of the text decides.
"""

import codecs
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from charset_normalizer import from_bytes
from charset_normalizer.constant import IANA_SUPPORTED

from dragoman.text.language_detection import Detector
from dragoman.text.readers.contents import Decoded, UnreadableFile

SAMPLE = 1 << 16  # bytes that are looked at
DECISIVE = 1 << 12  # bytes that decide among old encodings
CHUNK = 1 << 16
BROKEN_SHARE = 0.1  # of the letters beyond ASCII that may be broken in UTF-8
PLAUSIBLE_SHARE = 0.95  # of the letters in UTF-16 without a mark
LEAST_UTF16 = 16  # bytes
COMMON_SHARE = 0.85  # of East Asian characters that must be common ones
CONTROL_SHARE = 0.02  # of control characters that a text may have
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SINGLE_BYTE_NAMES = (
    "cp1252 cp1250 iso8859_2 cp1251 koi8_r koi8_u cp866 iso8859_5 cp1253 cp1254 cp1255 cp1256"
    " cp1257 cp1258 cp874 mac_roman mac_cyrillic cp850 cp852"
)
_WESTERN = ("cp1252", "mac_roman", "cp850")
_WESTERN_LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "fi", "is", "id")
_CENTRAL = ("cp1250", "iso8859_2", "cp852")
_LATIN = {
    **dict.fromkeys(("cs", "sk", "pl", "hu", "hr", "bs", "sl", "ro"), _CENTRAL),
    **dict.fromkeys(("lt", "lv", "et"), ("cp1257",)),
    **dict.fromkeys(("tr", "az"), ("cp1254",)),
    "vi": ("cp1258",),
}
# what š and ž of ISO 8859-2 are in cp1250
_FOREIGN = {**dict.fromkeys(("cs", "sl", "hr", "bs"), "ąľ"), "sk": "ą"}
# what a page calls an encoding -> the larger one that is meant, as in browsers
_MEANT = {
    **dict.fromkeys(("ascii", "latin_1", "iso8859_1"), "cp1252"),
    **dict.fromkeys(("gb2312", "gbk"), "gb18030"),
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859_9": "cp1254",
    "tis_620": "cp874",
    **dict.fromkeys(("utf_16", "utf_16_le", "utf_16_be", "utf_32"), "utf_8"),  # it was readable
}


def encoding_of(path: Path) -> str:
    """The encoding of a file; ``UnreadableFile`` where its bytes are no text."""
    return encoding_of_bytes(_sample(path))


def encoding_of_bytes(sample: bytes) -> str:
    """The encoding of some text; ``UnreadableFile`` where it is none."""
    sample = sample[:SAMPLE]
    for mark, encoding in _MARKS:
        if sample.startswith(mark):
            return encoding
    if b"\0" in sample:
        if encoding := unmarked_utf16(sample):
            return encoding
        raise UnreadableFile("bytes that are no text")
    if len(_CONTROLS.findall(sample)) > CONTROL_SHARE * len(sample):
        raise UnreadableFile("bytes that are no text")
    if sample.isascii() and (b"\x1b$" in sample or b"\x1b(J" in sample):  # an encoding of 7 bits
        return "iso2022_jp_2"
    if _is_utf8(sample):
        return "utf-8"
    return _east_asian(_dense(sample)) or _single_byte(_dense(sample))


def noted(encoding: str) -> Iterator[Decoded]:
    """A note of an encoding that was found; none of UTF-8."""
    if encoding not in ("utf-8", "utf-8-sig"):
        yield Decoded(encoding)


def decoded_chunks(path: Path, encoding: str) -> Iterator[str]:
    """The text of a file, some letters at a time."""
    decode = codecs.getincrementaldecoder(encoding)(errors="replace").decode
    try:
        with path.open("rb") as stream:
            while chunk := stream.read(CHUNK):
                yield decode(chunk)
            yield decode(b"", True)
    except UnicodeError as error:  # of decoders that cannot replace everything
        raise UnreadableFile(f"broken text in {encoding} ({error})") from error


def declared_encoding(name: str) -> str | None:
    """The encoding that a page or a mail means by a name; None where it means none."""
    try:
        known = codecs.lookup(name.strip()).name.replace("-", "_")
    except (LookupError, ValueError):
        return None
    known = _MEANT.get(known, known)
    return known if known in IANA_SUPPORTED and known != "utf_7" else None


def unmarked_utf16(sample: bytes) -> str:
    """UTF-16 with its byte order by its letters; "" where the sample is no UTF-16."""
    best = max(("utf-16-le", "utf-16-be"), key=lambda one: _plausible_share(sample, one))
    enough = len(sample) >= LEAST_UTF16 and _plausible_share(sample, best) >= PLAUSIBLE_SHARE
    return best if enough else ""


def _plausible_share(sample: bytes, encoding: str) -> float:
    text = sample[: len(sample) // 2 * 2].decode(encoding, "replace")
    plausible = sum(
        (one.isprintable() or one.isspace() if one < "\u2070" else _is_common(one)) for one in text
    )
    return plausible / max(len(text), 1)


def _is_common(letter: str) -> bool:
    return _is_common_chinese(letter) or _is_common_japanese(letter) or _is_common_korean(letter)


def _sample(path: Path) -> bytes:
    """The beginning of a file, or where it has letters beyond ASCII for the first time."""
    with path.open("rb") as stream:
        first = chunk = stream.read(SAMPLE)
        while chunk and chunk.isascii():
            chunk = stream.read(SAMPLE)
    return first if b"\0" in first or b"\x1b$" in first else chunk or first


def _dense(sample: bytes) -> bytes:
    """Lines with bytes beyond ASCII, as many as decide; all of them in a short sample."""
    if len(sample) <= DECISIVE:
        return sample
    lines = [line for line in sample.splitlines(keepends=True) if not line.isascii()]
    return b"".join(lines)[:DECISIVE]


def _is_utf8(sample: bytes) -> bool:
    text = codecs.getincrementaldecoder("utf-8")("replace").decode(sample)
    beyond = sum(letter > "\x7f" for letter in text)
    broken = text.count("\ufffd") - sample.count("\ufffd".encode())
    return broken <= BROKEN_SHARE * beyond


def _east_asian(sample: bytes) -> str | None:
    """The first encoding in which nearly all characters are common ones of its language."""
    for encoding, is_common in (
        ("cp932", _is_common_japanese),
        ("euc_jp", _is_common_japanese),
        ("cp949", _is_common_korean),
        ("gb18030", _is_common_chinese),
        ("big5hkscs", _is_common_traditional),
    ):
        text = codecs.getincrementaldecoder(encoding)("replace").decode(sample)
        beyond = [letter for letter in text if letter > "\x7f"]
        common = sum(map(is_common, beyond))
        if common >= COMMON_SHARE * len(beyond) and _has_enough(encoding, beyond):
            return encoding
    return None


def _has_enough(encoding: str, letters: Sequence[str]) -> bool:
    """Whether Japanese has its kana and no other letters decode by chance."""
    kana = sum("\u3041" <= letter <= "\u30fe" for letter in letters)
    return kana * 8 >= len(letters) if encoding in ("cp932", "euc_jp") else True


@lru_cache(maxsize=1 << 14)
def _is_common_japanese(letter: str) -> bool:
    return (
        "\u3000" <= letter <= "\u30ff" or "！" <= letter <= "～" or _lead(letter, "euc_jp") <= 0xCF
    )


@lru_cache(maxsize=1 << 14)
def _is_common_korean(letter: str) -> bool:
    return 0xB0 <= _lead(letter, "euc_kr") <= 0xC8 or 0xA1 <= _lead(letter, "euc_kr") <= 0xA3


@lru_cache(maxsize=1 << 14)
def _is_common_chinese(letter: str) -> bool:
    lead = _lead(letter, "gb2312")
    return 0xB0 <= lead <= 0xD7 or 0xA1 <= lead <= 0xA3


@lru_cache(maxsize=1 << 14)
def _is_common_traditional(letter: str) -> bool:
    return 0xA1 <= _lead(letter, "big5") <= 0xC6


def _lead(letter: str, encoding: str) -> int:
    """The first byte of a character of two bytes; 255 where the encoding has none."""
    data = letter.encode(encoding, "ignore")
    return data[0] if len(data) == 2 else 255


def _single_byte(sample: bytes) -> str:
    match = from_bytes(sample, cp_isolation=_SINGLE_BYTE_NAMES.split()).best()
    encoding = match.encoding if match else "cp1252"
    text = sample.decode(encoding, "replace")
    beyond = [letter for letter in text if letter > "\x7f" and letter.isalpha()]
    if beyond and sum(letter < "\u0370" for letter in beyond) < len(beyond) / 2:
        return encoding
    ascii_only = re.sub(rb"[\x80-\xff]", b" ", sample).decode("ascii")
    language = _detector().detect(ascii_only).language
    foreign = _FOREIGN.get(language, "")
    return min(_LATIN.get(language, _WESTERN), key=lambda one: _odd_letters(sample, one, foreign))


@lru_cache(maxsize=1)
def _detector() -> Detector:
    return Detector([*_LATIN, *_WESTERN_LANGUAGES])


def _odd_letters(sample: bytes, encoding: str, foreign: str) -> int:
    """How many are no letters, foreign ones, or capitals inside a word, in an encoding."""
    text = sample.decode(encoding, "replace")
    return sum(
        not after.isprintable()
        or after in foreign
        or (before.isalpha() and not (after.isalpha() or after in "’”»\xa0–…"))
        or (before.islower() and after.isupper())
        for before, after in pairwise(text)
        if after > "\x7f"
    )
