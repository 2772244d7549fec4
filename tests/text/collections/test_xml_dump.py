"""Pages dumps: articles one after the other, whatever the size of the file."""

import bz2
import tracemalloc
from pathlib import Path

import pytest

from dragoman.errors import ConfigError, InputError, UnknownLanguage
from dragoman.text.collections.xml_dump import articles, sort_files

HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="fr">
  <siteinfo><sitename>Wikipédia</sitename><namespaces>
    <namespace key="0" case="first-letter" />
    <namespace key="6" case="first-letter">Fichier</namespace>
    <namespace key="14" case="first-letter">Catégorie</namespace>
  </namespaces></siteinfo>
"""


def page(page_id, title, text, space=0, redirect=""):
    return f"""  <page>
    <title>{title}</title><ns>{space}</ns><id>{page_id}</id>{redirect}
    <revision><id>9{page_id}</id><contributor><username>x</username><id>7</id></contributor>
      <model>wikitext</model><text bytes="5" xml:space="preserve">{text}</text></revision>
  </page>
"""


def write(path, pages):
    content = (HEAD + "".join(pages) + "</mediawiki>\n").encode()
    path.write_bytes(bz2.compress(content) if path.suffix == ".bz2" else content)
    return path


@pytest.mark.parametrize("ending", ["", ".bz2"])
def test_articles_are_read_and_redirects_and_talk_are_not(tmp_path, ending):
    path = write(
        tmp_path / f"frwiki-20240101-pages-articles.xml{ending}",
        [
            page(1, "Lyon", "'''Lyon''' &amp; [[x]]"),
            page(2, "Ville de Lyon", "#REDIRECTION", redirect='<redirect title="Lyon" />'),
            page(3, "Discussion:Lyon", "talk", space=1),
            page(4, "Rhône", ""),
        ],
    )
    found = list(articles(path))
    assert [(a.page_id, a.title, a.markup) for a in found] == [
        (1, "Lyon", "'''Lyon''' & [[x]]"),
        (4, "Rhône", ""),
    ]
    assert set(found[0].media) >= {"Fichier", "Catégorie", "File"}


def test_memory_does_not_grow_with_the_dump(tmp_path):
    def peak(count):
        pages = (page(n, f"T{n}", "text " * 400) for n in range(count))
        path = write(tmp_path / "enwiki-pages-articles.xml", pages)
        tracemalloc.start()
        assert sum(1 for _ in articles(path)) == count
        _, high = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return high

    assert peak(2000) < 2 * peak(100)


def test_broken_and_hostile_dumps_are_errors(tmp_path):
    path = tmp_path / "enwiki-pages-articles.xml"
    path.write_text(HEAD + page(1, "A", "a"))
    with pytest.raises(InputError, match=r"cannot be read .*checksum"):
        list(articles(path))
    path.write_text('<!DOCTYPE a [<!ENTITY b "c">]><mediawiki><page>&b;</page></mediawiki>')
    with pytest.raises(InputError, match="cannot be read"):
        list(articles(path))
    packed = tmp_path / "enwiki-pages-articles.xml.bz2"
    packed.write_bytes(bz2.compress(b"<mediawiki></mediawiki>")[:-5])
    with pytest.raises(InputError, match="cannot be read"):
        list(articles(packed))


def test_files_are_sorted_by_their_names(tmp_path):
    names = (
        "enwiki-20240101-pages-articles-multistream1.xml-p1p41242.bz2",
        "enwiki-20240101-langlinks.sql.gz",
        "frwiki-latest-pages-articles.xml.bz2",
        "frwiki-latest-pagelinks.sql.gz",
        "frwiki-latest-linktarget.sql",
    )
    for name in (*names, "readme.txt"):
        (tmp_path / name).touch()
    found = sort_files([tmp_path])
    assert set(found) == {"en", "fr"}
    assert [path.name for path in found["en"].pages] == [names[0]]
    assert [path.name for path in found["fr"].linktarget] == [names[4]]
    with pytest.raises(ConfigError, match=r"'notes.txt'; expected the name of a dump file"):
        sort_files([Path("notes.txt")])
    with pytest.raises(UnknownLanguage, match="qqqq"):
        sort_files([Path("qqqqwiki-langlinks.sql")])
