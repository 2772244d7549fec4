"""Does the service keep its promises under load and abuse, beside the bare index, in one run?

    dragoman index two.jsonl -o INDEX
    python benchmarks/service.py INDEX QUERIES.jsonl [--parts load memory additions]

The service runs in a process of its own, for the load on one core with the clients on another.
Every query comes in turn and there are more of them than cached rankings, so that each search is
computed; the flood of requests for the memory repeats a few queries.

- 32 connections, one request after the other: errors, rate, p50, p99, processor time a request
  beside ``Index.search`` in a process without HTTP (measured before and after, the mean is taken);
- requests at four times that rate, whatever comes back: how soon refusals come, and the rate after;
- clients that send one byte a second, and idle connections: the rate beside them;
- memory over many requests;
- searches at a rate, before and while a batch of documents is added to the index (a copy).
"""

import argparse
import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from urllib.parse import quote

import numpy as np

import dragoman

PARTS = ("load", "memory", "additions")
CONNECTIONS, SLOW, IDLE = 32, 100, 1000
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
FULL, FAST = "k=10", "k=5&snippet_length=0"
REFUSED = (429, 503)


@dataclass
class Outcome:
    """What came back: by status, and after how many seconds."""

    seconds: dict[int, list[float]] = field(default_factory=dict)  # by status
    elapsed: float = 0.0
    errors: Counter[str] = field(default_factory=Counter)

    def add(self, status: int, seconds: float) -> None:
        """Note one answer."""
        self.seconds.setdefault(status, []).append(seconds)

    @property
    def rate(self) -> float:
        """Searches answered a second."""
        return len(self.seconds.get(200, ())) / self.elapsed

    def milliseconds(self, share: float, *statuses: int) -> float:
        """A percentile of the times of answers with these statuses."""
        times = [one for status in statuses for one in self.seconds.get(status, ())]
        return float(np.percentile(times, share)) * 1000 if times else float("nan")

    def extend(self, other: "Outcome") -> None:
        """Note what came back later."""
        self.elapsed += other.elapsed
        self.errors += other.errors
        for status, times in other.seconds.items():
            self.seconds.setdefault(status, []).extend(times)

    def __str__(self) -> str:
        counts = ", ".join(f"{len(v):,} x {k}" for k, v in sorted(self.seconds.items()))
        failed = ", ".join(f"{n} x {name}" for name, n in self.errors.items()) or "none"
        return f"{counts}; broken connections: {failed}"


class Client:
    """One connection that is kept open."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str) -> int:
        """The status of the answer to one request, read whole."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = re.search(rb"content-length: (\d+)", head)
        await reader.readexactly(int(length[1]) if length else 0)
        if b"connection: close" in head:
            self.close()
        return int(head.split(b" ", 2)[1])

    def close(self) -> None:
        """Close the connection."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def timed(client: Client, path: str, outcome: Outcome) -> None:
    """Send one request and note its outcome."""
    started = time.perf_counter()
    try:
        outcome.add(await client.get(path), time.perf_counter() - started)
    except (OSError, EOFError) as error:
        outcome.errors[type(error).__name__] += 1
        client.close()


async def closed_loop(
    port: int, paths: Iterator[str], connections: int, seconds: float, requests: float = np.inf
) -> Outcome:
    """Every connection sends its next request when it has its answer."""
    outcome, started, sent = Outcome(), time.perf_counter(), 0

    async def one() -> None:
        nonlocal sent
        client = Client(port)
        while time.perf_counter() - started < seconds and sent < requests:
            sent += 1
            await timed(client, next(paths), outcome)
        client.close()

    await asyncio.gather(*(one() for _ in range(connections)))
    outcome.elapsed = time.perf_counter() - started
    return outcome


async def open_loop(port: int, paths: Iterator[str], rate: float, seconds: float) -> Outcome:
    """Requests come at a rate, whether earlier ones are answered or not."""
    outcome, started = Outcome(), time.perf_counter()
    idle: list[Client] = []
    tasks = set[asyncio.Task[None]]()

    async def one() -> None:
        client = idle.pop() if idle else Client(port)
        await timed(client, next(paths), outcome)
        idle.append(client)

    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, started + number / rate - time.perf_counter()))
        task = asyncio.create_task(one())
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks)
    outcome.elapsed = time.perf_counter() - started
    for client in idle:
        client.close()
    return outcome


async def beside_hangers_on(port: int, paths: Iterator[str], seconds: float) -> Outcome:
    """A closed loop beside clients that send a byte a second and connections that send nothing."""
    streams = [await asyncio.open_connection("127.0.0.1", port) for _ in range(SLOW + IDLE)]

    async def trickle(writer: asyncio.StreamWriter, text: bytes) -> None:
        for byte in text:
            try:
                writer.write(bytes([byte]))
                await writer.drain()
            except OSError:
                return
            await asyncio.sleep(1)

    head = b"GET /v1/search?query=moon HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    body = (
        f"POST /v1/search:batch HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Dragoman: 1\r\n"
        "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
    ).encode()
    for _, writer in streams[:SLOW:2]:
        writer.write(body)
    slow = [
        asyncio.create_task(trickle(writer, head if number % 2 else b"{" * 1000))
        for number, (_, writer) in enumerate(streams[:SLOW])
    ]
    outcome = await closed_loop(port, paths, CONNECTIONS, seconds)
    for task in slow:
        task.cancel()
    for _, writer in streams:
        writer.close()
    return outcome


class Service:
    """A running ``dragoman serve`` on one core."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self._process, self.port = process, port

    @property
    def processor_seconds(self) -> float:
        """The processor time that the process has used."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    @property
    def megabytes(self) -> float:
        """The memory that the process holds."""
        pages = Path(f"/proc/{self._process.pid}/statm").read_text().split()[1]
        return int(pages) * PAGE / 1e6


def on_core(core: int) -> list[str]:
    """The command before a command that is to run on one core."""
    return ["taskset", "-c", str(core)]


@contextmanager
def service(index: Path, core: int | None = None) -> Iterator[Service]:
    """The service of an index, warm; on one core, or on all."""
    command = [sys.executable, "-m", "dragoman", "serve", str(index), "--port", "0"]
    command = [*(on_core(core) if core is not None else ()), *command, "--log-level", "warning"]
    with (
        tempfile.TemporaryDirectory() as state,
        subprocess.Popen(
            [*command, "--state", state], stdout=subprocess.PIPE, text=True
        ) as process,
    ):
        assert process.stdout is not None
        match = re.search(r":(\d+)/", process.stdout.readline())
        assert match is not None, "the service did not say where it listens"
        running = Service(process, int(match[1]))
        while asyncio.run(Client(running.port).get("/v1/ready")) != 200:
            time.sleep(0.2)
        yield running
        process.terminate()
        assert process.wait(60) == 0, "the service did not end gracefully"


def direct(index: Path, queries: Sequence[str], core: int) -> float:
    """Milliseconds of processor time for a search without HTTP, in a process of its own."""
    code = (
        "import json,sys,time,dragoman\n"
        "index=dragoman.open(sys.argv[1]); index.warm_up(); queries=json.load(sys.stdin)\n"
        "for text in queries[:50]: index.search(text,10)\n"
        "start=time.process_time()\n"
        "for text in queries: index.search(text,10)\n"
        "print((time.process_time()-start)/len(queries)*1000)\n"
    )
    done = subprocess.run(
        [*on_core(core), sys.executable, "-c", code, str(index)],
        input=json.dumps(queries),
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def add_documents(port: int, index: Path, count: int) -> str:
    """Send documents of the index under new ids in one batch; the path of the task."""
    with dragoman.open(index) as opened:
        old = opened.documents(opened.doc_ids()[:count])
    lines = [
        json.dumps({"id": f"new-{number}", "text": one.text, "language": one.language})
        for number, one in enumerate(old)
        if one is not None
    ]
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/v1/documents:batch",
        "\n".join(lines).encode(),
        {"Content-Type": "application/x-ndjson", "X-Dragoman": "1"},
    )
    with urllib.request.urlopen(request) as answer:  # noqa: S310 - of this benchmark
        return f"/v1/tasks/{json.load(answer)['task']['id']}"


def report(name: str, outcome: Outcome) -> None:
    """Print one line of the table, and what came back."""
    p50, p99 = (outcome.milliseconds(share, 200) for share in (50, 99))
    print(f"{name:34s}{outcome.rate:9.1f}{p50:9.1f}{p99:9.1f}{p99 / p50:7.2f}   {outcome}")


def measure_additions(source: Path, paths: Iterator[str], count: int, rate: float) -> None:
    """Searches of a copy of the index, at a rate, while a batch of documents is added to it."""
    with tempfile.TemporaryDirectory(dir=source.parent) as folder:
        copy = Path(shutil.copytree(source, Path(folder) / source.name))
        with service(copy) as running:
            before = asyncio.run(open_loop(running.port, paths, rate, 20.0))
            report(f"{rate:g} searches a second", before)
            started, outcome = time.perf_counter(), Outcome()
            task = add_documents(running.port, source, count)
            print(f"  {count:,} documents sent, 202 after {time.perf_counter() - started:.1f} s")
            state = ""
            while state not in ("done", "failed"):
                outcome.extend(asyncio.run(open_loop(running.port, paths, rate, 5.0)))
                with urllib.request.urlopen(f"http://127.0.0.1:{running.port}{task}") as answer:
                    state = json.load(answer)["state"]
            assert state == "done", "documents could not be added"
            report(f"  while they are added, {outcome.elapsed:.0f} s", outcome)


def measure_load(index: Path, queries: Sequence[str], paths: Iterator[str], seconds: float) -> None:
    """Rates, refusals and processor time of a service on one core, its clients on another."""
    first, last = min(os.sched_getaffinity(0)), max(os.sched_getaffinity(0))
    before = direct(index, queries, first)
    os.sched_setaffinity(0, {last})
    with service(index, first) as running:
        port = running.port
        asyncio.run(closed_loop(port, paths, CONNECTIONS, seconds / 4))
        spent = running.processor_seconds
        outcome = asyncio.run(closed_loop(port, paths, CONNECTIONS, seconds))
        spent = (running.processor_seconds - spent) / len(outcome.seconds[200]) * 1000
        report(f"{CONNECTIONS} connections", outcome)
        flood = asyncio.run(open_loop(port, paths, 4 * outcome.rate, seconds / 3))
        report(f"{4 * outcome.rate:.0f} requests a second", flood)
        refusals = " ".join(f"{flood.milliseconds(p, *REFUSED):.1f}" for p in (50, 99, 100))
        print(f"  refusals, ms: p50, p99, most: {refusals}")
        report("afterwards", asyncio.run(closed_loop(port, paths, CONNECTIONS, seconds / 3)))
        outcome = asyncio.run(beside_hangers_on(port, paths, seconds / 3))
        report(f"beside {SLOW} slow, {IDLE:,} idle", outcome)
    os.sched_setaffinity(0, {first, last})
    after = direct(index, queries, first)
    print(
        f"processor ms: {spent:.2f} a request, {before:.2f} and {after:.2f} without HTTP:"
        f" {spent / ((before + after) / 2):.2f} x"
    )


def measure_memory(index: Path, paths: Iterator[str], requests: int) -> None:
    """Memory after each tenth of many requests, which repeat a few queries."""
    with service(index) as running:
        memory, started = [running.megabytes], time.perf_counter()
        for _ in range(10):
            asyncio.run(closed_loop(running.port, paths, CONNECTIONS, np.inf, requests // 10))
            memory.append(running.megabytes)
    minutes = (time.perf_counter() - started) / 60
    print(f"MB after every tenth of {requests:,} requests in {minutes:.1f} minutes:")
    print("  " + " ".join(f"{one:.0f}" for one in memory))


def main() -> None:
    """Measure what is chosen and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("queries", type=Path)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--seconds", type=float, default=60.0, help="of the load")
    parser.add_argument("--requests", type=int, default=100_000, help="for the memory")
    parser.add_argument("--added", type=int, default=10_000, help="documents")
    parser.add_argument("--rate", type=float, default=10.0, help="of searches beside additions")
    options = parser.parse_args()
    lines = options.queries.read_text(encoding="utf-8").splitlines()
    queries = [str(json.loads(line)["text"]) for line in lines]
    search = "/v1/search?{}&query={}"
    paths = cycle([search.format(FULL, quote(text)) for text in queries])
    few = cycle([search.format(FAST, quote(text)) for text in queries[:50]])
    print(f"load of the machine: {os.getloadavg()[0]:.1f}; {len(queries)} queries")
    print(f"{'':34s}{'a second':>9s}{'p50, ms':>9s}{'p99, ms':>9s}{'ratio':>7s}")
    if "load" in options.parts:
        measure_load(options.index, queries, paths, options.seconds)
    if "memory" in options.parts:
        measure_memory(options.index, few, options.requests)
    if "additions" in options.parts:
        measure_additions(options.index, paths, options.added, options.rate)


if __name__ == "__main__":
    main()
