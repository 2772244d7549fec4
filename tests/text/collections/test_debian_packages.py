"""Package descriptions -> items, with small lists in the real format."""

import gzip
import json
from dataclasses import replace

import pytest

from dragoman.errors import InputError
from dragoman.text.collections import apt, build, debian_packages
from dragoman.text.collections.catalogue import BuildRequest, parse_languages
from dragoman.text.collections.debian_packages import parse_description
from dragoman.text.files import Faults
from dragoman.text.formats.plain import read_documents, read_judgments, read_queries


def build_request(lists, languages="en,it", **settings):
    return BuildRequest(languages=parse_languages(languages), lists=lists, **settings)


@pytest.fixture
def collect(tmp_path, no_progress):
    def build_and_read(lists, **settings):
        target = tmp_path / "out"
        manifest = build("debian-packages", build_request(lists, **settings), target, no_progress)
        documents = {d.doc_id: d for d in read_documents(target / "corpus.jsonl.gz", Faults())}
        queries = {q.query_id: q for q in read_queries(target / "queries.jsonl.gz", Faults())}
        grades = {
            (row.query_id, row.doc_id): row.grade
            for row in read_judgments(target / "qrels.tsv.gz", Faults())
        }
        return manifest, documents, queries, grades

    return build_and_read


def test_a_description_is_cut_into_title_and_paragraphs():
    page = parse_description(
        "real-time strategy\n First line of\n running  text.\n .\n Second:\n"
        "  * set apart\n  * as well\n goes on\n * a bullet\n   that\n .\n ."
    )
    assert page.title == "real-time strategy"
    assert page.paragraphs == (
        "First line of running text.",
        "Second:",
        "* set apart",
        "* as well goes on",
        "* a bullet",
        "that",
    )


def test_every_translated_description_is_an_item(collect, write_lists, packages):
    manifest, documents, queries, _ = collect(write_lists(packages))
    assert manifest["aligned"] == {"en-it": 60}
    assert manifest["documents"] == {"en": 60, "it": 60}
    document = documents["it:editor-1"]
    assert (document.title, document.language) == ("rotideo per campioni del tipo 1", "it")
    assert document.text.startswith("Legge campioni della serie 1")
    assert "\nQuesto pacchetto" in document.text
    # the first sentence; of its words "editor" is in the title, "editorcraft" is not
    assert queries["editor-1"].text == "Reads red boxes with editorcraft and shows them to people"
    assert queries["editor-1"].metadata["split"] in ("train", "validation", "test")


def test_untranslated_placeholders_and_strangers_are_dropped(collect, write_lists, packages):
    first, second, third, fourth = packages[:4]
    translations = [
        (first.md5, first),  # still English
        (second.md5, replace(second, title="tradotto", paragraphs=("<trans>", "testo"))),
        ("0" * 32, replace(third, title="di un altro")),  # of a description that is gone
        (fourth.md5, replace(fourth, title="titolo", paragraphs=("Un testo tradotto.",))),
    ]
    manifest, documents, _, _ = collect(write_lists(packages[:4], translations))
    assert manifest["aligned"] == {"en-it": 1}
    assert set(documents) == {f"en:{fourth.name}", f"it:{fourth.name}"}


def test_packages_that_share_a_description_are_one_item_named_by_the_first(
    collect, write_lists, packages
):
    twin = replace(packages[0], name="aaa-twin")
    manifest, documents, _, _ = collect(write_lists([packages[0], twin], [(twin.md5, packages[5])]))
    assert set(documents) == {"en:aaa-twin", "it:aaa-twin"}
    assert manifest["aligned"] == {"en-it": 1}


def test_a_package_with_two_descriptions_gives_two_items(collect, write_lists, packages):
    updated = replace(packages[1], name=packages[0].name)
    translations = [(packages[0].md5, packages[2]), (updated.md5, packages[3])]
    _, documents, _, _ = collect(write_lists([packages[0], updated], translations))
    late = max(packages[0].md5, updated.md5)
    assert {doc_id for doc_id in documents if doc_id.startswith("it:")} == {
        "it:editor-1",
        f"it:editor-1~{late[:8]}",
    }


def test_same_source_and_dependencies_both_ways_are_related(collect, write_lists, packages):
    chosen = [
        packages[0],  # editor-1 and editor-2: same source
        packages[1],
        replace(packages[3], depends="player-1 (>= 1.0), libc6 | libc"),  # viewer-1
        replace(packages[12], depends="libc6, other | viewer-1:any"),  # player-1: and back
        replace(packages[6], depends="viewer-1"),  # compiler-1: one way only
    ]
    _, _, _, grades = collect(write_lists(chosen))
    ones = {pair for pair, grade in grades.items() if grade == 1}
    assert ones == {
        (query, f"it:{other}")
        for query, other in (
            ("editor-1", "editor-2"),
            ("editor-2", "editor-1"),
            ("viewer-1", "player-1"),
            ("player-1", "viewer-1"),
        )
    }
    assert grades["editor-1", "it:editor-1"] == 2
    assert grades["editor-1", "it:compiler-1"] == 0
    assert not any(doc_id.startswith("en:") for _, doc_id in grades)


def test_the_order_of_the_lists_and_the_mirror_do_not_matter(
    tmp_path, no_progress, write_lists, packages
):
    built = []
    for name in ("one", "other"):
        lists = write_lists(packages, folder=f"lists-{name}", mirror=f"{name}.example_debian")
        build("debian-packages", build_request(lists), tmp_path / name, no_progress)
        built.append(
            {
                str(path.relative_to(tmp_path / name)): path.read_bytes()
                for path in sorted((tmp_path / name).rglob("*"))
                if path.is_file() and (name == "one" or path.name != "manifest.json")
            }
        )
        packages.reverse()
    assert built[0].keys() - built[1].keys() == {"manifest.json"}
    assert built[0] | built[1] == built[0]


def test_the_manifest_says_what_decides_the_bytes(tmp_path, write_lists, packages, no_progress):
    lists = write_lists(packages)
    target = tmp_path / "out"
    manifest = build(
        "debian-packages", build_request(lists, seed=7, negatives=3), target, no_progress
    )
    assert json.loads((target / "manifest.json").read_text()) == manifest
    assert (manifest["seed"], manifest["negatives"]) == (7, 3)
    assert manifest["releases"][0]["version"] == "12.1"
    assert {source["file"] for source in manifest["sources"]} == {
        "stable_main_binary-amd64_Packages",
        "stable_main_i18n_Translation-en",
        "stable_main_i18n_Translation-it",
    }
    assert "mirror" not in (target / "manifest.json").read_text()
    with gzip.open(target / "queries.jsonl.gz") as stream:
        assert sum(manifest["queries"].values()) == len(stream.readlines())


def test_a_language_without_a_list_is_answered_with_those_there_are(
    write_lists, packages, tmp_path
):
    lists = write_lists(packages[:3])
    with pytest.raises(InputError, match=r"No list for sk\. Debian offers it, sk\."):
        build("debian-packages", build_request(lists, "en,sk"), tmp_path / "out", lambda *_: None)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("code", "tag", "expected"),
    [("pt", "pt-BR", "pt_BR"), ("pt", "pt", "pt"), ("zh", "zh", "zh_CN"), ("de", "deu", "de")],
)
def test_apt_has_its_own_names_for_languages(code, tag, expected):
    assert debian_packages.apt_code(code, tag) == expected


def test_without_apt_the_message_says_so(monkeypatch, tmp_path, no_progress):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(apt, "SYSTEM_LISTS", tmp_path / "absent")
    with pytest.raises(apt.NoApt, match=r"apt-get was not found .* --lists"):
        build("debian-packages", build_request(None), tmp_path / "out", no_progress)
    assert list(tmp_path.iterdir()) == []


def test_lists_of_the_machine_are_used_where_they_hold_the_languages(
    monkeypatch, tmp_path, write_lists, packages, no_progress
):
    monkeypatch.setenv("PATH", str(tmp_path))  # apt cannot be called
    monkeypatch.setattr(apt, "SYSTEM_LISTS", write_lists(packages[:5]))
    manifest = build("debian-packages", build_request(None), tmp_path / "out", no_progress)
    assert manifest["aligned"] == {"en-it": 5}
