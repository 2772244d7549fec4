import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.service.tasks.names import LONGEST_PART, MOST_PARTS, numbered, safe_name


@pytest.mark.parametrize(
    ("given_name", "expected"),
    [
        ("report.pdf", "report.pdf"),
        ("letters/2019/a.txt", "letters/2019/a.txt"),
        ("../../etc/passwd", "etc/passwd"),
        ("/etc/passwd", "etc/passwd"),
        ("C:\\Users\\me\\a.txt", "C:/Users/me/a.txt"),
        ("..\\..\\a.txt", "a.txt"),
        ("a\x00b\r\n.txt", "ab.txt"),
        ("evil\u202etxt.exe", "eviltxt.exe"),
        (".bashrc", "bashrc"),
        ("a#b.txt", "a%23b.txt"),
        ("e\u0301.txt", "\u00e9.txt"),
        ("", "unnamed"),
        ("..", "unnamed"),
        (" . / .. ", "unnamed"),
        ("كتاب.pdf", "كتاب.pdf"),
    ],
)
def test_a_name_becomes_a_path_below_the_uploads(given_name, expected):
    assert safe_name(given_name) == expected


@given(st.text(max_size=300))
def test_no_name_escapes(text):
    name = safe_name(text)
    parts = name.split("/")
    assert all(part and part not in (".", "..") for part in parts)
    assert not name.startswith("/")
    assert "\\" not in name
    assert "\x00" not in name
    assert len(parts) <= MOST_PARTS
    assert all(len(part.encode()) <= LONGEST_PART + 20 for part in parts)
    assert safe_name(name) == name


def test_a_long_name_is_cut_before_its_ending():
    name = safe_name("ü" * 500 + ".pdf")
    assert name.endswith("ü.pdf")
    assert len(name.encode()) <= LONGEST_PART


def test_a_second_file_of_a_name_is_numbered_before_its_ending():
    assert numbered("a/report.pdf", 1) == "a/report.pdf"
    assert numbered("a/report.pdf", 2) == "a/report (2).pdf"
    assert numbered("README", 3) == "README (3)"
