"""Requests -> counters and times in Prometheus' text format."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """The metrics of one service."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        labels = ("route", "method", "status")
        self._requests = Counter(
            "dragoman_requests", "Requests answered.", labels, registry=self._registry
        )
        self._seconds = Histogram(
            "dragoman_request_seconds",
            "Time from a request to the end of its answer.",
            ("route",),
            buckets=BUCKETS,
            registry=self._registry,
        )

    def observe(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count one request."""
        self._requests.labels(route, method, status).inc()
        self._seconds.labels(route).observe(seconds)

    def watch(self, name: str, text: str, value: Callable[[], float]) -> None:
        """Report a value that is read when metrics are asked for."""
        Gauge(f"dragoman_{name}", text, registry=self._registry).set_function(value)

    def text(self) -> bytes:
        """All metrics."""
        return generate_latest(self._registry)
