"""A service as a process, and the pages of a browser on it."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Page, Route

STARTED = "Serving at "


@contextmanager
def serving(indexes: Sequence[Path], folder: Path, *, keys: bool = False) -> Iterator[str]:
    """The address of ``dragoman serve`` on the indexes; its log and state are in the folder."""
    log, state = folder / "log", folder / "state"
    command = [sys.executable, "-m", "dragoman", "serve", *map(str, indexes), "--port", "0"]
    with log.open("w") as errors:
        process = subprocess.Popen(
            [*command, "--state", str(state)],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=os.environ | {"NO_COLOR": "1", "COLUMNS": "200"},
        )
    assert process.stdout is not None
    try:
        lines = iter(process.stdout.readline, "")
        started = next((line for line in lines if STARTED in line), "")
        assert started, log.read_text()
        address = started.partition(STARTED)[2].split()[0].rstrip("/")
        wait_until_ready(address)
        if not keys:
            search_all(address)
        yield address
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()


def wait_until_ready(address: str, seconds: float = 120) -> None:
    """Return as soon as the service has warmed up: its first searches are slow before."""
    until = time.monotonic() + seconds
    while httpx.get(f"{address}/v1/ready").status_code != 200:
        assert time.monotonic() < until, "the service did not become ready"
        time.sleep(0.1)


def search_all(address: str) -> None:
    """Search every index once: the first search of a process loads what later ones use."""
    for index in httpx.get(f"{address}/v1/indexes").json():
        found = f"{address}/v1/indexes/{index['name']}/search"
        httpx.get(found, params={"query": "bread", "gloss": True}, timeout=120).raise_for_status()


def watch(page: Page) -> list[str]:
    """A list that gets every error of the page: of its script, and what its policy blocks."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "console",
        lambda message: (
            errors.append(message.text)
            if message.type == "error" and "Failed to load resource" not in message.text
            else None
        ),
    )
    return errors


def search(page: Page, query: str) -> None:
    """Type a query and wait for its hits."""
    with page.expect_response(lambda answer: "/search?" in answer.url):
        page.fill("#query", query)
    page.wait_for_selector(".results:not(.waiting) .hit")


def change_answers(
    page: Page, change: Callable[[dict[str, Any]], None], addresses: str = "**/search?*"
) -> None:
    """Let a function change the answers of the service before the page gets them."""

    def answer(route: Route) -> None:
        response = route.fetch()
        fields = response.json()
        change(fields)
        route.fulfill(response=response, json=fields)

    page.route(addresses, answer)
