"""A headless Chromium, driven through its own protocol, over pipes: no port, no driver, no package."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")

_SECONDS = 120


def browser() -> str | None:
    """The first browser that is installed."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Page:
    """One page, with its errors and requests.

    Attributes
    ----------
    errors : list of str
        Errors of its programs and what they wrote to the console as errors.
    requests : list of str
        Addresses that it wanted to load.
    """

    def __init__(self, into: int, out: int) -> None:
        self._into, self._out, self._rest, self._number, self._session = into, out, b"", 0, ""
        self._features: list[dict[str, str]] = []
        self._inside: dict[str, str] = {}
        self._contexts: list[tuple[str, int]] = []
        self._opened = 0.0
        self.errors: list[str] = []
        self.requests: list[str] = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")

    def open(
        self, path: Path, *, width: int = 1200, height: int = 800, dark: bool = False, touch: bool = False,
        still: bool = False,
    ) -> None:  # fmt: skip
        """Open a file in a window of a size, for a reader who prefers no motion if `still`."""
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=touch)
        self._features = [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"},
        ]
        self._call("Emulation.setEmulatedMedia", features=self._features)
        self._call("Emulation.setTouchEmulationEnabled", enabled=touch)
        self.value("delete document.documentElement.dataset.ready")  # of the page before
        self._opened = time.time() * 1e3
        self._call("Page.navigate", url=path.absolute().as_uri())

    def product(self) -> str:
        """Name and version of the browser."""
        found: str = self._call("Browser.getVersion")["product"]
        return found

    def value(self, expression: str) -> Any:
        """The value of an expression, awaited."""
        return self._value(expression, self._session)

    def frames(self) -> dict[str, Frame]:
        """The documents in frames of the page, of any origin, by their titles."""
        session, self._session = self._session, ""
        targets = self._call("Target.getTargets")["targetInfos"]
        for target in targets:
            if target["type"] == "iframe" and target["targetId"] not in self._inside:
                attached = self._call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
                self._inside[target["targetId"]] = attached["sessionId"]
        self._contexts.clear()
        there = {target["targetId"] for target in targets}
        self._inside = {target: inside for target, inside in self._inside.items() if target in there}
        for each in (session, *self._inside.values()):
            self._session = each
            for call in ("Runtime.disable", "Runtime.enable", "Log.enable", "Network.enable"):
                self._call(call)
            self._call("Emulation.setEmulatedMedia", features=self._features)  # each process has its own
        self._session = session
        found = {}
        for inside, context in list(self._contexts):
            title = self._value("document.title", inside, context)
            found[title] = Frame(self, inside, context)
        return found

    def _value(self, expression: str, session: str, context: int | None = None) -> Any:
        own, self._session = self._session, session
        try:
            chosen = {} if context is None else {"contextId": context}
            found = self._call(
                "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, **chosen
            )
        finally:
            self._session = own
        if "exceptionDetails" in found:
            raise AssertionError(found["exceptionDetails"].get("exception", found["exceptionDetails"]))
        return found["result"].get("value")

    def ready(self) -> None:
        """Wait until the map has its first distances."""
        end = time.monotonic() + _SECONDS
        while not self._is_ready():
            assert time.monotonic() < end, self.errors or self.value("document.getElementById('wait')?.textContent")
            time.sleep(0.02)

    def _is_ready(self) -> bool:
        try:
            return bool(self.value("document.documentElement?.dataset.ready") == "yes")
        except AssertionError as error:
            if "navigated" in str(error):  # between the old page and the new one
                return False
            raise

    def mouse(self, kind: str, x: float, y: float, *, modifiers: int = 0) -> None:
        """kind: Moved, Pressed or Released."""
        buttons = {"button": "left", "clickCount": 1} if kind != "Moved" else {}
        self._call("Input.dispatchMouseEvent", type=f"mouse{kind}", x=x, y=y, modifiers=modifiers, **buttons)

    def moves(self, spots: Sequence[tuple[float, float]], rate: float) -> None:
        """Move the mouse through places, so many per second, whether or not the page has shown the ones before."""
        start, waiting = time.monotonic(), 0
        for turn, (x, y) in enumerate(spots):
            self._send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
            waiting += 1
            while (left := start + (turn + 1) / rate - time.monotonic()) > 0:
                if self._has_next(left):
                    waiting -= "id" in self._noted()
        while waiting:
            waiting -= "id" in self._noted()

    def click(self, x: float, y: float, *, modifiers: int = 0) -> None:
        """Press and release; Shift is 8."""
        for kind in ("Moved", "Pressed", "Released"):
            self.mouse(kind, x, y, modifiers=modifiers)

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        """kind: Start, Move or End."""
        self._call("Input.dispatchTouchEvent", type=f"touch{kind}", touchPoints=[{"x": x, "y": y} for x, y in points])

    def key(self, key: str, *, modifiers: int = 0) -> None:
        """Press and release a key."""
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        self._call("Input.dispatchKeyEvent", type="keyDown", key=key, modifiers=modifiers, **text)
        self._call("Input.dispatchKeyEvent", type="keyUp", key=key, modifiers=modifiers)

    def frame(self) -> None:
        """Wait until what has changed is painted."""
        self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def screenshot(self, path: Path) -> None:
        """Write a PNG."""
        path.write_bytes(base64.b64decode(self._call("Page.captureScreenshot", format="png")["data"]))

    def _call(self, method: str, **params: Any) -> Any:
        self._send(method, **params)
        while True:
            answer = self._noted()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                return answer["result"]

    def _send(self, method: str, **params: Any) -> None:
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._into, json.dumps(message).encode() + b"\0")

    def _noted(self) -> dict[str, Any]:
        """The next answer or event; events are noted."""
        found = self._next()
        self._note(found.get("method"), found.get("params", {}), found.get("sessionId", ""))
        return found

    def _note(self, method: str | None, params: dict[str, Any], session: str) -> None:
        if method == "Runtime.executionContextCreated":
            self._contexts.append((session, params["context"]["id"]))
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
            self.errors.append(str([each.get("value") for each in params["args"]]))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            # A process that shows frames of one page after the other also tells the entries of the one before.
            if params["entry"]["timestamp"] >= self._opened:
                self.errors.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])

    def _has_next(self, seconds: float) -> bool:
        """Whether an answer or an event, or a part of it, comes within some seconds."""
        return b"\0" in self._rest or bool(select.select([self._out], [], [], seconds)[0])

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            readable, _, _ = select.select([self._out], [], [], _SECONDS)
            assert readable, "the browser does not answer"
            part = os.read(self._out, 1 << 20)
            assert part, "the browser has ended"
            self._rest += part
        message, self._rest = self._rest.split(b"\0", 1)
        found: dict[str, Any] = json.loads(message)
        return found


class Frame(Page):
    """A document in a frame of a page. Clicks are those of a user: at places of the window, in `corner`."""

    def __init__(self, page: Page, session: str, context: int) -> None:
        self._page, self._inner, self._context = page, session, context
        self.corner = (0.0, 0.0)
        self.errors, self.requests = page.errors, page.requests

    def value(self, expression: str) -> Any:
        """The value of an expression, awaited."""
        return self._page._value(expression, self._inner, self._context)

    def mouse(self, kind: str, x: float, y: float, *, modifiers: int = 0) -> None:
        """kind: Moved, Pressed or Released."""
        self._page.mouse(kind, x + self.corner[0], y + self.corner[1], modifiers=modifiers)

    def key(self, key: str, *, modifiers: int = 0) -> None:
        """Press and release a key."""
        self._page.key(key, modifiers=modifiers)


@contextlib.contextmanager
def opened() -> Iterator[Page]:
    """A page of a browser that ends with the block."""
    name = browser()
    assert name is not None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        read_in, into = os.pipe()
        out, write_out = os.pipe()
        command = [
            name,
            "--headless",
            "--no-sandbox",
            "--no-first-run",
            "--remote-debugging-pipe",
            f"--user-data-dir={profile}",
        ]
        # The protocol is read from 3 and written to 4.
        joined = 'exec 8<&"$1" 9>&"$2"; exec 3<&8 4>&9 8<&- 9>&-; shift 2; exec "$@"'
        running = subprocess.Popen(
            ["bash", "-c", joined, "bash", str(read_in), str(write_out), *command],
            pass_fds=(read_in, write_out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(read_in)
        os.close(write_out)
        try:
            yield Page(into, out)
        finally:
            running.terminate()
            running.wait()
            os.close(into)
            os.close(out)
