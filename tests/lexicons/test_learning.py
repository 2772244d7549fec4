import pytest

from dragoman.errors import ConfigError, UnknownLanguage
from dragoman.lexicons import sparse_rows
from dragoman.lexicons.learning import LexiconConfig, learn_lexicon
from dragoman.tokens.analyzer import AnalyzerConfig
from dragoman.types import DictionaryEntry, SentencePair

BITEXT = [
    SentencePair("The house stands near water.", "Nyumba inasimama karibu maji."),
    SentencePair("Water flows below the house.", "Maji yanapita chini nyumba."),
    SentencePair("The teacher drinks water.", "Mwalimu anakunywa maji."),
    SentencePair("The teacher sleeps.", "Mwalimu analala."),
    SentencePair("A house burns.", "Nyumba inaungua."),
]


def best(lexicon, word):
    return lexicon.translations(word, 1)[0][0]


def test_bitext_alone_teaches_its_words():
    lexicon = learn_lexicon(BITEXT, [], "en", "sw").lexicon
    assert best(lexicon, "hous") == "nyumba"
    assert best(lexicon, "water") == "maji"
    assert best(lexicon.reversed(), "mwalimu") == "teacher"


def test_tables_are_probabilities():
    lexicon = learn_lexicon(BITEXT, [], "en", "sw").lexicon
    for table in (lexicon.forward, lexicon.backward):
        sums = sparse_rows.row_sums(table)
        assert sums[sums > 0] == pytest.approx(1, abs=1e-5)


def test_a_dictionary_alone_gives_a_lexicon():
    entries = [
        DictionaryEntry("tree", "mti"),
        DictionaryEntry("apple tree", "mti tofaa"),
        DictionaryEntry("apple", "tofaa"),
    ]
    learnt = learn_lexicon([], entries, "en", "sw")
    assert (learnt.pairs, learnt.entries, learnt.left_out) == (0, 3, 0)
    assert best(learnt.lexicon, "tree") == "mti"
    assert best(learnt.lexicon, "appl") == "tofaa"


def test_a_dictionary_decides_what_bitext_leaves_open():
    bitext = [SentencePair("green tree", "mti kijani")]
    open_lexicon = learn_lexicon(bitext, [], "en", "sw").lexicon
    share = dict(open_lexicon.translations("green"))["mti"]
    settled = learn_lexicon(bitext, [DictionaryEntry("tree", "mti")], "en", "sw").lexicon
    assert dict(settled.translations("green")).get("mti", 0.0) < share
    assert best(settled, "green") == "kijani"


def test_what_cannot_be_used_is_counted():
    bitext = [*BITEXT, SentencePair("???", "nyumba"), SentencePair("word " * 200, "neno")]
    assert learn_lexicon(bitext, [], "en", "sw").left_out == 2


def test_compounds_are_split_in_training_and_in_the_lexicon_s_analyser():
    bitext = [SentencePair("the boat", "das Boot")] * 4 + [
        SentencePair("the house", "das Haus")
    ] * 4
    bitext += [SentencePair("the houseboat", "das Hausboot")]
    lexicon = learn_lexicon(bitext, [], "en", "de").lexicon
    assert lexicon.analyzer()("Bootshaus", "de") == ["bootshaus", "boot", "haus"]
    whole = learn_lexicon(bitext, [], "en", "de", LexiconConfig(split_compounds=False)).lexicon
    assert whole.analyzer()("Bootshaus", "de") == ["bootshaus"]


def test_the_analysis_is_remembered():
    config = LexiconConfig(analysis=AnalyzerConfig(stem=False))
    lexicon = learn_lexicon(BITEXT, [], "en", "sw", config).lexicon
    assert best(lexicon, "house") == "nyumba"
    with pytest.raises(ConfigError, match="analysed with stem=False; found stem=True"):
        lexicon.check_analysis(AnalyzerConfig())


def test_rounds_and_progress_are_told():
    heard, packed = [], []
    learnt = learn_lexicon(
        BITEXT, [], "en", "sw", advance=lambda steps=1: packed.append(steps), on_round=heard.append
    )
    assert [(step.model, step.number) for step in heard][:2] == [("Model 1", 1), ("Model 1", 2)]
    assert heard == list(learnt.rounds)
    assert sum(packed) == len(BITEXT)


def test_one_language_twice():
    with pytest.raises(ConfigError, match="found the language 'en' on both sides"):
        learn_lexicon(BITEXT, [], "en", "eng")


def test_a_language_that_does_not_exist():
    with pytest.raises(UnknownLanguage, match="Unknown language 'xx'"):
        learn_lexicon(BITEXT, [], "en", "xx")


def test_nothing_to_learn_from():
    with pytest.raises(ConfigError, match="found nothing to learn en-sw from in 1 sentence pairs"):
        learn_lexicon([SentencePair("!", "?")], [], "en", "sw")


def test_text_that_can_be_read_only_once():
    with pytest.raises(ConfigError, match="expected bitext that can be read again"):
        learn_lexicon(iter(BITEXT), [], "en", "sw")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"dictionary_weight": 0}, "dictionary_weight must be at least 1, got 0"),
        ({"longest": 0}, "longest must be at least 1, got 0"),
    ],
)
def test_settings_out_of_range(setting, message):
    with pytest.raises(ConfigError, match=message):
        LexiconConfig(**setting)
