import numpy as np
import pytest
from mteb.models.models_protocols import EncoderProtocol, SearchProtocol

from dragoman.encoders.models import UNIVERSAL
from dragoman.integrations.mteb.encoder_model import EncoderModel

pytestmark = pytest.mark.skipif(
    not UNIVERSAL.installed, reason="the default encoder is not installed"
)


@pytest.fixture(scope="module")
def model():
    return EncoderModel()


def test_the_model_keeps_the_protocol_of_mteb(model):
    assert isinstance(model, EncoderProtocol)
    assert not isinstance(model, SearchProtocol)
    assert model.mteb_model_meta.embed_dim == 512


def test_batches_become_rows_in_order(model):
    rows = model.encode([{"text": ["bread", "water"]}, {"text": ["Brot"]}], prompt_type=None)
    assert rows.shape == (3, 512)
    similar = np.asarray(model.similarity(rows, rows))
    assert similar[0, 2] > similar[0, 1]


def test_no_texts_are_no_rows(model):
    assert model.encode([]).shape == (0, 512)
