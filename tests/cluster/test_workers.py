"""Encoding and searching on two nodes of a real Ray cluster, one of which is killed meanwhile."""

import pytest

import dragoman
from dragoman.errors import UserError
from dragoman.indexes import build as building
from dragoman.indexes.build import build, extend
from dragoman.indexes.pipeline import BATCH, Pipeline, passages_of
from dragoman.text.files import Faults
from dragoman.text.source import read_documents, read_queries
from dragoman.workers import ray_workers
from dragoman.workers.ray_workers import RayWorkers
from ray_nodes import running_ray

pytestmark = pytest.mark.filterwarnings("default")  # those of Ray are its own
BATCHES = 16
WORDS = {
    "system": "bm25",
    "version": dragoman.__version__,
    "settings": {"translate": False},
}


@pytest.fixture(scope="module")
def nodes():
    with running_ray() as running:
        yield running


@pytest.fixture(scope="module")
def workers(nodes):
    with RayWorkers(nodes.address) as connected:
        assert connected.cores == 2
        yield connected


@pytest.fixture(scope="module")
def documents():
    """The sample's documents in several versions each, a few thousand in twelve languages."""
    from dataclasses import replace

    sample = [*read_documents("sample", Faults())]
    versions = (
        replace(one, doc_id=f"{one.doc_id}-{n}", text=f"{one.text} {n}", title=f"{one.title} {n}")
        for n in range(BATCHES)
        for one in sample
    )
    return [one for _, one in zip(range(BATCHES * BATCH), versions, strict=False)]


@pytest.fixture(scope="module")
def queries():
    return [*read_queries("sample", Faults())]


@pytest.fixture(scope="module")
def plain(documents, tmp_path_factory):
    """The index that one process builds."""
    with build(documents, tmp_path_factory.mktemp("plain") / "index", **WORDS) as index:
        yield index


def stages(after, act):
    """Progress that acts once, when so many passages have been encoded."""
    acted, seen = [], []

    def stage(name, total):
        def advance(steps=1):
            if name in ("indexing passages", "adding passages"):
                seen.append(steps)
                if sum(seen) >= after and not acted:
                    acted.append(True)
                    act()

        return advance

    return stage, acted, seen


def segments(index):
    return [path.read_bytes() for path in sorted(index.folder.glob("store/segments/*.segment"))]


def assert_equal(found, expected, queries):
    assert found.count() == expected.count()
    assert sorted(found.doc_ids()) == sorted(expected.doc_ids())
    assert [*found.rank_all(queries, 100)] == [*expected.rank_all(queries, 100)]
    assert segments(found) == segments(expected)


def test_a_killed_node_changes_nothing(nodes, workers, documents, queries, plain, tmp_path):
    stage, killed, _ = stages(passages_of(documents) // 4, nodes.second.kill)
    with build(documents, tmp_path / "index", stage=stage, workers=workers, **WORDS) as index:
        assert killed
        assert_equal(index, plain, queries)
    nodes.second = nodes.add()


def test_an_interrupted_build_goes_on_on_workers(workers, documents, queries, plain, tmp_path):
    def interrupt():
        raise KeyboardInterrupt

    total = passages_of(documents)
    stage, _, _ = stages(3 * total // 4, interrupt)
    with pytest.raises(KeyboardInterrupt):
        build(documents, tmp_path / "index", stage=stage, workers=workers, **WORDS)
    stage, _, seen = stages(10 * total, interrupt)
    with build(documents, tmp_path / "index", stage=stage, workers=workers, **WORDS) as index:
        assert seen[0] == passages_of(documents[: building.SEGMENT * BATCH])  # not encoded again
        assert_equal(index, plain, queries)


def test_documents_are_added_by_workers(workers, documents, queries, plain, tmp_path):
    few = len(documents) // 2
    with build(documents[:few], tmp_path / "index", **WORDS) as index:
        extend(documents[few // 2 :], index, workers=workers)
        index.optimize()
        assert index.count() == len(documents)
        assert [*index.rank_all(queries, 100)] == [*plain.rank_all(queries, 100)]


def test_workers_rank_as_one_process_does(workers, queries, plain):
    steps = []
    searching = workers.searching(plain, str(plain.folder))
    found = searching.rank_all(queries, 50, plain.scope(["de", "fr"]), lambda: steps.append(1))
    assert [*found] == [*plain.rank_all(queries, 50, plain.scope(["de", "fr"]))]
    assert len(steps) == len(queries)


def test_an_index_that_a_worker_does_not_have_is_named(workers, queries, plain, tmp_path):
    searching = workers.searching(plain, str(tmp_path / "elsewhere"))
    with pytest.raises(UserError, match=r"worker on .*elsewhere: found no manifest.json"):
        next(searching.rank_all(queries, 5))


def test_a_worker_of_another_version_is_named(workers, documents, plain, monkeypatch):
    monkeypatch.setattr(dragoman, "__version__", "0.0.1")
    with (
        Pipeline(plain.system, documents, workers=workers) as pipeline,
        pytest.raises(UserError, match=r"worker on .*found dragoman .*; expected 0\.0\.1"),
    ):
        next(iter(pipeline))


def test_a_batch_that_kills_its_workers_is_an_error(workers, monkeypatch):
    def crash():  # as a fault in compiled code does
        import os

        os._exit(1)

    monkeypatch.setattr(ray_workers, "RETRIES", 0)
    with pytest.raises(UserError, match=r"the workers were lost"):
        workers.submit(crash)()
