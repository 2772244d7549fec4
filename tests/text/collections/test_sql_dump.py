"""MediaWiki's SQL dumps, cut into rows; checked against sqlite on the same statements."""

import gzip
import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import InputError
from dragoman.text.collections import sql_dump

HEAD = """-- MySQL dump 10.19  Distrib 10.3.38-MariaDB
/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS `langlinks`;
CREATE TABLE `langlinks` (
  `ll_from` int(8) unsigned NOT NULL DEFAULT 0,
  `ll_lang` varbinary(35) NOT NULL DEFAULT '',
  `ll_title` varbinary(255) NOT NULL DEFAULT '',
  PRIMARY KEY (`ll_from`,`ll_lang`),
  KEY `ll_lang` (`ll_lang`,`ll_title`)
) ENGINE=InnoDB DEFAULT CHARSET=binary;
LOCK TABLES `langlinks` WRITE;
"""


def dump(tmp_path, *lines, name="enwiki-20240101-langlinks.sql.gz"):
    path = tmp_path / name
    path.write_bytes(gzip.compress((HEAD + "\n".join(lines) + "\nUNLOCK TABLES;\n").encode()))
    return path


def test_rows_by_the_names_of_their_columns(tmp_path):
    path = dump(
        tmp_path,
        r"INSERT INTO `langlinks` VALUES (12,'fr','L\'île (d\'Or), \"ici\"'),(13,'de','a\\b');",
        "INSERT INTO `langlinks` VALUES (14,'it',NULL),(-5,'','x;y');",
    )
    assert sql_dump.columns(path) == ["ll_from", "ll_lang", "ll_title"]
    assert list(sql_dump.rows(path, ("ll_title", "ll_from"))) == [
        ("L'île (d'Or), \"ici\"", "12"),
        ("a\\b", "13"),
        ("NULL", "14"),
        ("x;y", "-5"),
    ]


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(0, 10**9), st.text(alphabet="ab'\"\\(),;é 界", max_size=12)),
        min_size=1,
        max_size=8,
    )
)
def test_any_title_comes_back_as_sqlite_reads_it(rows):
    # sqlite doubles quotes and knows no backslash; the dumps escape both with a backslash
    def escape(text):
        return text.replace("\\", "\\\\").replace("'", "\\'").replace('"', '\\"')

    line = ",".join(f"({number},'xx','{escape(title)}')" for number, title in rows)
    store = sqlite3.connect(":memory:")
    store.execute("CREATE TABLE t (a INTEGER, b TEXT, c TEXT)")
    for number, title in rows:
        quoted = title.replace("'", "''")
        store.execute(f"INSERT INTO t VALUES ({number},'xx','{quoted}')")  # noqa: S608
    expected = [(str(a), b, c) for a, b, c in store.execute("SELECT * FROM t ORDER BY rowid")]
    store.close()
    found = sql_dump._values("a.sql", 1, f"INSERT INTO `t` VALUES {line};\n")  # noqa: S608
    assert [tuple(row) for row in found] == expected


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("INSERT INTO `langlinks` VALUES (1,'fr','cut", r"line 12: found \"'cut"),
        ("INSERT INTO `langlinks` VALUES (1,'fr','x')", r"line 12: found .*expected rows"),
        ("INSERT INTO `langlinks` VALUES (1,'fr');", r"line 12: found 2 values; expected 3"),
    ],
)
def test_a_cut_dump_is_named_with_its_line(tmp_path, line, message):
    path = dump(tmp_path, line)
    with pytest.raises(InputError, match=message):
        list(sql_dump.rows(path, ("ll_from",)))


def test_another_table_and_another_file_are_named(tmp_path):
    path = dump(tmp_path, "INSERT INTO `langlinks` VALUES (1,'fr','x');")
    with pytest.raises(InputError, match=r"found the columns ll_from, .*; expected pl_from"):
        list(sql_dump.rows(path, ("pl_from",)))
    other = tmp_path / "a.sql"
    other.write_text("nothing\n")
    with pytest.raises(InputError, match="no CREATE TABLE"):
        sql_dump.columns(other)
    cut = tmp_path / "cut.sql.gz"
    cut.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match="a broken archive"):
        list(sql_dump.rows(cut, ("ll_from",)))
