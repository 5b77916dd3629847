"""What a server counts, in the text format of Prometheus."""

from __future__ import annotations

from collections.abc import Callable

from apsp.serving.osrm import SERVICES
from apsp.system.optional import needed

__all__ = ["Metrics"]

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """Counters of one server.

    Parameters
    ----------
    vertices : callable
        The number of vertices of the graph.
    """

    def __init__(self, vertices: Callable[[], int]) -> None:
        self._client = client = needed("prometheus_client", "apsp serve")
        self._registry = client.CollectorRegistry()
        words = "Requests by service and the code of the reply."
        self._requests = client.Counter("apsp_requests", words, ["service", "code"], registry=self._registry)
        self._seconds = client.Histogram(
            "apsp_request_seconds", "Seconds until the reply.", ["service"], buckets=_SECONDS, registry=self._registry
        )
        self.running = client.Gauge("apsp_running", "Requests that wait or are computed.", registry=self._registry)
        self.reloads = client.Counter("apsp_reloads", "How often the oracle was replaced.", registry=self._registry)
        client.Gauge("apsp_vertices", "Vertices of the graph.", registry=self._registry).set_function(vertices)

    def record(self, service: str, code: str, seconds: float) -> None:
        """Count a request."""
        name = service if service in SERVICES else "other"
        self._requests.labels(name, code).inc()
        self._seconds.labels(name).observe(seconds)

    def text(self) -> bytes:
        """All numbers."""
        found: bytes = self._client.generate_latest(self._registry)
        return found
