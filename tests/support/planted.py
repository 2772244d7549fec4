"""Aligned documents whose topics are known, because they were drawn from them."""

from dataclasses import dataclass

import numpy as np

from dragoman.systems.bilda.corpus import AlignedCorpus, build_corpus
from dragoman.types import Text


@dataclass(frozen=True)
class Planted:
    """Texts by document and language, and the topics that they were drawn from."""

    languages: tuple[str, ...]
    items: list[tuple[Text, ...]]
    shares: np.ndarray  # (documents, topics)

    @property
    def corpus(self) -> AlignedCorpus:
        return build_corpus(self.items, self.languages, split, 500)


def split(text: str, language: str) -> list[str]:
    """The simplest tokenizer."""
    return text.split()


def word(language: str, topic: int, number: int) -> str:
    """A word that belongs to one topic, spelt with letters only."""
    return f"{language}{chr(97 + topic)}{chr(97 + number)}word"


def topic_of(planted_word: str) -> int:
    """The topic that a word was planted in."""
    return ord(planted_word[2]) - 97


def planted(
    languages=("en", "fr"), documents=80, topics=4, words=12, length=40, seed=0, shares=None
) -> Planted:
    """Documents that share one distribution over disjoint topics in every language."""
    rng = np.random.default_rng(seed)
    if shares is None:
        shares = rng.dirichlet(np.full(topics, 0.2), documents)
    items = []
    for share in shares:
        sides = []
        for code in languages:
            drawn = rng.choice(topics, length, p=share)
            body = " ".join(word(code, k, int(rng.integers(words))) for k in drawn)
            sides.append(Text(body, code))
        items.append(tuple(sides))
    return Planted(tuple(languages), items, shares)
