"""Finds what is wider than a phone on the pages of a built site: python check_phones.py SITE (needs Chromium).

Every page is laid out 390 pixels wide. Nothing of it may end farther to the right, unless it scrolls by itself, as
tables and programs do: a browser cuts it off.
"""

from __future__ import annotations

import functools
import http.server
import json
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

WIDTH, HEIGHT, AT_ONCE, SECONDS = 390, 844, 4, 300
NAMES = ("chromium", "chromium-browser", "google-chrome")

HARNESS = """<!doctype html><meta charset="utf-8"><body><script>
const WHOLE = ".bd-article-container, .bd-main, .bd-content, .bd-container"; // they scroll as the page does
const pages = PAGES, found = {}, wait = time => new Promise(done => setTimeout(done, time));
function scrolls(element, root) {
  for (let each = element; each && each !== root && !each.matches(WHOLE); each = each.parentElement)
    if (["auto", "scroll"].includes(getComputedStyle(each).overflowX)) return true;
  return false;
}
async function look(frame) {
  while (pages.length) {
    const page = pages.pop();
    await new Promise(done => { frame.onload = done; frame.src = "/" + page; });
    await wait(30);
    const body = frame.contentDocument.body, wide = [];
    for (const element of body.querySelectorAll("main *, header *, footer *, .bd-header-announcement *")) {
      const box = element.getBoundingClientRect();
      if (box.width > 1 && box.height > 1 && box.left < WIDTH && box.right > WIDTH + 1 && !scrolls(element, body))
        wide.push(element.tagName.toLowerCase() + " " + (element.textContent || "").trim().slice(0, 60));
    }
    found[page] = wide;
  }
}
async function all() {
  const frames = [];
  for (let number = 0; number < AT_ONCE; number++) {
    const frame = document.createElement("iframe");
    frame.style.cssText = "width:WIDTHpx;height:HEIGHTpx;border:0";
    document.body.append(frame);
    frames.push(look(frame));
  }
  await Promise.all(frames);
  await fetch("/found", {method: "POST", body: JSON.stringify(found)});
}
all();
</script>"""


class Pages(http.server.SimpleHTTPRequestHandler):
    """Serves the site, the page that looks at the others, and takes what it found."""

    harness = b""
    answers: queue.Queue[dict[str, list[str]]] = queue.Queue()

    def do_GET(self) -> None:
        """Send a file, or the page that looks."""
        if self.path != "/look":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.harness)

    def do_POST(self) -> None:
        """Take what was found."""
        self.answers.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - the name of the base class
        """Write nothing."""


def too_wide(site: Path, browser: str) -> dict[str, list[str]]:
    """The texts of what is cut off, by pages; of the page as it is without a network."""
    pages = sorted(str(path.relative_to(site)) for path in site.rglob("*.html"))
    words = {"PAGES": json.dumps(pages), "WIDTH": str(WIDTH), "HEIGHT": str(HEIGHT), "AT_ONCE": str(AT_ONCE)}
    text = HARNESS
    for word, value in words.items():
        text = text.replace(word, value)
    Pages.harness = text.encode()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Pages, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as profile:
        command = [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            f"--user-data-dir={profile}",
        ]
        address = f"http://127.0.0.1:{server.server_address[1]}/look"
        running = subprocess.Popen(  # noqa: S603 - a browser, on pages of this site
            [*command, address], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            found = Pages.answers.get(timeout=SECONDS)
        finally:
            running.terminate()
            running.wait()
            server.shutdown()
    assert sorted(found) == pages
    return {page: texts for page, texts in sorted(found.items()) if texts}


def main() -> int:
    """Print what is too wide; without a browser, say so."""
    browser = next((name for name in NAMES if shutil.which(name)), None)
    if browser is None:
        print("no Chromium: the widths of the pages on a phone were not checked", file=sys.stderr)
        return 0
    found = too_wide(Path(sys.argv[1]), browser)
    for page, texts in found.items():
        print(f"{page}: wider than a phone ({len(texts)}): {'; '.join(texts[:3])}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
