import os

import pytest

from dragoman.service.config import ServiceConfig
from dragoman.service.tasks import spool as spool_module
from dragoman.service.tasks import uploads
from service_tasks import leftovers, upload, wait
from small_service import small_service

LETTER = b"The meeting about the harbour is on Thursday."


def test_files_are_searchable_when_their_task_is_done(client):
    answer = upload(client, ("letters/may.txt", LETTER), ("note.md", b"# Boats\n\nTwo boats."))
    task = answer.json()["task"]
    assert (answer.status_code, task["kind"], task["total"]) == (202, "files", 2)
    task = wait(client, answer)
    assert (task["state"], task["added"], task["errors"]) == ("done", 2, [])
    hit = client.get("/v1/search?query=harbour&language=en").json()["hits"][0]
    assert hit["id"] == "uploads/letters/may.txt"
    assert leftovers(client) == []


@pytest.mark.parametrize(
    "name",
    ["../../../escaped.txt", "/etc/escaped.txt", "..\\..\\escaped.txt", "C:\\x\\escaped.txt"],
)
def test_no_name_leaves_the_uploads(client, name):
    wait(client, upload(client, (name, b"This has escaped: " + name.encode())))
    ids = [one["id"] for one in client.get("/v1/documents?limit=200").json()["documents"]]
    escaped = [one for one in ids if "escaped" in one]
    assert escaped
    assert all(one.startswith("uploads/") and ".." not in one for one in escaped)


def test_an_upload_is_replaced_on_request(client):
    for text in (b"The first text of it.", b"The second text of it."):
        wait(client, upload(client, ("same.txt", text), query="?replace=true"))
    document = client.get("/v1/documents/uploads/same.txt").json()
    assert document["text"] == "The second text of it."


def test_stored_scripts_stay_text(client):
    text = b"<script>alert('x')</script><b>bold</b>"
    wait(client, upload(client, ("script.txt", text)))
    document = client.get("/v1/documents/uploads/script.txt")
    assert document.json()["text"] == text.decode()
    assert document.headers["X-Content-Type-Options"] == "nosniff"


def test_a_broken_file_is_an_error_of_its_own(client):
    task = wait(client, upload(client, ("a.pdf", b"%PDF-1.4 broken"), ("b.bin", b"\0\1\2" * 99)))
    assert task["state"] == "done"
    assert [one["file"] for one in task["errors"]] == ["b.bin", "a.pdf"]


def form(*parts, end=b"--x--\r\n"):
    body = b"".join(b"--x\r\n" + part + b"\r\n" for part in parts)
    return body + end


FILE = b'Content-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\ntext'
FIELD = b'Content-Disposition: form-data; name="other"\r\n\r\ntext'
MULTIPART = "multipart/form-data; boundary=x"


@pytest.mark.parametrize(
    ("content_type", "body", "status", "code"),
    [
        (MULTIPART, form(FIELD), 422, "no_files"),
        (MULTIPART, form(end=b"--x--\r\n"), 422, "no_files"),
        (MULTIPART, b"", 400, "broken_form"),
        (MULTIPART, b"no form at all", 400, "broken_form"),
        (MULTIPART, form(FILE, end=b""), 400, "broken_form"),
        (MULTIPART, form(FILE)[:60], 400, "broken_form"),
        (MULTIPART, form(b"X" * 10_000 + b": a\r\n\r\ntext"), 400, "broken_form"),
        (MULTIPART, form(b"A: b\r\n" * 100 + b"\r\ntext"), 400, "broken_form"),
        ("multipart/form-data", form(FILE), 400, "broken_form"),
        ("multipart/form-data; boundary=" + "x" * 300, form(FILE), 400, "broken_form"),
        ("application/json", b"{}", 415, "wrong_content_type"),
        ("text/plain", b"text", 415, "wrong_content_type"),
    ],
)
def test_a_wrong_form_is_a_problem_and_leaves_nothing(client, content_type, body, status, code):
    headers = {"Content-Type": content_type}
    answer = client.post("/v1/files", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert leftovers(client) == []


def test_too_many_files_are_refused(client, monkeypatch):
    monkeypatch.setattr(uploads, "MOST_FILES", 3)
    files = [(f"{n}.txt", b"a") for n in range(4)]
    answer = upload(client, *files)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_many_files")
    assert leftovers(client) == []


def test_too_many_fields_are_refused(client, monkeypatch):
    monkeypatch.setattr(uploads, "MOST_PARTS", 3)
    answer = client.post(
        "/v1/files", content=form(*[FIELD] * 4, FILE), headers={"Content-Type": MULTIPART}
    )
    assert (answer.status_code, answer.json()["code"]) == (413, "too_many_files")


def test_an_upload_that_is_too_large_is_refused_and_leaves_nothing(tmp_path):
    with small_service(tmp_path, ServiceConfig(upload_bytes=100_000)) as client:
        answer = upload(client, ("a.txt", b"a" * 200_000))
        assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")

        def pieces():
            yield b"--x\r\n" + FILE
            for _ in range(100):
                yield b"a" * 10_000

        headers = {"Content-Type": MULTIPART}
        answer = client.post("/v1/files", content=pieces(), headers=headers)
        assert answer.status_code == 413
        assert leftovers(client) == []


def test_a_full_disk_is_said_so_and_leaves_nothing(client, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(spool_module, "RESERVE", 1 << 60)
        answer = upload(client, ("a.txt", b"text"))
    assert (answer.status_code, answer.json()["code"]) == (507, "disk_full")
    assert leftovers(client) == []
    assert wait(client, upload(client, ("a.txt", LETTER)))["state"] == "done"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_disk_that_fills_while_it_is_written_leaves_nothing(client, monkeypatch):
    real = spool_module.SpoolWriter.open_file

    def full(self, name):
        real(self, name)
        self._stream.close()
        self._stream = open("/dev/full", "wb", buffering=0)  # noqa: SIM115

    with monkeypatch.context() as patch:
        patch.setattr(spool_module.SpoolWriter, "open_file", full)
        answer = upload(client, ("a.txt", b"text"))
    assert (answer.status_code, answer.json()["code"]) == (507, "disk_full")
    assert leftovers(client) == []
