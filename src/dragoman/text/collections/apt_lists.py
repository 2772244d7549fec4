"""apt's lists on disk -> stanzas, one mapping of fields per package, streamed.

In: a folder of ``*_Packages`` and ``*_Translation-xx`` files, compressed or not, recognized by
name. Out also: the version of the release and a hash of every list that was read.
"""

import bz2
import hashlib
import lzma
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from urllib.parse import unquote

from dragoman.errors import InputError
from dragoman.text.collections.apt import open_lz4
from dragoman.text.files import LONGEST_LINE, open_bytes

COMPRESSION = r"(?:\.(?:lz4|xz|gz|bz2|zst))?"
PACKAGES = re.compile(rf"(?:.*_)?binary-[a-z0-9-]+_Packages{COMPRESSION}|Packages{COMPRESSION}")
TRANSLATION = re.compile(rf"(?:.*_)?Translation-([A-Za-z_@.]+?){COMPRESSION}")
RELEASE = re.compile(r"(?:.*_)?(?:In)?Release")
OFFERED = re.compile(r"/i18n/Translation-([A-Za-z_]+)\b")
RELEASE_FIELDS = ("Origin", "Suite", "Codename", "Version", "Date")


@dataclass(slots=True)
class AptLists:
    """The lists of one folder; ``sources`` records what was read, for the manifest."""

    folder: Path
    packages: list[Path] = field(default_factory=list)
    translations: dict[str, list[Path]] = field(default_factory=dict)  # by apt's code
    releases: list[Path] = field(default_factory=list)
    sources: list[dict[str, Any]] = field(default_factory=list)

    def stanzas(self, path: Path) -> Iterator[Mapping[str, str]]:
        """The stanzas of one list; its hash is recorded when all of it has been read."""
        digest = hashlib.sha256()
        with _open_list(path) as stream:
            yield from _parse(path, stream, digest)
        self.sources.append({"file": public_name(path), "sha256": digest.hexdigest()})

    def versions(self) -> list[dict[str, str]]:
        """Suite, version, date and the like of each release file."""
        return [_release_fields(path) for path in self.releases]

    def offered(self) -> list[str]:
        """The languages in which the releases offer translations, sorted."""
        names: set[str] = set()
        for path in self.releases:
            names.update(OFFERED.findall(path.read_text(encoding="utf-8", errors="replace")))
        return sorted(names)


def scan_lists(folder: Path) -> AptLists:
    """The lists in ``folder``, sorted by name."""
    if not folder.is_dir():
        raise InputError(folder, None, found="no such folder", expected="a folder of apt's lists")
    lists = AptLists(folder)
    for path in sorted(folder.iterdir()):
        if not path.is_file():
            continue
        name = unquote(path.name)  # apt writes the underscore of pt_BR as %5f
        if PACKAGES.fullmatch(name):
            lists.packages.append(path)
        elif RELEASE.fullmatch(name):
            lists.releases.append(path)
        elif match := TRANSLATION.fullmatch(name):
            lists.translations.setdefault(match[1], []).append(path)
    return lists


def public_name(path: Path) -> str:
    """The file name without the download server, so that all servers give the same manifest."""
    name = unquote(path.name)
    name = name.partition("_dists_")[2] or name
    return re.sub(rf"{COMPRESSION}$", "", name)


@contextmanager
def _open_list(path: Path) -> Iterator[IO[bytes]]:
    try:
        match path.suffix:
            case ".lz4":
                with open_lz4(path) as stream:
                    yield stream
            case ".xz":
                with lzma.open(path) as stream:
                    yield stream
            case ".bz2":
                with bz2.open(path) as stream:
                    yield stream
            case _:
                with open_bytes(path) as stream:
                    yield stream
    except (EOFError, OSError, lzma.LZMAError) as error:
        raise InputError(
            path,
            None,
            found=f"a list that cannot be read ({error})",
            expected="a whole, readable list",
            advice="Fetch it again with apt-get update.",
        ) from error


def _parse(path: Path, stream: IO[bytes], digest: "hashlib._Hash") -> Iterator[Mapping[str, str]]:
    fields: dict[str, str] = {}
    name = ""
    for number, raw in enumerate(iter(lambda: stream.readline(LONGEST_LINE), b""), start=1):
        digest.update(raw)
        if len(raw) >= LONGEST_LINE:
            raise InputError(
                path, number, found=f"a line above {LONGEST_LINE:,} bytes", expected="lines of text"
            )
        line = raw.decode("utf-8", errors="replace").rstrip("\r\n")
        if not line:  # a line of spaces continues a field; translators leave them in descriptions
            if fields:
                yield fields
            fields, name = {}, ""
        elif line[0] in " \t":
            if not name:
                raise InputError(path, number, found="a continuation line", expected="a field")
            fields[name] += f"\n{line}"
        else:
            name, colon, value = line.partition(":")
            if not colon:
                raise InputError(path, number, found=repr(line[:60]), expected="Field: value")
            fields[name] = value.strip()
    if fields:
        yield fields


def _release_fields(path: Path) -> dict[str, str]:
    fields: dict[str, str] = {}
    with path.open(encoding="utf-8", errors="replace") as stream:
        for line in stream:
            name, colon, value = line.partition(":")
            if name in ("MD5Sum", "SHA256"):
                break
            if colon and name in RELEASE_FIELDS:
                fields[name.lower()] = value.strip()
    return fields
