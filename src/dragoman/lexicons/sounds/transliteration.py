"""Words of any script -> Latin letters, and a sound key that the spellings of one name share.

Greek and Cyrillic are transliterated letter by letter (close to ELOT 743 and BGN/PCGN); Arabic and
Devanagari by their consonants, because their vowels are mostly unwritten or inherent. Names in
different scripts are compared by ``sound_key``: consonants in classes that transliterations
confuse.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache


def _letters(letters: str, spellings: str) -> dict[str, str]:
    """Letter -> its spelling; a dot is an empty one."""
    spelt = [spelling.replace(".", "") for spelling in spellings.split()]
    return dict(zip(letters, spelt, strict=True))


GREEK = _letters(
    "αβγδεζηθικλμνξοπρσςτυφχψω",
    "a v g d e z i th i k l m n x o p r s s t y f ch ps o",
)
GREEK_PAIRS = {"ου": "ou", "αυ": "av", "ευ": "ev", "μπ": "b", "ντ": "nt", "γκ": "g", "γγ": "ng"}

CYRILLIC = _letters(
    "абвгдежзийклмнопрстуфхцчшщъыьэюяёєіїґўђјљњћџѓќ",
    "a b v g d e zh z i i k l m n o p r s t u f kh ts ch sh shch . y . e yu ya"
    " e e i i g u dj j lj nj c dz g k",
)
ARABIC = _letters(
    "ابتثجحخدذرزسشصضطظعغفقكلمنهويةىءئؤأإآپچژگڤکی",
    "a b t th j h kh d dh r z s sh s d t z . gh f q k l m n h w y a a . y w a i a p ch zh g v k y",
)
DEVANAGARI = _letters(
    "अआइईउऊऋएऐओऔऑकखगघङचछजझञटठडढणतथदधनपफबभमयरलळवशषसह",
    "a a i i u u ri e ai o au o k kh g gh n ch chh j jh n t th d dh n t th d dh n p ph b bh"
    " m y r l l v sh sh s h",
)
DEVANAGARI |= _letters("ािीुूृेैोौॉंँः़्ॅॆॊ", "a i i u u ri e ai o au o n n h . . e e o")
LATIN = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th"}
LATIN |= {"ı": "i", "ɓ": "b", "ɗ": "d", "ƙ": "k", "ƴ": "y", "ŋ": "n", "ʼ": "", "'": "", "’": ""}

LETTERS = str.maketrans(GREEK | CYRILLIC | ARABIC | DEVANAGARI | LATIN)
PAIRS = re.compile("|".join(GREEK_PAIRS))

# Classes of sounds that scripts do not distinguish, with the spellings of each.
SOUNDS = {
    "s": "shch sch sh zh tch ch ts tz cz ce ci cy z s",
    "f": "ph v w f",
    "ks": "x",
    "k": "dj j gh kh qu q ck c g k",
    "t": "th dh d t",
    "p": "bh b p",
    "l": "l",
    "m": "m",
    "n": "n",
    "r": "r",
}
SOUND_OF = {spelling: sound for sound, listed in SOUNDS.items() for spelling in listed.split()}
SPELLINGS = re.compile("|".join(sorted(SOUND_OF, key=len, reverse=True)))  # the longest first
LINES = re.compile(f"\n|{SPELLINGS.pattern}")
SOUND_IN_LINES = {"\n": "\n", **SOUND_OF}
VOWELS = re.compile("[aeiouy]+")
REPEATED = re.compile(r"(.)\1+")


@lru_cache(maxsize=1 << 16)
def romanised(word: str) -> str:
    """The word in plain Latin letters; letters of scripts without a table are unchanged."""
    if word.isascii():
        return word
    if _is_arabic(word):
        return "".join(_arabic_letters(word))
    if "\u0900" <= word[0] <= "\u097f":
        return word.translate(LETTERS)
    decomposed = unicodedata.normalize("NFD", word)
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    paired = PAIRS.sub(lambda match: GREEK_PAIRS[match.group()], bare)
    return paired.translate(LETTERS)


@lru_cache(maxsize=1 << 16)
def sound_key(word: str) -> str:
    """The classes of the consonants of a word in any script; empty if it has none."""
    sounds = "".join(map(SOUND_OF.__getitem__, SPELLINGS.findall(_spoken(word))))
    return REPEATED.sub(r"\1", sounds)


def sound_keys(words: Sequence[str]) -> list[str]:
    """``sound_key`` of many words without line ends: joined, they are matched in one pass."""
    if not words:
        return []
    lines = "\n".join([word if word.isascii() else _spoken(word) for word in words])
    sounds = "".join(map(SOUND_IN_LINES.__getitem__, LINES.findall(lines)))
    return REPEATED.sub(r"\1", sounds).split("\n")


def _spoken(word: str) -> str:
    """Latin letters; adjacent Arabic ones are two sounds: t + s is not the ts of Schwarz."""
    return "e".join(_arabic_letters(word)) if _is_arabic(word) else romanised(word)


def has_vowels(word: str) -> bool:
    """Whether the word's script writes vowels as letters."""
    return word.isascii() or not (_is_arabic(word) or "\u0900" <= word[:1] <= "\u097f")


def unvowelled(latin: str) -> str:
    """A romanised word without its vowels."""
    return VOWELS.sub("", latin)


def _is_arabic(word: str) -> bool:
    return bool(word) and "\u0600" <= word[0] <= "\u06ff"


def _arabic_letters(word: str) -> list[str]:
    """The Latin letters of each letter; waw and ya are vowels unless they begin the word."""
    letters = [letter.translate(LETTERS) for letter in word]
    return letters[:1] + [{"w": "u", "y": "i"}.get(letter, letter) for letter in letters[1:]]
