import pytest

from dragoman.errors import InputError
from dragoman.text.files import Faults, OnError
from dragoman.text.formats.sgml_documents import read_documents
from dragoman.types import Document

FINANCIAL_TIMES = """<DOC>
<DOCNO>FT911-1</DOCNO>
<PROFILE>_AN-BENBQAD8FT</PROFILE>
<DATE>910514
</DATE>
<HEADLINE>
FT  14 MAY 91 / (CORRECTED) Jubilee
</HEADLINE>
<TEXT>
The article was &amp; is
<P>corrected.
</TEXT>
<PUB>The Financial Times
</PUB>
</DOC>
"""
NEUE_ZUERCHER = """<DOC lang="de">
<DOCNO>SDA.1</DOCNO><DOCID>SDA.1</DOCID>
<TI>Bern</TI><LD>Ein Satz.</LD><TX>Noch einer.</TX>
<KW>Schweiz</KW><KW>Bern</KW>
</DOC>
"""
WEB_PAGE = """<DOC><DOCNO>WTX-1</DOCNO><DOCHDR>http://x 200</DOCHDR>
<html><title>Home</title>Welcome <b>all</b></html></DOC>
"""


def read(path, text, faults=None):
    path.write_text(text)
    return list(read_documents(path, faults or Faults()))


def test_documents_of_three_collections(tmp_path):
    assert read(tmp_path / "a", FINANCIAL_TIMES + NEUE_ZUERCHER + WEB_PAGE) == [
        Document(
            "FT911-1",
            "The article was & is\ncorrected.",
            "FT 14 MAY 91 / (CORRECTED) Jubilee",
            metadata={
                "profile": "_AN-BENBQAD8FT",
                "date": "910514",
                "pub": "The Financial Times",
            },
        ),
        Document("SDA.1", "Ein Satz.\nNoch einer.", "Bern", "de", {"kw": ["Schweiz", "Bern"]}),
        Document("WTX-1", "Welcome all", "Home"),
    ]


def test_a_language_element_is_the_language(tmp_path):
    text = "<DOC><DOCNO>1</DOCNO><LANG>JA</LANG><TEXT>本</TEXT></DOC>"
    assert read(tmp_path / "a", text) == [Document("1", "本", language="ja")]


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ("<TEXT>a</TEXT>", "found a <DOC> with no <DOCNO>; expected one <DOCNO>"),
        ("<DOCNO>1</DOCNO><DOCNO>2</DOCNO>", "a <DOC> with 2 <DOCNO>"),
        ("<DOCNO> </DOCNO>", "found an empty id"),
        ("<DOCNO>0</DOCNO>", "the id '0' a second time"),
        ("<DOCNO>1</DOCNO><LANG>klingon</LANG>", "found the language 'klingon'"),
    ],
)
def test_a_bad_document_is_named_by_its_line_and_can_be_skipped(block, message, tmp_path):
    text = f"<DOC><DOCNO>0</DOCNO>a</DOC>\n<DOC>{block}</DOC>\n<DOC><DOCNO>9</DOCNO>c</DOC>"
    with pytest.raises(InputError, match=f"line 2: .*{message}"):
        read(tmp_path / "a", text)
    faults = Faults(OnError.SKIP)
    assert [one.doc_id for one in read(tmp_path / "a", text, faults)] == ["0", "9"]
    assert faults.skipped == 1


def test_all_files_below_a_folder_are_read(tmp_path):
    (tmp_path / "disk" / "ft").mkdir(parents=True)
    read(tmp_path / "disk" / "ft" / "1", FINANCIAL_TIMES)
    read(tmp_path / "disk" / "z", WEB_PAGE)
    documents = list(read_documents(tmp_path / "disk", Faults()))
    assert [one.doc_id for one in documents] == ["FT911-1", "WTX-1"]
    (tmp_path / "disk" / "readme").write_text("How to read the files.")
    with pytest.raises(InputError, match="readme: found no <doc>"):
        list(read_documents(tmp_path / "disk", Faults()))
    faults = Faults(OnError.SKIP)
    assert len(list(read_documents(tmp_path / "disk", faults))) == 2
    assert "readme: skipped 1" in faults.summary()


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(InputError, match="found no file; expected files with <DOC>"):
        list(read_documents(tmp_path, Faults()))
