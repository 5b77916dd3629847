"""An S3 server on this machine (moto), and a network between it and the tests that loses and delays requests."""

from __future__ import annotations

import contextlib
import http.client
import random
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

__all__ = ["Network", "Server", "at_random", "server"]

_SERVER = """
import sys, logging
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server
logging.getLogger("werkzeug").setLevel(logging.ERROR)
# One request at a time: what is conditional is decided in one step, as S3 promises.
server = make_server("127.0.0.1", 0, DomainDispatcherApplication(create_backend_app), threaded=False)
print(server.server_address[1], flush=True)
server.serve_forever()
"""


class Server:
    """Buckets of one server, whose port the system has chosen."""

    def __init__(self, port: int) -> None:
        self.port = port

    def bucket(self, name: str) -> str:
        """Create a bucket."""
        made = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        made.request("PUT", f"/{name}", headers={"Content-Length": "0"})
        assert made.getresponse().status == 200
        made.close()
        return name

    def objects(self, bucket: str, *, port: int | None = None, retries: int = 0, **options: Any) -> Any:
        """Return a store of obstore in a bucket, below a prefix.

        Parameters
        ----------
        port : int, optional
            Of a network before the server.
        """
        from obstore.store import S3Store

        backoff = {"init_backoff": timedelta(milliseconds=1), "max_backoff": timedelta(milliseconds=5), "base": 2}
        retry = {"max_retries": retries, "retry_timeout": timedelta(seconds=30), "backoff": backoff}
        client = {"allow_http": True, "timeout": timedelta(seconds=options.pop("timeout", 20))}
        return S3Store(
            bucket, prefix="city.zarr", endpoint=f"http://127.0.0.1:{port or self.port}", access_key_id="name",
            secret_access_key="word", region="us-east-1", client_options=client, retry_config=retry, **options,
        )  # fmt: skip


@contextlib.contextmanager
def server() -> Iterator[Server]:
    """A server in a process of its own, which ends with the block."""
    child = subprocess.Popen([sys.executable, "-W", "ignore", "-c", _SERVER], stdout=subprocess.PIPE)
    assert child.stdout is not None
    try:
        yield Server(int(child.stdout.readline()))
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


Faults = Callable[[str, str], str]
"""faults(method, path) -> what happens to a request:

- '': nothing
- 'slow': it arrives after a while
- 'refused': the connection ends before the request arrives
- 'lost': the connection ends after the request arrived, without the answer
- 'cut': the connection ends in the middle of the answer
- 'late': the connection ends, and the request arrives after a while
- '403', '503': it does not arrive, and this is the answer
"""

_WORDS = {
    403: b"<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>",
    503: b"<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>",
}


class Network:
    """A network between a program and a server, with faults.

    Attributes
    ----------
    port : int
        To connect to.
    faults : callable
    happened : Counter
        (fault, method) of the requests.
    """

    def __init__(self, server: Server, faults: Faults = lambda method, path: "") -> None:
        self.faults, self.happened = faults, Counter[tuple[str, str]]()
        self.mutex = threading.Lock()
        self._target = server.port

    def __enter__(self) -> Self:
        network = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one_request(self) -> None:
                with contextlib.suppress(ConnectionError):
                    super().handle_one_request()

            def log_message(self, *_: object) -> None:
                pass

            def _pass(self) -> None:
                network._pass(self)

            do_GET = do_PUT = do_HEAD = do_POST = do_DELETE = _pass  # noqa: N815

        class Proxy(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                pass

        self._proxy = Proxy(("127.0.0.1", 0), Handler)
        self.port = self._proxy.server_address[1]
        threading.Thread(target=self._proxy.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._proxy.shutdown()
        self._proxy.server_close()

    def _pass(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers.get("Content-Length") or 0))
        with self.mutex:
            fault = self.faults(request.command, request.path)
            self.happened[fault, request.command] += 1
        if fault == "slow":
            time.sleep(0.2)
        if fault.isdecimal():
            return _answer(request, int(fault), {"Content-Type": "application/xml"}, _WORDS[int(fault)])
        if fault == "refused":
            return _close(request)
        if fault == "late":
            threading.Timer(0.5, self._forward, (request, body)).start()
            return _close(request)
        status, headers, found = self._forward(request, body)
        if fault == "lost":
            return _close(request)
        _answer(request, status, headers, found, cut=fault == "cut")
        return None

    def _forward(self, request: BaseHTTPRequestHandler, body: bytes) -> tuple[int, dict[str, str], bytes]:
        onward = http.client.HTTPConnection("127.0.0.1", self._target, timeout=30)
        headers = {key: value for key, value in request.headers.items() if key.lower() != "connection"}
        onward.request(request.command, request.path, body, headers)
        answer = onward.getresponse()
        found = answer.read()
        onward.close()
        kept = {key: value for key, value in answer.getheaders() if key.lower() not in ("connection", "date", "server")}
        return answer.status, kept, found


def _answer(
    request: BaseHTTPRequestHandler, status: int, headers: dict[str, str], body: bytes, cut: bool = False
) -> None:
    request.send_response(status)
    for key, value in headers.items():
        request.send_header(key, value)
    if "content-length" not in {key.lower() for key in headers}:
        request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(b"" if request.command == "HEAD" else body[: len(body) // 2] if cut else body)
    if cut:
        _close(request)


def _close(request: BaseHTTPRequestHandler) -> None:
    request.close_connection = True
    with contextlib.suppress(OSError):
        request.connection.shutdown(socket.SHUT_RDWR)


def at_random(seed: int, rate: float, kinds: tuple[str, ...]) -> Faults:
    """Faults that hit a part of all requests."""
    numbers = random.Random(seed)
    return lambda method, path: numbers.choice(kinds) if numbers.random() < rate else ""
