"""The settings of systems that compare weighed bags of words, checked once."""

from dataclasses import asdict, dataclass
from pathlib import Path

from dragoman.embeddings.normalization import StopWordList
from dragoman.errors import ConfigError
from dragoman.systems.bags.weighting import FIRST_WORDS, Weighting

LISTS = ("vectors", "lexicons", "students")


@dataclass(frozen=True, kw_only=True, slots=True)
class BagConfig:
    """Which words of a text count, how much, and where their vectors come from."""

    weighting: Weighting = Weighting.IDF
    vectors: tuple[Path, ...] = ()  # folders of word vectors; none: the sentence encoder's
    misspelt: int = 0  # Levenshtein distance within which an unknown word borrows a vector
    collapse: bool = False  # words spelt alike in two languages share a vector
    seed: int = 0  # of the choice among equally near words
    translate: bool = False  # the query's words go through a lexicon first
    lexicons: tuple[Path, ...] = ()  # the user's own tables, before the shipped ones
    encoder: str = "default"
    students: tuple[Path, ...] = ()
    shipped_students: bool = True
    first: int = FIRST_WORDS  # known words that are read of a text
    stop: StopWordList = StopWordList.SHORT  # which listed words are left out

    def __post_init__(self) -> None:
        if self.misspelt < 0 or self.first < 1:
            raise ConfigError(
                f"misspelt must be 0 or more and first 1 or more, got {self.misspelt}, {self.first}"
            )
        if (self.misspelt or self.collapse) and not self.vectors:
            raise ConfigError(
                "misspelt and collapse are about the words of given vectors; name some, or leave"
                " both: the sentence encoder reads every word"
            )

    @property
    def plain(self) -> dict[str, object]:
        """Settings that ``parse_settings`` reads, with folders by their whole paths."""
        return {
            name: [str(path.resolve()) for path in value] if name in LISTS else value
            for name, value in asdict(self).items()
        }
