import numpy as np
import pytest

from dragoman.embeddings.word_vectors import WordVectors
from dragoman.encoders.family import EncoderFamily
from dragoman.errors import InputError
from dragoman.protocols import no_progress
from dragoman.systems.bags import word_sources
from dragoman.systems.bags.config import BagSystemConfig
from dragoman.systems.bags.word_sources import EncoderWordSource, open_source
from toys import toy_encoder

AXES = np.eye(4, dtype=np.float32)


@pytest.fixture
def folder(tmp_path):
    WordVectors("en", ("water", "transition"), AXES[:2]).save(tmp_path / "both" / "en")
    WordVectors("fr", ("eau", "transition"), AXES[[0, 3]]).save(tmp_path / "both" / "fr")
    return tmp_path / "both"


def test_a_folder_of_languages_means_all_of_them(folder):
    whole = open_source(BagSystemConfig(vectors=(folder,)))
    named = open_source(BagSystemConfig(vectors=(folder / "en", folder / "fr")))
    assert whole.signature == named.signature
    assert set(whole.languages) == {"en", "fr"}
    assert whole.keys(["water", "wasser"], "en") == ["en:water", None]
    assert whole.points(["fr:transition", "en:water"]).tolist() == AXES[[3, 0]].tolist()


def test_repairs_give_one_key_to_words_that_share_a_vector(folder):
    source = open_source(BagSystemConfig(vectors=(folder,), misspelt=1, collapse=True))
    assert source.keys(["waters"], "en") == ["en:water"]
    assert source.keys(["transition"], "fr") == source.keys(["transition"], "en")
    assert source.signature != open_source(BagSystemConfig(vectors=(folder,))).signature


def test_a_language_without_vectors_is_warned_about(folder):
    source = open_source(BagSystemConfig(vectors=(folder,)))
    assert source.warning("fr") is None
    assert source.warning("") is None
    assert "dragoman learn embeddings BITEXT --languages en-sw" in source.warning("sw")


def test_a_folder_without_vectors_says_how_to_make_some(tmp_path):
    with pytest.raises(InputError, match=r"no words\.json; .* dragoman learn embeddings"):
        open_source(BagSystemConfig(vectors=(tmp_path,)))


def test_signatures_follow_every_number_and_every_word(tmp_path):
    made = {
        "a": WordVectors("en", ("water", "fire"), AXES[:2]),
        "b": WordVectors("en", ("water", "fire"), AXES[:2]),
        "c": WordVectors("en", ("water", "fine"), AXES[:2]),
        "d": WordVectors("en", ("water", "fire"), AXES[[0, 2]]),
    }
    for name, vectors in made.items():
        vectors.save(tmp_path / name)
    signs = {
        name: open_source(BagSystemConfig(vectors=(tmp_path / name,))).signature for name in made
    }
    assert signs["a"] == signs["b"]
    assert len(set(signs.values())) == 3
    assert WordVectors.open(tmp_path / "a").digest == made["a"].digest


def test_words_of_an_encoder_are_encoded_by_the_student_of_their_language():
    family = EncoderFamily(
        toy_encoder("en", {"water": 0}), [toy_encoder("sw", {"maji": 0, "moto": 1})]
    )
    source = EncoderWordSource(family)
    assert source.keys(["water"], "en") == ["en:water"]
    points = source.points(["en:water", "sw:maji", "sw:moto"])
    assert points[0] @ points[1] == pytest.approx(1, abs=1e-5)
    assert points[0] @ points[2] < 0.5
    assert source.treatment("sw") != source.treatment("en") == source.treatment("de")
    alone = EncoderWordSource(EncoderFamily(family.teacher))
    assert alone.signature == source.signature
    assert alone.treatment("sw") != source.treatment("sw")


def test_a_word_is_encoded_once(monkeypatch):
    monkeypatch.setattr(word_sources, "CACHED_WORDS", 3)
    family = CountingFamily(toy_encoder("en", {"water": 0, "fire": 1, "man": 2}))
    source = EncoderWordSource(family)
    first = source.points(["en:water", "en:fire", "en:water"])
    assert (source.points(["en:fire", "en:man", "en:water"])[[2, 0, 2]] == first).all()
    assert family.encoded == ["water", "fire", "man"]
    source.points(["en:house"])  # more than are cached
    assert (source.points(["en:water"]) == first[:1]).all()
    assert family.encoded[3:] == ["house", "water"]


class CountingFamily(EncoderFamily):
    """Records every text that is encoded."""

    def __init__(self, teacher):
        super().__init__(teacher)
        self.encoded = []

    def encode(self, texts, advance=no_progress):
        self.encoded += [text.body for text in texts]
        return super().encode(texts, advance)
