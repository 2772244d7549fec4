import re

from hypothesis import given
from hypothesis import strategies as st

from dragoman.indexes.search.snippets import _densest, snippet, word_spans

SEA = "The sea is calm. " * 30 + "Then the tide and the moon meet. " + "The sea is calm. " * 30


def test_a_snippet_shows_the_passage_where_most_words_met():
    passage = snippet(SEA, {"tide", "moon"}, width=80)
    assert [passage.text[a:b] for a, b in passage.marks] == ["tide", "moon"]
    assert len(passage.text) <= 82
    assert passage.text[0] == passage.text[-1] == "…"


def test_without_a_met_word_the_beginning_is_shown():
    assert snippet(SEA, set(), width=40).text.startswith("The sea is calm.")
    assert snippet("short", {"missing"}).text == "short"


def test_a_word_is_not_marked_inside_another():
    assert snippet("betide the tide", {"tide"}).marks == ((11, 15),)


def test_a_word_is_not_marked_where_a_vowel_sign_follows():
    assert snippet("रोटी रोट", {"रोट"}).marks == ((5, 8),)


def test_a_composed_word_is_marked_as_a_whole_and_a_plain_one_in_any_case():
    line = "Open-source and OPEN source, İstanbul ISTANBUL"
    spans = word_spans(line, {"open-source", "open", "istanbul"})
    assert [line[a:b] for a, b in spans] == ["Open-source", "OPEN", "İstanbul", "ISTANBUL"]


@given(
    st.text("aAbBéÉß'- ", max_size=60),
    st.sets(st.text("aAbBéÉß'-", min_size=1, max_size=3), max_size=4),
)
def test_words_are_where_one_pattern_of_all_of_them_finds_them(line, words):
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    pattern = "|".join(map(re.escape, longest_first))
    matches = re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", line, re.IGNORECASE) if words else ()
    assert word_spans(line, words) == [match.span() for match in matches]


@given(st.text(max_size=300), st.sets(st.text(max_size=5), max_size=4), st.integers(20, 80))
def test_marks_are_inside_and_hold_the_words(text, words, width):
    passage = snippet(text, words, width)
    assert len(passage.text) <= width + 2
    folded = {word.casefold() for word in words}
    for start, end in passage.marks:
        assert 0 <= start < end <= len(passage.text)
        assert passage.text[start:end].casefold() in folded


@given(st.text(alphabet="ab \n\t", max_size=300), st.integers(5, 60))
def test_a_snippet_says_where_in_the_text_it_is(text, width):
    shown = snippet(text, ["a"], width)
    inner = shown.text.strip("…")
    assert " ".join(text[shown.start : shown.end].split()) == inner.strip()


@given(st.text(alphabet="ab \n\t", max_size=300), st.integers(5, 60))
def test_a_snippet_says_where_its_first_met_word_is(text, width):
    shown = snippet(text, ["a"], width)
    if shown.marks:
        assert re.match(r"a\b", text[shown.met :])
        assert " ".join(text[shown.start : shown.met].split()) == (
            shown.text[: shown.marks[0][0]].strip("… ")
        )
    else:
        assert shown.met == shown.start


@given(
    st.lists(st.sampled_from(["tide", "moon", "calm", "a", "sea"]), min_size=1), st.integers(9, 60)
)
def test_no_other_passage_of_that_width_begins_at_a_met_word_and_holds_more(words, width):
    matches = word_spans(" ".join(words), {"tide", "moon"})
    if not matches:
        return

    def held(first):
        return sum(first <= start and end <= first + width for start, end in matches)

    start = _densest(matches, width)
    chosen = [first for first, _ in matches if max(0, first - width // 5) == start]
    most = max(held(first) for first, _ in matches)
    assert most in {held(first) for first in chosen}
