import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import ConfigError, InputError
from dragoman.text.files import Faults, OnError
from dragoman.text.formats import tmx
from dragoman.types import SentencePair
from text_strategies import pairs

MEMORY = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="en"/><body>
<tu><tuv xml:lang="EN-us"><seg>One <bpt i="1">b</bpt>two</seg></tuv>
    <tuv xml:lang="deu"><seg>Eins &amp; zwei</seg></tuv></tu>
<tu><tuv lang="en"><seg>Three</seg></tuv><tuv lang="de"><seg>  </seg></tuv></tu>
<tu><tuv xml:lang="en"><seg>Four</seg></tuv><tuv xml:lang="de"><seg>Vier</seg></tuv>
    <tuv xml:lang="fr"><seg>Quatre</seg></tuv></tu>
</body></tmx>
"""
PLAIN = st.text(
    st.characters(exclude_categories=["Cc", "Cs", "Cn"]), min_size=1, max_size=30
).filter(lambda text: text == " ".join(text.split()) != "")


def write(tmp_path, text):
    path = tmp_path / "memory.tmx"
    path.write_text(text)
    return path


def test_units_are_read_with_their_markup_dropped_and_their_faults_counted(tmp_path):
    faults = Faults(OnError.SKIP)
    path = write(tmp_path, MEMORY)
    assert list(tmx.read_pairs(path, faults)) == [SentencePair("One btwo", "Eins & zwei")]
    assert [example.partition(", ")[2].partition(";")[0] for example in faults.examples] == [
        "line 6: found an empty target",
        "line 7: found a unit in 3 languages (en, de, fr)",
    ]


def test_a_named_pair_is_taken_out_of_many_languages(tmp_path):
    path = write(tmp_path, MEMORY)
    assert list(tmx.read_pairs(path, Faults(), "fra", "en")) == [SentencePair("Quatre", "Four")]
    with pytest.raises(ConfigError, match="expected both or none"):
        list(tmx.read_pairs(path, Faults(), "fr"))


@settings(max_examples=40)
@given(written=pairs(PLAIN))
def test_pairs_come_back_as_written(written, tmp_path_factory):
    path = tmp_path_factory.mktemp("tmx") / "memory.tmx.gz"
    assert tmx.write_pairs(path, written, "en", "de") == len(written)
    assert list(tmx.read_pairs(path, Faults())) == written


def test_what_xml_cannot_hold_is_not_written(tmp_path):
    with pytest.raises(InputError, match=r"found the character '\\x00'"):
        tmx.write_pairs(tmp_path / "a.tmx", [SentencePair("a\0b", "c")], "en", "de")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<tmx>\n<body><tu></body></tmx>", "line 2: found broken XML \\(mismatched tag\\)"),
        ("<tmx><body/></tmx>", "found no <tu> element"),
        ("<tmx><body><tu><tuv xml:lang='en'/></tu></body></tmx>", "a variant without <seg>"),
        ("<tmx><tu><tuv><seg>a</seg></tuv></tu></tmx>", "the language ''"),
        (
            '<!DOCTYPE a [<!ENTITY b "c">]>\n<tmx><tu>&b;</tu></tmx>',
            "XML that is not read \\(EntitiesForbidden",
        ),
    ],
)
def test_bad_memories_are_told(text, message, tmp_path):
    with pytest.raises(InputError, match=message):
        list(tmx.read_pairs(write(tmp_path, text), Faults()))
