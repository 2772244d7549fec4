import mailbox
from email.message import EmailMessage

import pytest

from dragoman.text.readers.contents import FileText, Member, NoTextInFile, Section, UnreadableFile
from dragoman.text.readers.formats import mail
from file_contents import contents, contents_of_damaged, texts


def message(subject="Brot für Jürgen", text="Grüße\n"):
    one = EmailMessage()
    one["From"] = "A. Bäcker <a@example.org>"
    one["To"] = "b@example.org"
    one["Subject"] = subject
    one["Date"] = "Fri, 01 Mar 2024 12:30:00 +0100"
    one["Message-ID"] = "<1@example.org>"
    one.set_content(text)
    return one


def written(path, one):
    path.write_bytes(one if isinstance(one, bytes) else one.as_bytes())
    return path


def attached(found):
    """Names and bytes of what is attached; the copies are removed."""
    members = [one for one in found if isinstance(one, Member)]
    result = {one.name: one.path.read_bytes() for one in members}
    for one in members:
        one.path.unlink()
    return result


def test_a_message_has_its_subject_headers_and_text(tmp_path):
    begun, *_ = found = contents(written(tmp_path / "a.eml", message()), "eml")
    assert begun.title == "Brot für Jürgen"
    assert begun.metadata == {
        "from": '"A. Bäcker" <a@example.org>',
        "to": "b@example.org",
        "message-id": "<1@example.org>",
        "date": "2024-03-01T12:30:00+01:00",
    }
    assert texts(found) == ["Grüße"]


def test_plain_text_is_preferred_and_html_is_read_where_it_is_alone(tmp_path):
    both = message()
    both.add_alternative("<p>HTML</p>", subtype="html")
    assert texts(contents(written(tmp_path / "a.eml", both), "eml")) == ["Grüße"]
    alone = message()
    alone.set_content("<h1>Kopf</h1><p>Grüße <b>fett</b></p>", subtype="html")
    assert texts(contents(written(tmp_path / "b.eml", alone), "eml")) == ["Kopf\n\nGrüße fett"]


def test_attachments_are_files_of_their_own_whose_names_lead_nowhere(tmp_path):
    one = message()
    one.add_attachment(b"bytes", maintype="application", subtype="pdf", filename="../../ä.pdf")
    one.add_attachment(b"other", maintype="application", subtype="x")
    one.add_attachment(message("Inner", "inside"))
    found = attached(contents(written(tmp_path / "a.eml", one), "eml"))
    assert list(found) == [".._.._ä.pdf", "attachment-2", "attachment-3.eml"]
    assert found[".._.._ä.pdf"] == b"bytes"
    assert b"Subject: Inner" in found["attachment-3.eml"]


@pytest.mark.parametrize(
    ("charset", "encoding"),
    [("iso-8859-1", "latin-1"), ("koi8-r", "koi8-r"), ("klingon", "utf-8"), ("", "utf-8")],
)
def test_the_declared_charset_is_honoured(charset, encoding, tmp_path):
    text = "Grüße aus der Bäckerei" if encoding != "koi8-r" else "Хлеб"
    head = f"Subject: x\nContent-Type: text/plain; charset={charset}\n\n".encode()
    path = written(tmp_path / "a.eml", head + text.encode(encoding))
    assert texts(contents(path, "eml")) == [text]


def test_a_mailbox_has_a_text_for_every_message(tmp_path):
    path = tmp_path / "a.mbox"
    box = mailbox.mbox(path)
    for number in (1, 2):
        one = message(f"Nr. {number}", f"Text {number}\nFrom here on\n")
        one.add_attachment(b"x", maintype="application", subtype="x", filename="x.bin")
        box.add(one)
    box.flush()
    box.close()
    before = path.read_bytes()
    found = contents(path, "mbox")
    assert [(one.name, one.title) for one in found if hasattr(one, "title")] == [
        ("message-1", "Nr. 1"),
        ("message-2", "Nr. 2"),
    ]
    assert [*attached(found)] == ["message-1/x.bin", "message-2/x.bin"]
    assert [s.text.split("\n")[0] for s in found if isinstance(s, Section)] == ["Text 1", "Text 2"]
    assert path.read_bytes() == before


def test_a_mailbox_without_messages_says_so(tmp_path):
    with pytest.raises(NoTextInFile, match="without messages"):
        contents(written(tmp_path / "a.mbox", b"no mail\n"), "mbox")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe\x00",
        b"Content-Type: multipart/mixed; boundary=x\n\nno boundary",
        b"Content-Type: multipart/mixed\n\n--x\n",
        b"Content-Type: message/rfc822\n\nnone",
        b"Subject: =?klingon?B?!!!?=\nDate: never\n\nx",
        b"Content-Disposition: attachment; filename*=x''%ff\n\nx",
        b"Content-Transfer-Encoding: base64\n\n!!!not base64",
    ],
)
def test_broken_messages_are_read_as_far_as_possible(data, tmp_path):
    found = contents(written(tmp_path / "a.eml", data), "eml")
    attached(found)
    assert found[0].name == ""


def test_a_message_that_is_too_large_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(mail, "LARGEST", 100)
    with pytest.raises(UnreadableFile, match="more than 100 bytes"):
        contents(written(tmp_path / "a.eml", message()), "eml")
    large = b"From a@b Tue\nSubject: x\n\n" + b"x" * 200
    with pytest.raises(UnreadableFile, match="more than 100 bytes in message 1"):
        contents(written(tmp_path / "a.mbox", large), "mbox")


def test_a_message_that_is_cut_off_is_read_up_to_there_and_costs_no_other(tmp_path):
    whole = message("first")
    whole.add_attachment("x" * 500, filename="a.txt")
    cut = whole.as_bytes()[:-60].replace(b"first", b"second")
    path = tmp_path / "a.mbox"
    path.write_bytes(b"From a\n" + cut + b"\n\nFrom b\n" + whole.as_bytes())
    found, damage = contents_of_damaged(path, "mbox")
    assert [one.title for one in found if isinstance(one, FileText)] == ["second", "first"]
    assert len(attached(found)) == 2
    assert damage == "a message that is cut off in message 1"
    found, damage = contents_of_damaged(written(tmp_path / "a.eml", cut), "eml")
    assert attached(found)
    assert damage == "a message that is cut off"


def test_a_message_that_the_library_cannot_cut_into_parts_is_read_as_one(tmp_path, monkeypatch):
    def fails(*_, **__):
        return ""[0]  # as the library of Python 3.11 does for the parameter ``char*``

    monkeypatch.setattr(mail, "message_from_bytes", fails)
    whole = message("first")
    whole.add_attachment("x" * 50, filename="a.txt")
    found, damage = contents_of_damaged(written(tmp_path / "a.eml", whole.as_bytes()), "eml")
    assert (found[0].title, damage) == ("first", "broken headers")
    assert "x" * 50 in found[1].text
