import pytest
from lexical_examples import saved_lexicons


@pytest.fixture(scope="session")
def lexicons(tmp_path_factory):
    return saved_lexicons(tmp_path_factory.mktemp("lexicons"))
