import json

import pytest

from dragoman.errors import InputError
from dragoman.storage.facts import Format

MODEL = Format("toy-model", 2, "'dragoman train toy'")


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "model.json"
    MODEL.write(path, {"size": 3, "words": ["été"]})
    assert MODEL.read(path) == {"size": 3, "words": ["été"]}


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "no facts"),
        ("{", "no facts"),
        ("[1]", "found list"),
        (json.dumps({"size": 3}), "format None version None"),
        (json.dumps({"format": "toy-model", "version": 1}), "format 'toy-model' version 1"),
    ],
)
def test_anything_else_is_refused_with_its_writer(tmp_path, content, complaint):
    path = tmp_path / "model.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(InputError, match=complaint) as raised:
        MODEL.read(path)
    assert "'toy-model' version 2, written by 'dragoman train toy'" in str(raised.value)
