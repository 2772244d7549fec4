from dragoman.storage.digests import file_sha256


def test_the_digest_is_that_of_the_content(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"abc")  # the first example of FIPS 180-2
    assert file_sha256(path).startswith("ba7816bf8f01cfea")
