"""How often is the language of a passage right, in a folder of mixed pages?

    apt-get download debian-handbook installation-guide-amd64
    python benchmarks/folder_languages.py FOLDER [--pages 500] [--seed 0]

FOLDER holds the two packages, which are unpacked and not installed. Makes pages of one to three
languages, of one to ten consecutive paragraphs each (of 100 letters or more), of every language
that the two manuals are translated to. As in `dragoman index`, all pages are counted first, then
every page is cut into runs of one language. A paragraph is right if the run that its middle is in
has its language. Paragraphs that were left in English are not used: those of the English manual,
and those with more English stop words than stop words of their language.
"""

import argparse
import random
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import stopwordsiso

from dragoman.text.languages import canonical
from dragoman.text.readers.formats import html
from dragoman.text.readers.languages import Census

MANUALS = ("usr/share/doc/debian-handbook/html", "usr/share/doc/installation-guide-amd64")
SHORTEST = 100  # letters of a paragraph
LANGUAGES_OF_A_PAGE = (1, 1, 2, 3)
FEWEST, MOST = 1, 10  # paragraphs in one language
Labelled = tuple[str, str]  # language, paragraph


def main() -> None:
    """Print the accuracy over all paragraphs and by language."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    paragraphs = read_manuals(options.folder)
    rng = random.Random(options.seed)  # noqa: S311 - no secret
    pages = [mixed_page(paragraphs, rng) for _ in range(options.pages)]
    asked, right, confused = compare(pages)
    total = asked.total()
    print(f"{len(pages)} pages, {total:,} paragraphs in {len(asked)} languages")
    print(f"right: {right.total():,} of {total:,}, {right.total() / total:.2%}")
    for code in sorted(asked):
        print(f"{code:>4}{right[code]:>6} of {asked[code]:<6}{right[code] / asked[code]:>8.2%}")
    for (code, found), count in confused.most_common():
        print(f"{code} taken for {found}: {count}")


def read_manuals(folder: Path) -> dict[str, list[str]]:
    """The translated paragraphs of both manuals by language, in order."""
    paragraphs: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as unpacked:
        for package in sorted(folder.glob("*.deb")):
            subprocess.run(["dpkg-deb", "-x", str(package), unpacked], check=True)
        for manual in MANUALS:
            for code, texts in read_manual(Path(unpacked, manual)).items():
                paragraphs.setdefault(code, []).extend(texts)
    return paragraphs


def read_manual(folder: Path) -> dict[str, list[str]]:
    """The translated paragraphs of one manual, by language."""
    paragraphs: dict[str, list[str]] = {}
    for translation in sorted(path for path in folder.iterdir() if path.is_dir()):
        code = canonical(translation.name.replace("_", "-"))
        pages = sorted(translation.glob("*.html"))
        paragraphs.setdefault(code, []).extend(long_paragraphs(pages))
    english = {*paragraphs["en"]}
    return {
        code: [text for text in texts if code == "en" or is_translated(text, code, english)]
        for code, texts in paragraphs.items()
    }


def long_paragraphs(pages: Iterable[Path]) -> Iterator[str]:
    """The paragraphs of pages that are long enough."""
    for page in pages:
        blocks = html.main_blocks(html.parsed(page.read_text("utf-8", "replace")).blocks)
        for section in html.sections(blocks):
            for line in section.text.split("\n"):
                if len(line.strip()) >= SHORTEST:
                    yield " ".join(line.split())


def is_translated(text: str, code: str, english: set[str]) -> bool:
    """Whether a paragraph is not in English."""
    if text in english:
        return False
    words = [word.strip(".,;:!?()\"'") for word in text.lower().split()]
    own = stopwordsiso.stopwords(code) if stopwordsiso.has_lang(code) else frozenset[str]()
    foreign = sum(word in stopwordsiso.stopwords("en") for word in words)
    if sum(map(str.isascii, text)) < len(text) / 2:
        return True  # another script
    return sum(word in own for word in words) > foreign


def mixed_page(paragraphs: Mapping[str, Sequence[str]], rng: random.Random) -> list[Labelled]:
    """Consecutive paragraphs in one to three languages."""
    page: list[Labelled] = []
    codes = sorted(code for code, texts in paragraphs.items() if len(texts) > MOST)
    for code in rng.choices(codes, k=rng.choice(LANGUAGES_OF_A_PAGE)):
        start = rng.randrange(len(paragraphs[code]) - MOST)
        count = rng.randint(FEWEST, MOST)
        page += [(code, text) for text in paragraphs[code][start : start + count]]
    return page


def compare(
    pages: Sequence[Sequence[Labelled]],
) -> tuple[Counter[str], Counter[str], Counter[tuple[str, str]]]:
    """Paragraphs and right ones by language, and what the others were taken for."""
    census, texts = Census({}), ["\n".join(text for _, text in page) for page in pages]
    for text in texts:
        census.count(text)
    asked, right, confused = Counter[str](), Counter[str](), Counter[tuple[str, str]]()
    for text, page in zip(texts, pages, strict=True):
        runs, position = census.runs(text), 0
        for code, paragraph in page:
            middle = position + len(paragraph) // 2
            found = next(run.language for run in runs if run.start <= middle < run.end)
            position += len(paragraph) + 1
            asked[code] += 1
            right[code] += found == code
            if found != code:
                confused[code, found] += 1
    return asked, right, confused


if __name__ == "__main__":
    main()
