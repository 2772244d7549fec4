"""``dragoman train searcher``, then index, search and explain."""

import gzip
import json

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from commands import run
from dragoman.errors import ConfigError, UnknownName
from toy_bitext import sentences

QUICK = ["--epochs", "8", "--batch", "16", "--learning-rate", "0.03", "--size", "16"]


@pytest.fixture(scope="module")
def bitext(tmp_path_factory):
    path = tmp_path_factory.mktemp("bitext") / "en-sw.tsv.gz"
    with gzip.open(path, "wt", encoding="utf-8") as stream:
        stream.writelines(f"{english}\t{swahili}\ttoy\n" for english, swahili in sentences(300))
    return path


def test_trained_indexed_searched_and_explained(bitext, tmp_path):
    model, index = tmp_path / "model", tmp_path / "index"
    printed = run("train", "searcher", bitext, "--languages", "en-sw", "-o", model, *QUICK,
               "--blocks", 1)  # fmt: skip
    assert "terms of 270 pairs" in printed
    assert "on 30 held-out pairs" in printed
    assert "calibration error" in printed
    documents = tmp_path / "documents.jsonl"
    texts = {"river": "Maji ya mto. Mvua na bahari.", "kitchen": "Mkate na chumvi. Yai moja."}
    with documents.open("w", encoding="utf-8") as stream:
        for name, text in texts.items():
            stream.write(json.dumps({"_id": name, "text": text, "lang": "sw"}) + "\n")
    run("index", documents, "-o", index, "--system", "searcher", "--model", model)
    answer = json.loads(run("search", index, "bread", "-k", 2, "--query-language", "en", "--json"))
    scores = {hit["id"]: hit["score"] for hit in answer["hits"]}
    assert scores["kitchen"] > 0.5 > scores["river"]
    why = json.loads(run("explain", index, "bread", "kitchen", "--query-language", "en", "--json"))
    assert why["links"][0]["query_word"] == "bread"
    assert why["links"][0]["document_word"] in texts["kitchen"]


def test_the_report_is_json_and_pre_training_is_logged(bitext, tmp_path):
    printed = run("train", "searcher", bitext, "--languages", "en-sw", "-o", tmp_path / "m",
               "--json", "--epochs", 1, "--size", 16, "--blocks", 1, "--pretrain",
               "--pretrain-epochs", 1,
               "--pooling", "max")  # fmt: skip
    report = json.loads(printed)
    assert report["settings"]["model"]["pooling"] == "max"
    assert report["settings"]["pretrain"]["train"]["epochs"] == 1
    assert (tmp_path / "m" / "pretraining.jsonl").is_file()


def test_wrong_options_are_refused(bitext, tmp_path):
    with pytest.raises(UnknownName, match="Did you mean 'softmax'"):
        run("train", "searcher", bitext, "--languages", "en-sw", "-o", tmp_path / "m",
            "--pooling", "softmaxx")  # fmt: skip
    with pytest.raises(ConfigError, match="expected two languages"):
        run("train", "searcher", bitext, "--languages", "en-en", "-o", tmp_path / "m")
