import pytest
import yaml

from dragoman.errors import InputError
from dragoman.runs.metadata import (
    merged,
    metadata_path,
    own_fields,
    read_metadata,
    request_of,
    run_metadata,
    write_metadata,
)
from dragoman.runs.request import RunRequest

REQUEST = RunRequest("index", "queries.jsonl")


@pytest.fixture
def signature(tmp_path):
    return {
        "dragoman": "0.2.0",
        "request": REQUEST.as_fields(tmp_path),
        "index": {"system": "psq", "settings": {"k1": 1.2}},
    }


def test_the_components_of_the_schema_are_there(signature):
    metadata = run_metadata(REQUEST, "tag", signature, {}, {})
    components = {"platform", "implementation", "data", "method", "tag"}
    assert components <= metadata.keys()
    assert metadata["platform"]["hardware"]["cpu"]["number of cores"] >= 1
    assert metadata["method"]["retrieval"][0]["name"] == "psq"
    assert any(one.startswith("numpy==") for one in libraries(metadata))


def libraries(metadata):
    return metadata["platform"]["software"]["libraries"]["python"]


def test_fields_of_the_user_are_merged(signature):
    own = {"actor": {"team": "Nile"}, "method": {"automatic": False}}
    metadata = run_metadata(REQUEST, "tag", signature, {}, own)
    assert metadata["actor"] == {"team": "Nile"}
    assert metadata["method"]["automatic"] is False
    assert metadata["method"]["score ties"]


def test_metadata_are_read_back_by_any_yaml_reader(tmp_path, signature):
    path = metadata_path(tmp_path / "run.trec")
    metadata = run_metadata(REQUEST, "tag", signature, {}, {})
    write_metadata(path, metadata)
    assert path.name == "run.trec.ir_metadata.yml"
    assert "&" not in path.read_text()
    assert yaml.safe_load(path.read_text()) == metadata == read_metadata(path)


def test_components_of_the_user_are_told_from_those_of_the_command(tmp_path, signature):
    run = tmp_path / "run.trec"
    facts = {"resources": {"runtime": {"wallclock": "1 ms"}}, "tracker": "tirex-tracker==0.2"}
    own = {"actor": {"team": "Nile"}, "research goal": {"description": "x"}}
    write_metadata(metadata_path(run), run_metadata(REQUEST, "tag", signature, facts, own))
    assert own_fields(run) == own


def test_merging_prefers_the_second():
    assert merged({"a": {"b": 1, "c": 2}}, {"a": {"b": 3}, "d": 4}) == {
        "a": {"b": 3, "c": 2},
        "d": 4,
    }


@pytest.mark.parametrize(
    ("text", "found"), [("a: &x 1\nb: *x\n", "alias"), ("a: [", "no YAML"), ("- 1\n", "no fields")]
)
def test_what_is_no_metadata_is_refused(tmp_path, text, found):
    path = tmp_path / "m.yml"
    path.write_text(text)
    with pytest.raises(InputError, match=found):
        read_metadata(path)


def test_a_run_without_metadata_or_signature_cannot_be_repeated(tmp_path):
    run = tmp_path / "run.trec"
    with pytest.raises(InputError, match="expected the metadata that `dragoman run` writes"):
        request_of(run)
    metadata_path(run).write_text("tag: x\n")
    with pytest.raises(InputError, match="no request of `dragoman run`"):
        request_of(run)
