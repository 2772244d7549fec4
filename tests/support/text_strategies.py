"""Arbitrary records for the round-trip tests of every format."""

from hypothesis import strategies as st

from dragoman.types import Click, DictionaryEntry, Document, Hit, Query, Ranking, SentencePair

LANGUAGES = st.sampled_from(["", "ar", "de", "en", "ja", "sw"])
IDS = st.text(min_size=1, max_size=12).filter(
    lambda text: not text.isspace() and not set(text) & set("\t\r\n")
)
WORDS = st.text(min_size=1, max_size=12).filter(lambda text: text == "".join(text.split()) != "")
LINES = st.text(min_size=1, max_size=40).filter(
    lambda text: text == text.strip() != "" and not set(text) & set("\t\r\n")
)
FOLDED = st.text(min_size=1, max_size=40).filter(lambda text: text == " ".join(text.split()) != "")
TEXTS = st.text(max_size=60)
NOTHING = st.just({})
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
KEYS = st.text(max_size=6) | st.sampled_from(["_id", "text", "title", "lang", "_metadata"])


def documents(texts=TEXTS, metadata=NOTHING):
    one = st.builds(Document, IDS, texts, texts, LANGUAGES, metadata)
    return st.lists(one, min_size=1, max_size=6, unique_by=lambda document: document.doc_id)


def queries(texts=TEXTS, metadata=NOTHING):
    asked = texts.filter(lambda text: text.strip() != "")
    one = st.builds(Query, IDS, asked, LANGUAGES, metadata)
    return st.lists(one, min_size=1, max_size=6, unique_by=lambda query: query.query_id)


def metadata():
    return st.dictionaries(KEYS, JSON, max_size=3)


def judgments(ids=IDS):
    grades = st.dictionaries(ids, st.integers(-2, 6), min_size=1, max_size=4)
    return st.dictionaries(ids, grades, min_size=1, max_size=4)


@st.composite
def rankings(draw):
    scores = st.dictionaries(
        IDS, st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=5
    )
    return [
        Ranking(query_id, tuple(Hit(*item) for item in sorted(hits.items(), key=best_first)))
        for query_id, hits in draw(st.dictionaries(IDS, scores, min_size=1, max_size=4)).items()
    ]


def best_first(item):
    return -item[1], item[0]


def pairs(texts=LINES):
    return st.lists(st.builds(SentencePair, texts, texts), min_size=1, max_size=6)


def entries(texts=FOLDED):
    return st.lists(st.builds(DictionaryEntry, texts, texts), min_size=1, max_size=6)


@st.composite
def clicks(draw):
    shown = draw(st.integers(0, 10**9))
    return Click(draw(LINES), draw(IDS), shown, draw(st.integers(0, shown)), draw(LANGUAGES))
