"""Text -> sentences, and an English sentence -> a query, as Sasaki et al. (NAACL 2018) made theirs.

A query is the first sentence of an item's English text without the words of its title, so that
matching the name is not enough to find the item.
"""

import re
from collections.abc import Iterable

# No dependency splits sentences without a model; a full stop before a capital (or a script without
# case) is enough for first sentences and for pairing short paragraphs.
END = re.compile(r"(?<=[.!?…])[\"'”’»)\]]*\s+|(?<=[。！？])")
OPENING = "\"'“«¿¡(["
ABBREVIATED = re.compile(
    r"(?:^|[\s(\"'“«])(?:[^\W\d_]|[^\W\d_](?:\.[^\W\d_])+|e\.?g|i\.?e|cf|vs|etc|approx|incl|resp"
    r"|Mr|Mrs|Ms|Dr|Prof|St|No|vol|ed|ca|Jr|Sr|Inc|Ltd|Co|z\.\s?B|d\.\s?h|bzw|ecc|es|p\.\s?ej)\.$",
    re.IGNORECASE,
)
LONGEST_ABBREVIATION = 24
WORD = re.compile(r"\w+(?:[-'’.+]\w+)*")
PART = re.compile(r"\w+")
FEWEST_WORDS = 3  # content words of a query
FUNCTION_WORDS = re.compile(
    r"a|about|also|an|and|any|are|as|at|be|been|but|by|can|could|do|does|for|from|has|have|if|in"
    r"|into|is|it|its|may|more|most|no|not|of|on|one|only|or|other|s|some|such|than|that|the|their"
    r"|them|then|there|these|they|this|those|to|used|using|was|were|which|will|with|without|would"
    r"|you|your",
    re.IGNORECASE,
)


def sentences(text: str) -> list[str]:
    """The sentences of one paragraph, stripped."""
    parts: list[str] = []
    start = 0
    for match in END.finditer(text):
        if _ends_sentence(text, start, match):
            parts.append(text[start : match.end()].strip())
            start = match.end()
    parts.append(text[start:].strip())
    return [sentence for sentence in parts if sentence]


def _ends_sentence(text: str, start: int, match: re.Match[str]) -> bool:
    if not match[0]:  # ideographic full stops need no space and end no abbreviation
        return True
    following = text[match.end() : match.end() + 1]
    opens = following in OPENING or (following.isalnum() and not following.islower())
    before = text[max(start, match.start() - LONGEST_ABBREVIATION) : match.start()]
    return opens and ABBREVIATED.search(before) is None


def first_sentence(paragraphs: Iterable[str]) -> str:
    """The first sentence of the first paragraph that has one; empty where none has."""
    return next((first for text in paragraphs for first in sentences(text)[:1]), "")


def without_title_words(sentence: str, title: str) -> str:
    """The words of ``sentence`` that are not in ``title``; empty where too few are left.

    A compound is removed where the title contains it or all of its parts: "real-time" is removed
    for "Real-time strategy" and for "time, real".
    """
    known = {word.casefold() for pattern in (WORD, PART) for word in pattern.findall(title)}
    left = [
        word
        for word in WORD.findall(sentence)
        if word.casefold() not in known
        and not all(part.casefold() in known for part in PART.findall(word))
    ]
    content_words = sum(FUNCTION_WORDS.fullmatch(word) is None for word in left)
    return " ".join(left) if content_words >= FEWEST_WORDS else ""


def fold_text(text: str) -> str:
    """``text`` case-folded and with white space collapsed, for finding duplicates."""
    return " ".join(text.casefold().split())
