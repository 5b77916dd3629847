"""Checks the links inside a built site: `python docs/_sphinx/check_links.py build/site`.

Every address of a page or a file of the site must exist, and every anchor must be on its page. Links to other sites are
not followed.
"""

from __future__ import annotations

import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Files that the site offers for download as they are.
COPIED = ("_downloads", "_static", "_sources")


class Page(HTMLParser):
    """The anchors of a page and the addresses that it refers to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.addresses: list[tuple[int, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Record the name of a tag and its references."""
        for name, value in attributes:
            if value is None:
                continue
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value)
            elif name in ("href", "src"):
                self.addresses.append((self.getpos()[0], value))


@cache
def page(path: Path) -> Page:
    """A page of the site, read once."""
    return Page(path.read_text(encoding="utf-8"))


def broken(site: Path) -> list[str]:
    """One line per broken address."""
    found = []
    for path in sorted(site.rglob("*.html")):
        if path.relative_to(site).parts[0] in COPIED:
            continue
        for line, address in page(path).addresses:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            where = f"{path.relative_to(site)}:{line}: {address}"
            if not target.exists():
                found.append(f"{where}: no such file")
            elif parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in page(target).anchors:
                found.append(f"{where}: no such anchor")
    return found


if __name__ == "__main__":
    site = Path(sys.argv[1]).resolve()
    lines = broken(site)
    print("\n".join([*lines, f"{len(lines)} broken links in {len(list(site.rglob('*.html')))} pages"]))
    sys.exit(bool(lines))
