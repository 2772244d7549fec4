"""Word pieces that languages share."""

import pytest

pytest.importorskip("tokenizers", reason="needs the extra onnx")

from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import ConfigError
from dragoman.tokens.bpe import SPECIAL, train_bpe

TEXTS = ["der Wasserfall", "das Wasser", "die Wasserkraft", "पानी साफ है", "السلام عليكم"] * 5


@pytest.fixture(scope="module")
def tokenizer():
    return train_bpe(TEXTS, 200)


def test_special_tokens_have_their_places(tokenizer):
    assert [tokenizer.id_to_token(place) for place in range(5)] == list(SPECIAL)


def test_frequent_words_are_whole_and_others_are_pieces(tokenizer):
    assert tokenizer.encode("Wasser", add_special_tokens=False).tokens == ["▁wasser"]
    pieces = tokenizer.encode("Wasserdas", add_special_tokens=False).tokens
    assert len(pieces) > 1
    assert [piece.startswith("▁") for piece in pieces] == [True] + [False] * (len(pieces) - 1)


def test_a_word_behind_a_mark_is_the_word():
    tokenizer = train_bpe(["l'eau (eau)"] * 5, 60)
    pieces = tokenizer.encode("l'eau", add_special_tokens=False).tokens
    assert pieces == ["▁l", "▁'", "▁eau"]


def test_the_same_texts_give_the_same_pieces():
    texts = [f"{one}{two} {two}{one}" for one in "abcdefgh" for two in "xyzuvw"]
    assert len({train_bpe(texts, 60).to_str() for _ in range(5)}) == 1


def test_one_text_and_two_are_framed_as_bert_does(tokenizer):
    assert tokenizer.encode("das").tokens == ["[CLS]", "▁das", "[SEP]"]
    both = tokenizer.encode("das", "die")
    assert both.tokens == ["[CLS]", "▁das", "[SEP]", "▁die", "[SEP]"]
    assert both.type_ids == [0, 0, 0, 1, 1]


def test_vowel_signs_and_accents_stay(tokenizer):
    assert tokenizer.decode(tokenizer.encode("पानी").ids) == "पानी"
    accented = train_bpe(["schön", "schon"] * 5, 100)
    assert accented.encode("schön").ids != accented.encode("schon").ids


def test_an_unknown_letter_is_unknown_and_its_neighbours_are_not(tokenizer):
    pieces = tokenizer.encode("das dЖs", add_special_tokens=False).tokens
    assert pieces == ["▁das", "▁d", "[UNK]", "s"]


@settings(max_examples=30, deadline=None)
@given(words=st.lists(st.sampled_from(["der", "das", "wasserfall", "wasserkraft"]), max_size=8))
def test_texts_of_known_letters_come_back(tokenizer, words):
    text = " ".join(words)
    assert tokenizer.decode(tokenizer.encode(text).ids) == text


def test_there_are_at_most_so_many_pieces():
    assert train_bpe(TEXTS, 60).get_vocab_size() <= 60
    with pytest.raises(ConfigError, match="more than 5 tokens, got 5"):
        train_bpe(TEXTS, 5)
