from dragoman.systems.smooth.vocabulary import SmoothVocabulary


def test_a_language_whose_words_are_all_rare_is_left_out():
    # a saved model would not have it after reading, and so another signature
    texts = [("en", ["tide", "tide"]), ("it", ["marea"])]
    assert SmoothVocabulary.learn(texts, most=10, seen=2).words == {"en": ("tide",)}
