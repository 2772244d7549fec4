"""Encodings of short real sentences, in the encodings that people used before UTF-8."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.text.readers.contents import UnreadableFile
from dragoman.text.readers.encoding import declared_encoding, decoded_chunks, encoding_of

GERMAN = (
    "Die Bäckerei öffnet früh am Morgen, und die Brötchen sind noch heiß. Größere Mengen müssen"
)
FRENCH = "L’été dernier, nous avons mangé des crêpes à la plage — c’était délicieux. Où êtes-vous ?"
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy. Chléb se peče z mouky, vody a soli každé ráno."
POLISH = "Chleb piecze się z mąki, wody i soli w gorącym piecu każdego ranka. Zażółć gęślą jaźń."
HUNGARIAN = "A kenyeret minden reggel lisztből, vízből és sóból sütik a forró kemencében, őszintén."
RUSSIAN = "Хлеб пекут из муки, воды и соли в горячей печи каждое утро. Вода и электричество."
GREEK = "Το ψωμί ψήνεται με αλεύρι, νερό και αλάτι κάθε πρωί σε ζεστό φούρνο του χωριού."
TURKISH = (
    "Ekmek her sabah sıcak fırında un, su ve tuzdan pişirilir. Şehirdeki eski fırın çok güzel."
)
LITHUANIAN = "Duona kepama iš miltų, vandens ir druskos kiekvieną rytą karštoje krosnyje. Šviežia."
ARABIC = "يخبز الخبز من الدقيق والماء والملح كل صباح في فرن ساخن في القرية القديمة."
HEBREW = "הלחם נאפה מקמח מים ומלח בכל בוקר בתנור חם בכפר הישן שלנו."
THAI = "ขนมปังอบจากแป้ง น้ำ และเกลือทุกเช้าในเตาอบร้อนของหมู่บ้าน"
JAPANESE = "パンは毎朝、小麦粉と水と塩から熱いかまどで焼かれます。水と電気は仲良くありません。"
TRADITIONAL = "麵包每天早上用麵粉、水和鹽在熱爐子裡烤。水和電不是朋友。這個村莊有一個古老的麵包店。"
CHINESE = "面包每天早上用面粉、水和盐在热炉子里烤。水和电不是朋友。这个村庄有一个古老的面包店。"
KOREAN = (
    "빵은 매일 아침 밀가루와 물과 소금으로 뜨거운 오븐에서 굽습니다. 물과 전기는 친구가 아닙니다."
)

LEGACY = [
    ("latin-1", GERMAN),
    ("mac_roman", GERMAN),
    ("cp850", GERMAN),
    ("cp1252", FRENCH),
    ("cp1250", CZECH),
    ("iso8859-2", CZECH),
    ("cp1250", POLISH),
    ("iso8859-2", POLISH),
    ("iso8859-2", HUNGARIAN),
    ("cp1251", RUSSIAN),
    ("koi8-r", RUSSIAN),
    ("cp866", RUSSIAN),
    ("iso8859-5", RUSSIAN),
    ("cp1253", GREEK),
    ("cp1254", TURKISH),
    ("cp1257", LITHUANIAN),
    ("cp1256", ARABIC),
    ("cp1255", HEBREW),
    ("cp874", THAI),
    ("shift_jis", JAPANESE),
    ("euc_jp", JAPANESE),
    ("iso2022_jp", JAPANESE),
    ("big5", TRADITIONAL),
    ("gb18030", CHINESE),
    ("euc_kr", KOREAN),
]


def decoded(path):
    return "".join(decoded_chunks(path, encoding_of(path)))


@pytest.mark.parametrize("times", [1, 40])
@pytest.mark.parametrize(("encoding", "text"), LEGACY)
def test_a_text_in_an_old_encoding_is_decoded_as_it_was_written(encoding, text, times, tmp_path):
    path = tmp_path / "letter.txt"
    path.write_bytes(((text + "\n") * times).encode(encoding))
    assert decoded(path) == (text + "\n") * times


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", codecs.BOM_UTF8),
        ("utf-16-le", codecs.BOM_UTF16_LE),
        ("utf-16-be", codecs.BOM_UTF16_BE),
        ("utf-32-le", codecs.BOM_UTF32_LE),
        ("utf-8", b""),
        ("utf-16-le", b""),
        ("utf-16-be", b""),
    ],
)
@pytest.mark.parametrize("text", [GERMAN, RUSSIAN + "\n" + RUSSIAN, CHINESE + "\n" + CHINESE])
def test_unicode_is_decoded_with_and_without_a_mark(encoding, mark, text, tmp_path):
    path = tmp_path / "letter.txt"
    path.write_bytes(mark + text.encode(encoding))
    assert decoded(path) == text


def test_letters_that_come_late_decide(tmp_path):
    path = tmp_path / "log.txt"
    path.write_bytes(b"plain words\n" * 20_000 + GERMAN.encode("latin-1"))
    assert decoded(path).endswith(GERMAN)


def test_a_few_broken_bytes_do_not_change_the_encoding(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_bytes(RUSSIAN.encode() + b"\xff" + RUSSIAN.encode())
    assert encoding_of(path) == "utf-8"
    assert decoded(path) == RUSSIAN + "\ufffd" + RUSSIAN


@pytest.mark.parametrize("data", [b"\0\1\2\0\3\0\0\0", bytes(range(256)) * 4, b"\0" * 100])
def test_bytes_that_are_no_text_are_refused(data, tmp_path):
    path = tmp_path / "letter.txt"
    path.write_bytes(data)
    with pytest.raises(UnreadableFile, match="bytes that are no text"):
        encoding_of(path)


@given(text=st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=200))
def test_every_text_in_utf8_is_decoded_as_it_was_written(text, tmp_path_factory):
    path = tmp_path_factory.mktemp("texts") / "letter.txt"
    path.write_bytes(text.encode())
    assert decoded(path) == text.removeprefix("\ufeff")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ISO-8859-1", "cp1252"),
        ("GB2312", "gb18030"),
        ("Shift_JIS", "cp932"),
        ("utf8", "utf_8"),
        ("utf-16", "utf_8"),  # a declaration that could be read as ASCII
        ("KOI8-R", "koi8_r"),
        ("klingon", None),
        ("base64", None),
        ("unicode_escape", None),
        ("utf-7", None),
        ("undefined", None),
        ("a\0b", None),
    ],
)
def test_a_declared_charset_is_what_browsers_take_it_for(name, expected):
    assert declared_encoding(name) == expected
