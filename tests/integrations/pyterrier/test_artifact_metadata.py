from dragoman.integrations.pyterrier.artifact_metadata import artifact_metadata


def test_a_listing_of_an_index_is_recognised():
    listing = ["manifest.json", "checksums.json", "store", "system"]
    assert artifact_metadata("x", listing)["format"] == "dragoman"


def test_any_other_listing_is_not():
    assert artifact_metadata("x", ["manifest.json"]) is None
