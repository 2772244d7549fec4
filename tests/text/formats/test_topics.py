import pytest

from dragoman.errors import InputError
from dragoman.text.files import Faults, OnError
from dragoman.text.formats.topics import read_queries
from dragoman.types import Query

CLASSIC = """
<top>
<num> Number: 401
<title> foreign minorities,
Germany

<desc> Description:
What impedes the integration?

<narr> Narrative:
Documents on causes &amp; costs.
</top>

<top>
<num> Number: 51
<dom> Domain: International
<title> Topic:  Airbus Subsidies
</top>
"""
CLEF = """<top>
<num>C041</num>
<DE-title>Pestizide in Babykost</DE-title>
<DE-desc>Berichte finden.</DE-desc>
</top>
"""
XML = """<?xml version="1.0" encoding="UTF-8"?>
<topics track="covid">
  <topic number="1">
    <query>coronavirus origin</query>
    <question>what is the origin of COVID-19</question>
    <narrative>seeking a range of information</narrative>
  </topic>
  <topic lang="fr"><identifier>10.2452/451-AH</identifier><title>Armée romaine</title></topic>
  <topic number="3"><question>only a question</question></topic>
  <topic number="4">a patient of 40 years</topic>
</topics>
"""


def read(tmp_path, text, faults=None):
    (tmp_path / "topics").write_text(text)
    return list(read_queries(tmp_path / "topics", faults or Faults()))


def test_classic_topics_have_labels_and_open_tags(tmp_path):
    assert read(tmp_path, CLASSIC) == [
        Query(
            "401",
            "foreign minorities, Germany",
            metadata={
                "desc": "What impedes the integration?",
                "narr": "Documents on causes & costs.",
            },
        ),
        Query("51", "Airbus Subsidies"),
    ]


def test_a_prefix_of_the_tags_is_the_language(tmp_path):
    expected = Query("C041", "Pestizide in Babykost", "de", {"desc": "Berichte finden."})
    assert read(tmp_path, CLEF) == [expected]


def test_topics_in_xml(tmp_path):
    assert read(tmp_path, XML) == [
        Query(
            "1",
            "coronavirus origin",
            metadata={
                "desc": "what is the origin of COVID-19",
                "narr": "seeking a range of information",
            },
        ),
        Query("10.2452/451-AH", "Armée romaine", "fr"),
        Query("3", "only a question", metadata={"desc": "only a question"}),
        Query("4", "a patient of 40 years"),
    ]


@pytest.mark.parametrize(
    ("topic", "message"),
    [
        ("<title>a</title>", "found an empty id"),
        ("<num>2</num><title> </title>", "found an empty query"),
        ("<num>1</num><title>a</title>", "found the id '1' a second time"),
    ],
)
def test_a_bad_topic_is_named_by_its_line_and_can_be_skipped(topic, message, tmp_path):
    text = f"<top><num>1</num><title>a</title></top>\n<top>{topic}</top>\n"
    with pytest.raises(InputError, match=f"line 2: {message}"):
        read(tmp_path, text)
    assert len(read(tmp_path, text, Faults(OnError.SKIP))) == 1
