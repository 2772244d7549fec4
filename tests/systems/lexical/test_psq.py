"""psq: hand-worked scores, translation in every direction, names, explanations."""

import math
from concurrent.futures import ThreadPoolExecutor

import pytest

from dragoman.registry import system
from dragoman.systems.lexical.psq import WORDS
from dragoman.systems.lexical.query_expansion import SPREAD
from dragoman.types import Document, Query
from lexical_examples import DOCUMENTS, built, ids, lexicon, scores


def idf(frequency, documents):
    return math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))


def test_a_hand_worked_example_from_the_pivot(lexicons, kernels):
    # Two German documents of 3 and 1 words. haus -> house .75, home .25; heim -> home 1.
    documents = [
        Document("one", "Haus Haus Heim", language="de"),
        Document("two", "Wasser", language="de"),
    ]
    psq = built("psq", documents, lexicons=lexicons)
    norm = 1.2 * (0.25 + 0.75 * 3 / 2)
    house, home = 2 * 0.75, 2 * 0.25 + 1
    expected = idf(1, 2) * house / (house + norm)
    assert scores(psq, "house", "en") == {"one": pytest.approx(expected, rel=1e-6)}
    expected += idf(1, 2) * home / (home + norm)
    assert scores(psq, "house home", "en") == {"one": pytest.approx(expected, rel=1e-6)}


def test_a_hand_worked_example_into_the_pivot(lexicons, kernels):
    documents = [
        Document("one", "house", language="en"),
        Document("two", "home home", language="en"),
        Document("three", "water", language="en"),
    ]
    psq = built("psq", documents, lexicons=lexicons)
    mean = 4 / 3
    together = idf(2, 3)  # house and home are in two documents of three
    one = together * 0.75**SPREAD / (1 + 1.2 * (0.25 + 0.75 / mean))
    two = together * 0.25**SPREAD * 2 / (2 + 1.2 * (0.25 + 0.75 * 2 / mean))
    expected = {"one": pytest.approx(one, rel=1e-6), "two": pytest.approx(two, rel=1e-6)}
    assert scores(psq, "Haus", "de") == expected


def test_in_the_documents_own_language_it_is_bm25(lexicons):
    psq, bm25 = (built(name, lexicons=lexicons) for name in ("psq", "bm25"))
    for text, language in (("rotes Haus", "de"), ("red ship house", "en"), ("красный дом", "ru")):
        query = Query("q", text, language)
        assert psq.search(query, 10, [language]) == bm25.search(query, 10, [language])


def test_an_identity_table_gives_plain_bm25(tmp_path):
    words = {word: {word: 1.0} for word in ("alpha", "beta", "gamma", "delta")}
    lexicon("sw", words).save(tmp_path / "sw")
    texts = ["alpha beta", "alpha alpha gamma", "delta gamma beta beta"]
    swahili = [Document(f"d{n}", text, language="sw") for n, text in enumerate(texts)]
    english = [Document(f"d{n}", text, language="en") for n, text in enumerate(texts)]
    psq = built("psq", swahili, lexicons=[str(tmp_path / "sw")])
    bm25 = built("bm25", english, translate=False)
    expected = scores(bm25, "alpha gamma", "en")
    assert scores(psq, "alpha gamma", "en") == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("text", "language", "first"),
    [
        ("red house", "en", "en-house"),
        ("rotes Haus", "de", "de-haus"),
        ("красный дом", "ru", "ru-dom"),
    ],
)
def test_every_language_finds_the_same_document_in_every_other(lexicons, text, language, first):
    psq = built("psq", lexicons=lexicons)
    assert set(ids(psq, text, language, k=3)) == {"en-house", "de-haus", "ru-dom"}
    assert ids(psq, text, language, k=1, languages=[first[:2]]) == [first]


def test_an_unknown_compound_is_found_by_its_parts(lexicons):
    psq = built("psq", lexicons=lexicons)
    assert ids(psq, "steam ship", "en", languages=["de"]) == ["de-schiff"]
    assert ids(psq, "Dampfschiff", "de", languages=["en"]) == ["en-ship"]


def test_an_unknown_inflection_is_found_by_its_nearest_word(lexicons):
    documents = [Document("d", "the world cup", language="en")]
    psq = built("psq", documents, lexicons=lexicons)
    assert ids(psq, "weltmeisterschafte", "de") == ["d"]


@pytest.mark.parametrize(("text", "language"), [("Obama", "en"), ("Обама", "ru"), ("Obama", "de")])
def test_a_name_is_found_in_other_scripts(lexicons, kernels, text, language):
    psq = built("psq", lexicons=lexicons)
    assert set(ids(psq, text, language)) == {"en-obama", "ru-obama"}


def test_numbers_stand_for_themselves(lexicons):
    documents = [
        Document("de", "Im Jahr 1984", language="de"),
        Document("en", "the year 1984", language="en"),
    ]
    psq = built("psq", documents, lexicons=lexicons)
    assert set(ids(psq, "1984", "ru")) == {"de", "en"}


def test_documents_in_an_unrelated_language_change_no_score(lexicons):
    few = built("psq", [d for d in DOCUMENTS if d.language != "ru"], lexicons=lexicons)
    expected = scores(few, "красный дом", "ru")
    found = scores(built("psq", lexicons=lexicons), "красный дом", "ru")
    assert expected == {doc_id: found[doc_id] for doc_id in expected} != {}


def test_a_language_without_a_table_is_said_so_and_meets_others_by_names(lexicons):
    documents = [Document("xx", "Obama akatembelea", language="rw")]
    psq = built("psq", documents, lexicons=lexicons)
    (warning,) = psq.index.manifest.warnings
    assert warning.startswith("no translation table for rw")
    assert psq.system.warnings(["rw", "en", "de"]) == [warning]
    assert ids(psq, "Obama", "en") == ["xx"]
    assert ids(psq, "Obama", "ig") == ["xx"]  # no table on either side


def test_without_translation_no_table_is_missed():
    assert built("psq", translate=False).system.warnings(["rw", "de"]) == []


def test_the_explanation_names_the_words_that_met(lexicons):
    psq = built("psq", lexicons=lexicons)
    german = next(d for d in DOCUMENTS if d.doc_id == "de-haus")
    why = psq.explain(Query("q", "red house", "en"), german)
    met = {(link.query_word, link.document_word): link for link in why.links}
    assert met["red", "rotes"].weight == pytest.approx(1.0)
    assert met["house", "Haus"].weight == pytest.approx(0.75)
    assert sum(link.share for link in why.links) == pytest.approx(1.0)
    assert why.score == pytest.approx(scores(psq, "red house", "en")["de-haus"], rel=1e-6)


def test_a_word_of_a_document_that_is_in_no_other_adds_nothing_to_the_score(lexicons):
    psq = built("psq", lexicons=lexicons)
    query = Query("q", "red house unseen", "en")
    stranger = Document("new", "red unseen unseen", language="en")
    assert psq.score(query, [stranger])[0] > 0
    assert [link.document_word for link in psq.explain(query, stranger).links] == ["red"]


def test_a_count_beyond_half_precision_is_the_highest_of_it(lexicons):
    documents = [
        Document("much", "house " * 70_000, language="en"),
        Document("more", "house " * 70_001 + "red", language="en"),
    ]
    psq = built("psq", documents, lexicons=lexicons)
    found = scores(psq, "house", "en")
    assert set(found) == {"much", "more"}
    query = Query("q", "house", "en")
    assert psq.explain(query, documents[0]).score == pytest.approx(found["much"], rel=1e-5)


def test_the_users_tables_travel_with_the_index(lexicons, tmp_path):
    psq = built("psq", lexicons=lexicons)
    psq.system.save(tmp_path)
    again = system("psq").load(tmp_path)
    assert again.settings == psq.system.settings
    assert [path.parent.parent for path in again.config.lexicons] == [tmp_path, tmp_path]
    assert again.treatment("de") == psq.system.treatment("de")
    assert again.tables.table("de").translations("haus") == [("hous", 0.75), ("home", 0.25)]


BODIES = {
    "en": ["The tide follows the moon", "A harbour, ships and the tide", "", "Bread and butter"],
    "it": ["La marea segue la luna", "Pane e burro", "Il porto, le navi e la marea", "Obamaz"],
    "ru": ["Прилив следует за луной", "Хлеб и масло", "Порт и корабли", "Вашингтон"],
}
ENCODED = [
    Document(f"{language}-{number}", bodies[number], language=language)
    for number in range(4)
    for language, bodies in BODIES.items()
]


def new_psq():
    return system("psq").create(system("psq").configure({}))


def plain(encoded):
    return [
        (one["psq"].dimensions.tolist(), one["psq"].counts.tolist(), one["psq"].length, one[WORDS])
        for one in encoded
    ]


@pytest.fixture(scope="module")
def expected():
    return plain(new_psq().encode(ENCODED))


def test_encoded_documents_bring_their_distinct_words():
    (encoded,) = new_psq().encode([Document("d", "Tide, sea and tide", language="en")])
    assert encoded[WORDS] == ["tide", "sea"]


@pytest.mark.parametrize("size", [1, 5])
@pytest.mark.parametrize("step", [1, -1])
def test_documents_are_encoded_alike_in_any_batches_and_any_order(expected, size, step):
    psq, documents = new_psq(), ENCODED[::step]
    batches = [documents[start : start + size] for start in range(0, len(documents), size)]
    encoded = [one for batch in batches for one in plain(psq.encode(batch))]
    assert encoded == expected[::step]


@pytest.mark.parametrize("words", [1, 1 << 17])
def test_threads_encode_as_one_does(expected, words, monkeypatch):
    monkeypatch.setattr("dragoman.systems.lexical.expected_counts.CACHED_WORDS", words)
    monkeypatch.setattr("dragoman.systems.lexical.pivoting.CACHED_WORDS", words)
    psq = new_psq()
    with ThreadPoolExecutor(4) as threads:
        each = [threads.submit(psq.encode, [document]) for document in ENCODED * 5]
        assert [plain(one.result())[0] for one in each] == expected * 5
