import pytest

from dragoman.errors import ConfigError, UnknownName
from dragoman.settings import parse_settings, plain_settings
from dragoman.systems.bags.config import BagSystemConfig, NbowConfig, WassersteinConfig
from dragoman.systems.bags.weighting import Weighting

CONFIGS = (BagSystemConfig, NbowConfig, WassersteinConfig)


@pytest.mark.parametrize("kind", CONFIGS)
@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"vector": []}, UnknownName, "Did you mean 'vectors'"),
        ({"vectors": "en"}, ConfigError, "vectors must be a list of folders"),
        ({"weighting": "idff"}, UnknownName, "Did you mean 'idf'"),
        ({"stop": "all"}, UnknownName, "Unknown stop 'all'"),
        ({"first": 0}, ConfigError, "first 1 or more"),
        ({"misspelt": -1}, ConfigError, "misspelt must be 0 or more"),
        ({"misspelt": 1}, ConfigError, "expected folders of word vectors"),
        ({"collapse": True}, ConfigError, "expected folders of word vectors"),
    ],
)
def test_settings_of_all_bags_are_checked(kind, settings, error, message):
    with pytest.raises(error, match=message):
        parse_settings(kind, settings)


@pytest.mark.parametrize(
    ("kind", "settings", "error", "message"),
    [
        (NbowConfig, {"distance": "cosin"}, UnknownName, "Did you mean 'cosine'"),
        (NbowConfig, {"epsilon": 0.1}, UnknownName, "Unknown setting 'epsilon'"),
        (WassersteinConfig, {"epsilon": 0}, ConfigError, "epsilon must be above 0"),
        (WassersteinConfig, {"lambda": 1}, UnknownName, "Unknown setting 'lambda'"),
    ],
)
def test_settings_of_one_system_are_checked(kind, settings, error, message):
    with pytest.raises(error, match=message):
        parse_settings(kind, settings)


@pytest.mark.parametrize("kind", CONFIGS)
def test_saved_settings_are_read_again(kind, tmp_path):
    config = kind(vectors=(tmp_path,), misspelt=1, weighting=Weighting.TF)
    assert parse_settings(kind, plain_settings(config)) == config
