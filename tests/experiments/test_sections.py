from dragoman.experiments.sections import write_section


def test_a_section_replaces_itself_and_no_other(tmp_path):
    page = tmp_path / "results.md"
    write_section(page, "one", "first")
    write_section(page, "two", "second")
    write_section(page, "one", "first, again")
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Results")
    assert text.index("first, again") < text.index("second")
    assert text.count("<!-- one: begin -->") == text.count("<!-- one: end -->") == 1
    assert "first\n" not in text


def test_writing_the_same_again_changes_nothing(tmp_path):
    page = tmp_path / "results.md"
    write_section(page, "one", "text")
    before = page.read_bytes()
    write_section(page, "one", "text")
    assert page.read_bytes() == before
