from pathlib import Path

from dragoman.cli.reproduce.report import command_line, publish


def test_the_command_to_repeat_leaves_out_what_was_not_given():
    command = command_line(
        "engine",
        Path("my data"),
        output=Path("page.md"),
        collection=[Path("a"), Path("b")],
        queries=None,
        only_done=True,
        wider=False,
        pooled_queries=100,
    )
    assert command == (
        "dragoman reproduce engine 'my data' -o page.md --collection a --collection b"
        " --only-done --pooled-queries 100"
    )


def test_a_report_is_printed_and_replaces_its_section(tmp_path, capsys):
    page = tmp_path / "results.md"
    for text in ("first", "second"):
        publish(text, page, "toy")
    assert "second" in page.read_text()
    assert "first" not in page.read_text()
    assert capsys.readouterr().out.count("written to") == 2
    publish("third", None, "toy")
    assert "third" not in page.read_text()
