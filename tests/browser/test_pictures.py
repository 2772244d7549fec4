"""The pictures of the page in docs/images, taken where DRAGOMAN_PICTURES=1 asks for them."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

import dragoman
from served_page import search, serving

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs/images"
SCREEN = {"viewport": {"width": 1180, "height": 800}, "device_scale_factor": 1.5}
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2}
PHONE |= {"is_mobile": True, "has_touch": True}
QUERY = "baking bread with yeast"

pytestmark = pytest.mark.skipif(
    os.environ.get("DRAGOMAN_PICTURES") != "1", reason="'make pictures' takes the pictures"
)


@pytest.fixture(scope="module")
def sample_service(sample, tmp_path_factory):
    """The sample collection as ``make demo`` indexes it, with the sentence encoder."""
    folder = tmp_path_factory.mktemp("pictures")
    dragoman.index(sample, folder / "sample").close()
    with serving([folder / "sample"], folder) as address:
        yield address


@pytest.fixture
def take(open_page, sample_service):
    """Opens the page and stores what it shows."""

    def take_one(name, query, steps=lambda page: None, **options):
        page = open_page(sample_service, reduced_motion="reduce", **SCREEN | options)
        search(page, query)
        page.wait_for_timeout(900)
        page.evaluate("document.activeElement.blur()")
        steps(page)
        page.wait_for_timeout(400)
        page.screenshot(path=IMAGES / f"{name}.png")

    return take_one


def explain(page, hit):
    page.locator(f"[data-hit={hit}] .why").click()
    expect(page.locator(".links path").first).to_be_visible()
    page.locator(f"[data-hit={hit}]").evaluate("one => scrollTo(0, one.offsetTop - 90)")
    page.mouse.move(0, 0)


def read(page):
    page.locator("[data-hit=bread-fi] .title").click()
    expect(page.locator(".similar a").first).to_be_visible()
    page.evaluate("scrollTo(0, 0)")


def test_light(take):
    take("page-light", QUERY)


def test_dark(take):
    take("page-dark", QUERY, read,
         color_scheme="dark", viewport={"width": 1380, "height": 860})  # fmt: skip


def test_arabic_hits(take):
    take("page-arabic", "كيف أخبز الخبز في البيت", locale="ar")


def test_explanation(take):
    take("page-explanation", QUERY, lambda page: explain(page, "bread-fi"))


def test_phone(take):
    take("page-phone", QUERY, **PHONE)
