"""ONNX in eight bits: nearly the model's scores, each input by itself, and measured."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")
pytest.importorskip("onnx", reason="needs onnx to quantise")

from dragoman import registry
from dragoman.errors import DragomanError
from dragoman.systems.semi_interactive import export
from dragoman.systems.semi_interactive.config import SemiInteractiveConfig
from dragoman.systems.semi_interactive.model import load_model
from dragoman.systems.semi_interactive.training import initial_model
from dragoman.types import Query
from toy_relevance import WORDS, save_encoder, toy_examples

EXAMPLES = toy_examples(20, seed=5)
QUICK = SemiInteractiveConfig(max_length=32, layers=2)


@pytest.fixture(scope="module", params=["interactive", "semi-interactive"])
def folder(request, tmp_path_factory):
    root = tmp_path_factory.mktemp("export")
    encoder = save_encoder(root / "encoder", WORDS)
    initial_model(encoder, replace(QUICK, architecture=request.param)).save(root / "model")
    export.export_model(root / "model", EXAMPLES)
    return root / "model"


def test_scores_are_nearly_the_models(folder):
    plain, served = load_model(folder), load_model(folder, served=True)
    assert plain.export is None
    assert served.score_pairs(EXAMPLES) == pytest.approx(plain.score_pairs(EXAMPLES), abs=0.02)
    assert not np.array_equal(served.score_pairs(EXAMPLES), plain.score_pairs(EXAMPLES))


def test_a_result_does_not_depend_on_what_else_is_asked(folder):
    served = load_model(folder, served=True)
    if served.interactive:
        together = served.score_pairs(EXAMPLES)
        assert [served.score_pairs([one])[0] for one in EXAMPLES] == together.tolist()
    else:  # documents are not read by the export
        queries = [one.query for one in EXAMPLES]
        alone = [served.encode_queries([query])[0] for query in queries]
        assert np.array_equal(alone, served.encode_queries(queries))
    assert served.score_pairs([]).shape == (0,)
    assert served.encode_queries([]).shape == (0, served.dimension)


def test_gain_and_loss_are_measured_and_written(folder):
    facts = load_model(folder, served=True).export.facts
    assert facts["examples"] == 20
    times = facts["milliseconds"]
    assert facts["speed_up"] == pytest.approx(times["torch"] / times["int8"])
    assert 0 < facts["largest_difference"] < 0.02
    assert facts["bytes"] == (folder / "onnx" / f"{facts['role']}.onnx").stat().st_size
    assert set(facts["auc"]) == {"torch", "int8"}


def test_systems_serve_by_the_export_and_keep_it(folder, tmp_path):
    model = load_model(folder)
    kind = registry.system(str(model.config.architecture))
    documents = [one.document for one in EXAMPLES]
    system = kind.create(kind.configure({"model": str(folder)}))
    assert system.model.export is not None
    system.save(tmp_path)
    query = Query("q", "thing1", "en")
    again = kind.load(tmp_path)
    assert again.model.export.facts == system.model.export.facts
    scores = system.score(None, query, documents)
    assert np.isfinite(scores).all()
    assert again.score(None, query, documents).tolist() == scores.tolist()


@pytest.mark.parametrize("kind", ["xlm-roberta", "distilbert"])
def test_other_encoders_than_bert_are_exported(tmp_path, kind):
    encoder = save_encoder(tmp_path / "encoder", WORDS, kind=kind)
    initial_model(encoder, replace(QUICK, architecture="interactive")).save(tmp_path / "model")
    report = export.export_model(tmp_path / "model", EXAMPLES)
    assert report.largest_difference < 0.02


def test_a_graph_that_is_wrong_for_other_lengths_is_refused(folder, monkeypatch):
    monkeypatch.setattr(export, "TOLERANCE", -1.0)
    with pytest.raises(DragomanError, match="it cannot be exported"):
        export.export_model(folder, EXAMPLES)
    assert load_model(folder, served=True).export is not None
