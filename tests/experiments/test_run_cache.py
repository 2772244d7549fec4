"""Results as JSON files."""

from dragoman.experiments.run_cache import as_json, load_result, save_result


def test_a_result_is_reused_while_the_expected_fields_are_the_same(tmp_path):
    path = tmp_path / "runs" / "a.json"
    settings = {"sizes": (1, 2)}
    assert load_result(path, {"settings": settings}) is None
    save_result(path, {"settings": settings, "value": 0.5})
    assert load_result(path, {"settings": settings}) == {
        "settings": as_json(settings),
        "value": 0.5,
    }
    assert load_result(path, {"settings": {"sizes": (1, 3)}}) is None
    assert load_result(path, {"settings": settings, "data": "x"}) is None
