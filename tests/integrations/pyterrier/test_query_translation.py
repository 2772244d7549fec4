import pandas as pd
import pytest

from dragoman.errors import ConfigError
from dragoman.integrations.pyterrier.query_translation import QueryTranslation
from small_frames import TOPICS


def test_the_original_query_is_pushed():
    found = QueryTranslation("en")(TOPICS)
    assert list(found["query_0"]) == list(TOPICS["query"])
    assert "bread" in found["query"][0].split()
    assert found["query"][1] == "sea and moon"  # English already
    assert set(found["language"]) == {"en"}


def test_a_translated_query_finds_documents_of_its_new_language(artifact):
    pipeline = QueryTranslation("en", source="sw") >> artifact.retriever(within=["en"])
    found = pipeline(TOPICS[["qid", "query"]][:1])
    assert found["docno"][0] == "bread"


def test_a_name_stays_as_it_is():
    assert "Kipchoge" in QueryTranslation("en").translate("mkate wa Kipchoge", "sw").split()


def test_no_queries_are_no_queries():
    assert not len(QueryTranslation("en")(pd.DataFrame(columns=["qid", "query"])))


def test_a_language_without_a_table_is_an_error():
    with pytest.raises(ConfigError, match="no translation table for"):
        QueryTranslation("en").translate("dŵr", "cy")
