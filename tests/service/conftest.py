"""The small service that tests of the API share."""

import pytest

from small_service import small_service


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with small_service(tmp_path_factory.mktemp("service")) as opened:
        yield opened
