from dragoman.lexicons.vocabulary import ABSENT, Vocabulary


def test_words_and_numbers():
    words = Vocabulary(("tree", "house"))
    assert (len(words), list(words), words[1], "house" in words) == (
        2,
        ["tree", "house"],
        "house",
        True,
    )
    assert words.ids == {"tree": 0, "house": 1}
    assert words.ids_of(["house", "sea", "tree"]).tolist() == [1, ABSENT, 0]


def test_new_words_follow_the_old_ones():
    assert Vocabulary(("a", "b")).extended(["c", "b", "c"]).words == ("a", "b", "c")
