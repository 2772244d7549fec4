"""A zip archive whose directory at the end is missing -> the files at its beginning.

A download that was cut off is such an archive. Every file in it has a header of its own in front.
"""

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

CHUNK = 1 << 16
HEADER = struct.Struct("<4s5H3L2H")  # APPNOTE.TXT 4.3.7
SIGNATURE, DESCRIPTOR = b"PK\x03\x04", b"PK\x07\x08"
ENCRYPTED, SIZES_FOLLOW, UTF_8 = 0x1, 0x8, 0x800  # flags
STORED, DEFLATED = 0, 8  # methods


def entries_without_directory(path: Path) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Names and bytes of files up to where the archive cannot be followed; take them in turn.

    Bytes that end early raise ``EOFError``.
    """
    with path.open("rb") as stream:
        while len(head := stream.read(HEADER.size)) == HEADER.size:
            signature, _, flags, method, *_, packed, _, name_size, extra = HEADER.unpack(head)
            if signature != SIGNATURE or flags & ENCRYPTED:
                return
            name = stream.read(name_size).decode("utf-8" if flags & UTF_8 else "cp437", "replace")
            stream.seek(extra, 1)
            if method == DEFLATED:
                chunks = _inflated(stream)
            elif method == STORED and not flags & SIZES_FOLLOW:
                chunks = _stored(stream, packed)
            else:
                return
            yield name, chunks
            try:
                for _ in chunks:  # what the caller left
                    pass
            except (EOFError, zlib.error):
                return
            if flags & SIZES_FOLLOW:
                _skip_descriptor(stream)


def _stored(stream: IO[bytes], size: int) -> Iterator[bytes]:
    while size:
        chunk = stream.read(min(size, CHUNK))
        if not chunk:
            raise EOFError("its end is missing")
        size -= len(chunk)
        yield chunk


def _inflated(stream: IO[bytes]) -> Iterator[bytes]:
    inflate = zlib.decompressobj(-zlib.MAX_WBITS)
    while not inflate.eof:
        packed = inflate.unconsumed_tail or stream.read(CHUNK)
        if not packed:
            raise EOFError("its end is missing")
        if chunk := inflate.decompress(packed, CHUNK):
            yield chunk
    stream.seek(-len(inflate.unused_data), 1)


def _skip_descriptor(stream: IO[bytes]) -> None:
    start = stream.tell()
    signed = stream.read(4) == DESCRIPTOR
    stream.seek(start + (16 if signed else 12))
