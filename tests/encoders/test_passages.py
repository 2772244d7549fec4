from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.encoders.passages import PassageConfig, letters, split_passages
from dragoman.errors import ConfigError

SMALL = PassageConfig(letters=20, overlap=8)
TEXTS = st.text(alphabet="ab .!?\n长句。กขค।", max_size=200)


def texts(text, config=SMALL):
    return [passage.text for passage in split_passages(text, config)]


def test_a_short_text_is_one_passage_without_its_outer_spaces():
    assert texts("  One. Two.  ") == ["One. Two."]


def test_spaces_alone_have_no_passage():
    assert split_passages(" \n\t ", SMALL) == []


def test_sentences_stay_whole_and_neighbours_share_one():
    text = "One two. Three. Four five. Six. Seven."
    assert texts(text) == ["One two. Three.", "Three. Four five.", "Six. Seven."]


def test_the_marks_of_other_scripts_end_sentences():
    config = PassageConfig(letters=8, overlap=0)
    assert texts("一二三。四五六！七八。", config) == ["一二三。", "四五六！", "七八。"]
    assert texts("पानी है। आग है।", config) == ["पानी है।", "आग है।"]
    assert texts("هل هذا؟ نعم هذا", config) == ["هل هذا؟", "نعم هذا"]


def test_a_dot_inside_a_number_or_a_name_ends_nothing():
    assert texts("See v3.11 of it. Go on, then.") == ["See v3.11 of it.", "Go on, then."]


def test_a_sentence_above_the_budget_is_cut_between_words_with_overlap():
    found = texts("alpha beta gamma delta epsilon zeta")
    assert found[0].startswith("alpha")
    assert found[-1].endswith("zeta")
    assert all(letters(passage) <= 20 for passage in found)
    assert any(set(one.split()) & set(two.split()) for one, two in pairwise(found))


def test_text_without_spaces_is_cut_anywhere():
    assert "".join(texts("ก" * 50, PassageConfig(letters=20, overlap=0))) == "ก" * 50


def test_a_wide_character_counts_for_two_letters():
    assert letters("ab长") == 4
    assert letters("ab") == 2


def test_a_million_letters_without_a_space_are_cut_in_no_time():
    assert len(split_passages("x" * 1_000_000, PassageConfig(letters=400, overlap=100))) > 2500


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (10, 10), (10, -1)])
def test_sizes_out_of_range_are_refused(size, overlap):
    with pytest.raises(ConfigError, match="must be"):
        PassageConfig(letters=size, overlap=overlap)


@settings(max_examples=100)
@given(TEXTS, st.integers(1, 40), st.integers(0, 39))
def test_passages_are_in_order_in_budget_and_cover_every_letter(text, size, overlap):
    config = PassageConfig(letters=size, overlap=min(overlap, size - 1))
    passages = split_passages(text, config)
    covered = set()
    for passage in passages:
        assert text[passage.start : passage.end] == passage.text
        assert letters(passage.text) <= max(size, 2)
        covered |= set(range(passage.start, passage.end))
    assert all(char.isspace() for place, char in enumerate(text) if place not in covered)
    starts = [passage.start for passage in passages]
    assert starts == sorted(set(starts))
