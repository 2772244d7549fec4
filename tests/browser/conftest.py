"""Chromium on a real service: the sample collection, and documents that try to be markup."""

import json
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

import dragoman
from dragoman import Document
from served_page import serving, watch

ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium")
PATIENCE = 30_000  # milliseconds; a loaded machine is slow
OVERRIDE = "\u202e"  # the letters after it run from right to left
HOSTILE = [
    Document(
        "hostile/markup",
        "The zeppelin <b>bold</b> <img src=x onerror=\"document.title='taken'\"> text."
        " <script>document.title='taken'</script> <style>body{display:none}</style>",
        title="<i>Zeppelin</i> <script>document.title='taken'</script>",
        language="en",
    ),
    Document(
        "hostile/bidi",
        f"The trebuchet {OVERRIDE}gnp.exe\u2066 stays in its\x07 place.",
        title=f"Trebuchet {OVERRIDE}fdp.exe",
        language="en",
    ),
    Document(
        "long",
        "\n\n".join(f"Paragraph {number} of the almanac." for number in range(9000)),
        title="Almanac",
        language="en",
    ),
]


@pytest.fixture(scope="session")
def sample():
    """The documents of the sample collection."""
    lines = (ROOT / "sample/corpus.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [
        Document(row["_id"], row["text"], row["title"], row["lang"], {"group": row["group"]})
        for row in rows
    ]


@pytest.fixture(scope="session")
def service(sample, tmp_path_factory):
    """The address of a service with one index."""
    folder = tmp_path_factory.mktemp("browser")
    dragoman.index([*sample, *HOSTILE], folder / "library", system="psq").close()
    with serving([folder / "library"], folder) as address:
        yield address


@pytest.fixture(scope="session")
def several(sample, tmp_path_factory):
    """The address of a service with two indexes of the same documents, and a small one."""
    folder = tmp_path_factory.mktemp("browser")
    for system in ("psq", "bm25"):
        dragoman.index(sample, folder / system, system=system).close()
    dragoman.index(sample[:60], folder / "harbour", system="psq").close()
    with serving([folder / name for name in ("psq", "bm25", "harbour")], folder) as address:
        yield address


@pytest.fixture(scope="session")
def browser():
    if CHROMIUM is None:
        pytest.skip("chromium is not installed; 'make test-browser' installs it by apt")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--force-color-profile=srgb"]
        )
        yield launched
        launched.close()


@pytest.fixture
def open_page(browser):
    """Opens pages, whose scripts must not fail and whose policy must not be violated."""
    opened = []

    def open_one(address, **options):
        context = browser.new_context(
            **{"viewport": {"width": 1280, "height": 860}, "locale": "en-GB"} | options
        )
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        opened.append((context, watch(page)))
        page.goto(address)
        return page

    yield open_one
    for context, errors in opened:
        context.close()
        assert not errors


@pytest.fixture
def page(open_page, service):
    return open_page(service)
