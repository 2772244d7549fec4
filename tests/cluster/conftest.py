import pytest

from qdrant_nodes import running_cluster, three_nodes


@pytest.fixture(scope="session")
def nodes(tmp_path_factory):
    """Three nodes for all tests."""
    with running_cluster(three_nodes(tmp_path_factory.mktemp("cluster"))) as running:
        yield running


@pytest.fixture
def cluster(nodes):
    """The three nodes, all running and empty, whatever the test before has done."""
    nodes.start_all()
    nodes.remove_collections()
    return nodes
