import pytest


@pytest.mark.parametrize(
    ("path", "host"),
    [("/", ""), ("/v1/search?query=tide", ""), ("/v1/none", ""), ("/v1/health", "evil.example")],
)
def test_every_answer_and_every_refusal_is_guarded(client, path, host):
    headers = client.get(path, headers={"Host": host} if host else {}).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["X-Request-Id"]


def test_answers_of_the_api_are_not_cached(client):
    assert client.get("/v1/indexes").headers["Cache-Control"] == "no-store"
    assert client.get("/").headers.get("Cache-Control") != "no-store"
