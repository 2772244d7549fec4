"""The sample collection keeps what its README promises: sizes, languages, scripts, judgments."""

import json
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

import pytest

SAMPLE = Path(__file__).parents[1] / "sample"
SCRIPTS = {
    **dict.fromkeys(("de", "en", "es", "fi", "fr", "it", "sw", "tr"), "LATIN"),
    "ar": "ARABIC",
    "el": "GREEK",
    "hi": "DEVANAGARI",
    "ru": "CYRILLIC",
}


def read_lines(name):
    with (SAMPLE / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


DOCUMENTS = read_lines("corpus.jsonl")
QUERIES = read_lines("queries.jsonl")
BY_ID = {document["_id"]: document for document in DOCUMENTS}
QUERY_BY_ID = {query["_id"]: query for query in QUERIES}
LANGUAGES = defaultdict(set)
TOPICS = defaultdict(set)
for _document in DOCUMENTS:
    LANGUAGES[_document["topic"]].add(_document["lang"])
    TOPICS[_document["group"]].add(_document["topic"])


@pytest.fixture(scope="module")
def judgments():
    """Grade by query id and document id, as the file states it."""
    header, *rows = (SAMPLE / "qrels.tsv").read_text(encoding="utf-8").splitlines()
    assert header == "query-id\tcorpus-id\tscore"
    grades = defaultdict(dict)
    for row in rows:
        query_id, doc_id, grade = row.split("\t")
        assert doc_id not in grades[query_id], f"judged twice: {row}"
        grades[query_id][doc_id] = int(grade)
    return grades


def main_script(text):
    """The script that most letters and vowel signs of the text belong to."""
    letters = [character for character in text if unicodedata.category(character)[0] in "LM"]
    return Counter(unicodedata.name(letter).split()[0] for letter in letters).most_common(1)[0][0]


def test_ids_are_unique_and_say_topic_and_language():
    assert len(BY_ID) == len(DOCUMENTS)
    assert len(QUERY_BY_ID) == len(QUERIES)
    for document in DOCUMENTS:
        assert document["_id"] == f"{document['topic']}-{document['lang']}"


def test_documents_are_sorted_by_topic_and_language():
    order = [(document["topic"], document["lang"]) for document in DOCUMENTS]
    assert order == sorted(order)


def test_every_topic_has_at_least_three_languages_and_twelve_have_all():
    assert len(LANGUAGES) >= 66
    assert min(map(len, LANGUAGES.values())) >= 3
    assert sum(languages == set(SCRIPTS) for languages in LANGUAGES.values()) >= 12


def test_most_topics_have_no_english_document():
    assert sum("en" not in languages for languages in LANGUAGES.values()) > len(LANGUAGES) / 2


def test_every_topic_lies_in_one_group():
    assert sum(map(len, TOPICS.values())) == len(LANGUAGES)
    assert min(map(len, TOPICS.values())) >= 3


@pytest.mark.parametrize("language", sorted(SCRIPTS))
def test_every_language_has_enough_documents_and_queries(language):
    assert sum(document["lang"] == language for document in DOCUMENTS) >= 25
    assert sum(query["lang"] == language for query in QUERIES) >= 6


@pytest.mark.parametrize("language", sorted(SCRIPTS))
def test_documents_are_short_prose_in_the_script_of_their_language(language):
    for document in DOCUMENTS:
        if document["lang"] == language:
            assert 35 <= len(document["text"].split()) <= 130, document["_id"]
            for field in ("title", "text"):
                assert document[field] == document[field].strip(), document["_id"]
                assert unicodedata.is_normalized("NFC", document[field]), document["_id"]
                assert main_script(document[field]) == SCRIPTS[language], document["_id"]


@pytest.mark.parametrize("language", sorted(SCRIPTS))
def test_queries_are_short_and_are_no_titles(language):
    titles = {document["title"].casefold() for document in DOCUMENTS}
    for query in QUERIES:
        if query["lang"] == language:
            assert 2 <= len(query["text"].split()) <= 9, query["_id"]
            assert main_script(query["text"]) == SCRIPTS[language], query["_id"]
            assert query["text"].casefold() not in titles, query["_id"]


def test_texts_are_distinct():
    assert len({document["text"] for document in DOCUMENTS}) == len(DOCUMENTS)
    assert len({query["text"] for query in QUERIES}) == len(QUERIES)


def test_at_least_half_of_the_queries_have_no_document_in_their_language():
    assert len(QUERIES) >= 90
    foreign = [query for query in QUERIES if query["lang"] not in LANGUAGES[query["topic"]]]
    assert len(QUERIES) / 2 <= len(foreign) < len(QUERIES)


def test_judged_ids_exist_and_grades_are_known(judgments):
    assert judgments.keys() == QUERY_BY_ID.keys()
    for grades in judgments.values():
        assert grades.keys() <= BY_ID.keys()
        assert set(grades.values()) <= {0, 1, 2}


def test_grade_two_is_exactly_the_topic_in_every_language(judgments):
    for query in QUERIES:
        best = {doc_id for doc_id, grade in judgments[query["_id"]].items() if grade == 2}
        assert best == {d["_id"] for d in DOCUMENTS if d["topic"] == query["topic"]}


def test_grade_one_is_whole_related_topics_within_the_group_and_not_all_of_it(judgments):
    for query in QUERIES:
        grades = judgments[query["_id"]]
        group = next(d["group"] for d in DOCUMENTS if d["topic"] == query["topic"])
        related = {BY_ID[doc_id]["topic"] for doc_id, grade in grades.items() if grade == 1}
        assert related < TOPICS[group] - {query["topic"]}
        for document in DOCUMENTS:
            assert document["topic"] not in related or grades[document["_id"]] == 1


def test_grade_zero_is_of_the_same_group(judgments):
    for query in QUERIES:
        group = next(d["group"] for d in DOCUMENTS if d["topic"] == query["topic"])
        zeros = [doc_id for doc_id, grade in judgments[query["_id"]].items() if grade == 0]
        assert zeros
        assert {BY_ID[doc_id]["group"] for doc_id in zeros} == {group}


def test_relation_between_topics_is_mutual(judgments):
    related = {
        query["topic"]: {BY_ID[d]["topic"] for d, g in judgments[query["_id"]].items() if g == 1}
        for query in QUERIES
    }
    for topic, others in related.items():
        for other in others & related.keys():
            assert topic in related[other]


def test_readme_states_the_counts_of_each_language():
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in (SAMPLE / "README.md").read_text(encoding="utf-8").splitlines()
    ]
    stated = {row[0].split()[0]: row[1:] for row in rows if row[0][:3].strip() in SCRIPTS}
    assert stated == {
        language: [
            str(sum(document["lang"] == language for document in DOCUMENTS)),
            str(len(asked)),
            str(sum(language not in LANGUAGES[query["topic"]] for query in asked)),
        ]
        for language in SCRIPTS
        if (asked := [query for query in QUERIES if query["lang"] == language])
    }


def test_the_collection_stays_small():
    assert sum(path.stat().st_size for path in SAMPLE.iterdir()) < 600_000
