"""The whole pre-training: files in, a folder out, stopped and gone on with."""

import json
import os
import signal
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("transformers", reason="needs the extra neural")

from dragoman.encoders.sentence_encoder import SentenceEncoder
from dragoman.encoders.transformer import load_transformer
from dragoman.errors import ConfigError
from dragoman.protocols import no_progress
from dragoman.training.log import read_log
from dragoman.training.pretraining.config import PretrainInit
from dragoman.training.pretraining.pipeline import run_pipeline
from dragoman.training.trainer import Interrupted
from toy_pretraining import BODIES, CONFIG, toy_bitext


class Lengths(SentenceEncoder):
    """A teacher that counts letters."""

    name, dimension, languages = "lengths", 3, frozenset()
    signature = space = "lengths:1"

    def encode(self, texts, advance=no_progress):
        advance(len(texts))
        return np.array([[1, len(text), text.count("a")] for text in texts], dtype=np.float32)


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sources")
    bitext = toy_bitext()
    (folder / "bitext").mkdir()
    for group, name in enumerate(bitext.names):
        with (folder / "bitext" / f"{name}.tsv").open("w") as stream:
            for row in np.flatnonzero(bitext.groups == group):
                stream.write(f"{bitext.firsts[row]}\t{bitext.seconds[row]}\n")
    collection = folder / "library"
    collection.mkdir()
    with (collection / "corpus.jsonl").open("w") as stream:
        for number, text in enumerate(BODIES):
            stream.write(json.dumps({"_id": f"d{number}", "text": text, "lang": "en"}) + "\n")
    (collection / "queries.jsonl").write_text('{"_id": "q", "text": "asked", "lang": "en"}\n')
    return [folder / "bitext"], [str(collection)]


def run(sources, output, *, config=CONFIG, **options):
    bitext, collections = sources
    return run_pipeline(bitext, config, output, collections=collections, **options)


def ctrl_c_in(name, step):
    """A ``Stage`` that presses Ctrl-C during a step of the stage of that name."""

    def stage(began, total, /):
        done = 0

        def advance(steps=1):
            nonlocal done
            done += steps
            if began == name and done == step:
                os.kill(os.getpid(), signal.SIGINT)

        return advance

    return stage


@pytest.fixture(scope="module")
def whole(sources, tmp_path_factory):
    output = tmp_path_factory.mktemp("whole") / "encoder"
    return output, run(sources, output)


def test_the_folder_is_an_encoder_and_the_report_says_how_it_was_made(whole):
    output, report = whole
    encoder = load_transformer(output)
    assert encoder.layers == 2
    assert len(encoder.tokenizer) == report["vocabulary"]
    assert set(report["retrieval"]) == {"en-sw", "en-xx"}
    assert report["pairs"]["held out"] == sum(one["pairs"] for one in report["retrieval"].values())
    assert report["collections"] == ["library"]
    assert report["pieces"] >= 3
    saved = json.loads((output / "pretraining.json").read_text())
    assert saved.pop("format") == "dragoman-pretraining"
    assert saved.pop("version") == 1
    assert saved == json.loads(json.dumps(report))
    assert [line["epoch"] for line in read_log(output / "log.jsonl")] == [1, 2]
    assert not list(output.parent.glob(".*"))


def test_the_same_files_and_seed_give_the_same_bytes(whole, sources, tmp_path):
    run(sources, tmp_path / "again")
    for name in ("model.safetensors", "tokenizer.json", "config.json"):
        assert (tmp_path / "again" / name).read_bytes() == (whole[0] / name).read_bytes()


@pytest.mark.parametrize(("name", "step"), [("token vectors", 2), ("training", 1), ("training", 8)])
def test_stopped_and_called_again_it_ends_with_the_same_bytes(whole, sources, tmp_path, name, step):
    with pytest.raises(Interrupted):
        run(sources, tmp_path / "cut", stage=ctrl_c_in(name, step))
    assert not (tmp_path / "cut").exists()
    run(sources, tmp_path / "cut")
    found = (tmp_path / "cut" / "model.safetensors").read_bytes()
    assert found == (whole[0] / "model.safetensors").read_bytes()


def test_other_settings_do_not_go_on_with_it_and_restart_forgets_it(sources, tmp_path):
    with pytest.raises(Interrupted):
        run(sources, tmp_path / "cut", stage=ctrl_c_in("training", 3))
    other = replace(CONFIG, train=replace(CONFIG.train, learning_rate=0.02))
    with pytest.raises(ConfigError, match=r"began with train .*0\.0003.*; now it is .*0\.02"):
        run(sources, tmp_path / "cut", config=other)
    report = run(sources, tmp_path / "cut", config=other, restart=True)
    assert report["settings"]["train"]["learning_rate"] == 0.02


def test_a_tokenizer_of_other_settings_is_not_gone_on_with(sources, tmp_path):
    def full_disk(name, total, /):
        if name == "initial vectors":
            raise OSError("no space left")
        return no_progress

    with pytest.raises(OSError, match="no space left"):
        run(sources, tmp_path / "cut", stage=full_disk)
    smaller = replace(CONFIG, encoder=replace(CONFIG.encoder, pieces=100))
    with pytest.raises(ConfigError, match="Resume with the old setting, or start again"):
        run(sources, tmp_path / "cut", config=smaller)
    assert run(sources, tmp_path / "cut")["vocabulary"] == 150


def test_other_texts_do_not_go_on_with_it(sources, tmp_path):
    with pytest.raises(Interrupted):
        run(sources, tmp_path / "cut", stage=ctrl_c_in("training", 3))
    with pytest.raises(ConfigError, match="began with bodies 3; now it is 0"):
        run((sources[0], []), tmp_path / "cut")
    changed = tmp_path / "en-sw.tsv"
    changed.write_text((sources[0][0] / "en-sw.tsv").read_text().replace("water", "waters"))
    with pytest.raises(ConfigError, match="began with texts"):
        run(([changed, sources[0][0] / "en-xx.tsv"], sources[1]), tmp_path / "cut")


def test_plain_texts_are_read_up_to_a_number(sources, tmp_path):
    report = run(sources, tmp_path / "encoder", config=replace(CONFIG, plain_texts=0))
    assert report["pieces"] == 0
    assert report["epochs"] == 2


@pytest.mark.parametrize("first", [PretrainInit.RANDOM, PretrainInit.SHARED])
def test_it_can_begin_with_other_vectors(sources, tmp_path, first):
    report = run(sources, tmp_path / "encoder", config=replace(CONFIG, first=first))
    assert report["settings"]["first"] == first
    assert load_transformer(tmp_path / "encoder").dimension == 16


def test_a_teacher_changes_what_is_learnt_and_is_not_saved(whole, sources, tmp_path):
    report = run(sources, tmp_path / "taught", teacher=Lengths())
    assert report["teacher"] == "lengths"
    found = (tmp_path / "taught" / "model.safetensors").read_bytes()
    plain = (whole[0] / "model.safetensors").read_bytes()
    assert len(found) == len(plain)
    assert found != plain
