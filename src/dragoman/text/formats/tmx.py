"""Translation memories (TMX 1.4), read and written as sentence pairs, streamed by unit."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

from dragoman.errors import ConfigError, InputError, UnknownLanguage
from dragoman.storage.staging import write_lines
from dragoman.text.files import Faults
from dragoman.text.formats.bitext import check_pair
from dragoman.text.formats.xml_elements import read_elements
from dragoman.text.languages import canonical
from dragoman.text.records import Location, show
from dragoman.types import SentencePair


def read_pairs(
    path: Path, faults: Faults, source: str = "", target: str = ""
) -> Iterator[SentencePair]:
    """The pairs of a memory; the languages must be named where a unit has more than two.

    Without names, a unit's first variant is the source and its second the target. Units that lack
    a named language are skipped. White space is collapsed.
    """
    if bool(source) != bool(target):
        raise ConfigError("Found one language for a TMX file; expected both or none.")
    wanted = (canonical(source), canonical(target)) if source else None
    for line, unit in read_elements(path, "tu"):
        location = Location(path, line)
        try:
            variants = [_variant(location, element) for element in unit.iter("tuv")]
            pair = _choose(location, variants, wanted)
        except InputError as error:
            faults.report(error)
        else:
            if pair is not None:
                yield pair


def _variant(location: Location, element: Element) -> tuple[str, str]:
    code = element.get("xml:lang") or element.get("lang") or ""
    segment = element.find("seg")
    if segment is None:
        raise location.fault(found="a variant without <seg>", expected="one <seg> in each <tuv>")
    try:
        language = canonical(code)
    except UnknownLanguage as error:
        found = f"the language {show(code)}"
        raise location.fault(found=found, expected="xml:lang with a language code") from error
    return language, " ".join("".join(segment.itertext()).split())


def _choose(
    location: Location, variants: list[tuple[str, str]], wanted: tuple[str, str] | None
) -> SentencePair | None:
    if wanted is not None:
        texts = dict(reversed(variants))  # the first variant of a language counts
        if not set(wanted) <= texts.keys():
            return None
        return check_pair(location, texts[wanted[0]], texts[wanted[1]])
    if len(variants) != 2:
        languages = ", ".join(language for language, _ in variants) or "none"
        raise location.fault(
            found=f"a unit in {len(variants)} languages ({languages})",
            expected="two",
            advice="Name the pair, as in --languages en-de.",
        )
    return check_pair(location, variants[0][1], variants[1][1])


def write_pairs(path: Path, pairs: Iterable[SentencePair], source: str, target: str) -> int:
    """Write one unit per pair and return their number."""
    count = 0
    head = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4">\n'
        '<header creationtool="dragoman" creationtoolversion="1" segtype="sentence"'
        f' o-tmf="plain" adminlang="en" srclang={quoteattr(source)} datatype="plaintext"/>\n'
        "<body>\n"
    )
    with write_lines(path) as stream:
        stream.write(head)
        for count, pair in enumerate(pairs, start=1):
            checked = check_pair(Location(path, count), pair.source, pair.target)
            sides = ((source, checked.source), (target, checked.target))
            variants = "".join(
                f"<tuv xml:lang={quoteattr(code)}><seg>{_escape(path, text)}</seg></tuv>"
                for code, text in sides
            )
            stream.write(f"<tu>{variants}</tu>\n")
        stream.write("</body>\n</tmx>\n")
    return count


def _escape(path: Path, text: str) -> str:
    bad = next((character for character in text if not _is_xml(ord(character))), None)
    if bad is not None:
        raise InputError(path, None, found=f"the character {bad!r}", expected="XML characters")
    return escape(text)


def _is_xml(code: int) -> bool:
    return code in (9, 10, 13) or 32 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code > 0xFFFF
