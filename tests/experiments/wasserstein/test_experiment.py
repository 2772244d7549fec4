"""The whole experiment of Balikas et al. 2018 on a collection that is made up here."""

import gzip
import json
import re
from dataclasses import replace

import numpy as np
import pytest

from dragoman.embeddings.normalization import WordTokenizer
from dragoman.errors import InputError
from dragoman.experiments.wasserstein.experiment import WassersteinExperiment, reproduce
from dragoman.experiments.wasserstein.paired_documents import paired_documents, text_statistics
from dragoman.experiments.wasserstein.report import report
from dragoman.experiments.wasserstein.resources import PairResources
from dragoman.experiments.wasserstein.runs import (
    RankRun,
    TableSystem,
    table_systems,
    variant_systems,
)
from dragoman.protocols import no_progress
from dragoman.text.collection import Collection

ENGLISH = [
    "water",
    "bread",
    "house",
    "horse",
    "river",
    "table",
    "window",
    "garden",
    "letter",
    "summer",
    "winter",
    "mountain",
]
FRENCH = [
    "eau",
    "pain",
    "maison",
    "cheval",
    "rivière",
    "table",
    "fenêtre",
    "jardin",
    "lettre",
    "été",
    "hiver",
    "montagne",
]
ITEMS = 24


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(5)
    documents, queries, lines = [], [], []
    for number in range(ITEMS):
        words = rng.integers(0, len(ENGLISH), 8).tolist()
        texts = {
            "en": " ".join(ENGLISH[w] for w in words),
            "fr": " ".join(FRENCH[w] for w in words),
        }
        documents += [
            {"_id": f"{code}:{number}", "text": text, "lang": code} for code, text in texts.items()
        ]
        split = ("train", "train", "test", "validation")[number % 4]
        queries.append(
            {"_id": str(number), "text": ENGLISH[words[0]], "lang": "en", "split": split}
        )
        if split == "train":
            lines += [
                f"{ENGLISH[w]} {ENGLISH[v]}\t{FRENCH[w]} {FRENCH[v]}" for w in words for v in words
            ]
    for name, rows in {"corpus": documents, "queries": queries}.items():
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n0\tfr:0\t2\n")
    (tmp_path / "bitext").mkdir()
    with gzip.open(tmp_path / "bitext" / "en-fr.tsv.gz", "wt", encoding="utf-8") as stream:
        stream.write("\n".join(lines) + "\n")
    return tmp_path


def pairs(folder, count=500):
    return paired_documents(Collection.open(folder), "en", "fr", WordTokenizer(), count)


def test_training_items_are_never_queries(folder):
    found = pairs(folder)
    assert len(found.test) == len(found.training) == ITEMS // 2
    assert not set(found.test) & set(found.training)
    assert {item: next(iter(right)) for item, right in found.judgments(1).items()} == {
        item: f"fr:{item}" for item in found.test
    }


def test_fewer_items_are_a_part_of_more(folder):
    assert set(pairs(folder, 3).test) < set(pairs(folder, 6).test)


def test_statistics_count_words_of_the_test_documents(folder):
    texts = text_statistics(pairs(folder), 0, WordTokenizer())
    assert (texts.documents, texts.words) == (12, 96)
    assert texts.vocabulary <= len(ENGLISH)


def test_excerpts_are_the_first_words_of_both_sides(folder):
    whole = pairs(folder)
    cut = whole.excerpts(3)
    assert cut.training == whole.training
    for item, (english, french) in cut.test.items():
        assert english.text.split() == whole.test[item][0].text.split()[:3]
        assert len(french.text.split()) == 3
        assert (english.doc_id, french.language) == (f"en:{item}", "fr")


def test_a_collection_without_the_languages_is_refused(folder):
    with pytest.raises(InputError, match="0 test and 0 training items in en and de"):
        paired_documents(Collection.open(folder), "en", "de", WordTokenizer())


def test_a_variant_that_needs_the_encoder_has_no_row_without_it(tmp_path, monkeypatch):
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path))
    folders = {"en": tmp_path / "en", "fr": tmp_path / "fr"}
    rows = variant_systems(PairResources(folders, tmp_path, tmp_path), "en", "fr")
    assert not any("sentence encoder" in row.label for row in rows)


def test_a_variant_of_the_oov_protocol_lacks_one_of_its_rules(tmp_path):
    folders = {"en": tmp_path / "en", "fr": tmp_path / "fr"}
    resources = PairResources(folders, tmp_path, tmp_path)
    named = {row.label: row.settings for row in table_systems(resources, "en", "fr")}
    named |= {row.label: row.settings for row in variant_systems(resources, "en", "fr")}
    whole = {**named["Entro_Wass idf+"], "collapse": True, "misspelt": 1}
    substitutes, spellings = (
        {"weighting": "idf", **named[f"Entro_Wass idf+, {rule} alone"]}
        for rule in ("substitutes", "shared spellings")
    )
    assert substitutes == {**whole, "collapse": False}
    assert spellings == {**whole, "misspelt": 0}


def test_all_21_rows_in_both_directions(folder, tmp_path):
    plan = WassersteinExperiment(
        collection=folder,
        cache=tmp_path / "cache",
        items=6,
        topics=2,
        sweeps=10,
        with_lambdas=True,
        words=7,
    )
    result = reproduce(plan, "fr", lambda name, total: no_progress)
    assert [len(rows) for rows in result.directions] == [21, 21]
    for rows in result.directions:
        by_label = {row.system.label: row for row in rows}
        assert by_label["Entro_Wass idf+"].reciprocal_rank > 0.9
        assert all(np.isfinite(1 / row.ranks).all() for row in rows)
    text = report([result], "dragoman reproduce wasserstein X", plan.facts)
    assert "| Entro_Wass idf+ |" in text
    # the paper's En -> Fr retrieves English documents: its figure is beside fr-en, the second
    assert re.search(r"\| Entro_Wass idf\+ \|[^|]*\(0\.887\) \|[^|]*\(0\.875\) \|", text)
    assert "the first 7 words of each" in text
    assert text.startswith("## Wasserstein retrieval (Balikas et al. 2018)\n")
    assert "### Figure 1: where the words of a query move" in text
    assert "by lambda" in text
    assert text.count("| Transport is above averages of word vectors | MRR |") == 1
    assert "| nBOW idf+ by cosine |" in text
    variants = text.partition("### Variants")[2]
    assert variants.index("| Entro_Wass idf |") < variants.index("substitutes alone")


def test_words_that_are_rare_in_training_have_no_vector(folder, tmp_path):
    """Distinct lines have most words 24 times, two of them 22 times."""
    plan = WassersteinExperiment(
        collection=folder, cache=tmp_path / "cache", items=6, topics=2, sweeps=10
    )
    whole, fewer = (
        reproduce(replace(plan, min_count=count), "fr", lambda name, total: no_progress)
        for count in (1, 23)
    )
    for more, less in zip(whole.coverage, fewer.coverage, strict=True):
        assert more.covered == 1
        assert 0 < less.vectors < more.vectors
        assert less.covered < 1
    assert "words seen less than 23 times" in " ".join(replace(plan, min_count=23).facts)
    assert "no vector" not in " ".join(plan.facts)


def test_sections_of_other_data_have_other_headings():
    text = report([], "dragoman reproduce wasserstein X", [], "general-vectors")
    assert text.startswith("## Wasserstein retrieval (Balikas et al. 2018): general-vectors\n")


def test_a_document_that_was_not_retrieved_counts_nothing():
    run = RankRun(TableSystem("", "", "", {}), "en", "fr", np.array([1.0, 2.0, np.inf, 4.0]))
    assert run.reciprocal_rank == pytest.approx((1 + 0.5 + 0 + 0.25) / 4)
    assert run.first == 0.25
    assert run.interval.low <= run.reciprocal_rank <= run.interval.high


def test_a_missing_bitext_is_reported(folder, tmp_path):
    plan = WassersteinExperiment(collection=folder, cache=tmp_path / "cache", bitext=tmp_path)
    with pytest.raises(InputError, match=r"no en-fr\.tsv\.gz"):
        reproduce(plan, "fr", lambda name, total: no_progress)
