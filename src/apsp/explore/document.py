"""The page: one file of HTML with its style, its programs and its data. It may neither load nor send anything.

The programs are modules, in `page/`, which tests import one by one; here they become one script. The content security
policy allows that script and that style alone, by their hashes.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import html
import json
import re
from pathlib import Path

from apsp._types import JsonObject

__all__ = ["html_of", "matrix_html_of"]

_FOLDER = Path(__file__).parent / "page"
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.mjs";\n', re.MULTILINE)
_OF_SETS = ("sets", "differences", "routes", "tones")
"""Controls for several sets of weights: files of `page/`, and where `page.html` has them."""

_OF_BOTH = ("zoom", "key")
"""Controls of maps and matrices, in the same way."""

_SLOT = re.compile(r"\{(\w+)\}")


def html_of(title: str, label: str, header: JsonObject, arrays: str, arrays_of_sets: str | None = None) -> bytes:
    """The file.

    Parameters
    ----------
    title, label : str
        Texts of the page.
    header : dict
        JSON, which the page reads.
    arrays : str
        Base64.
    arrays_of_sets : str, optional
        Base64: the page is then that of several sets of weights.
    """
    script, style = _script("main"), _text("page.css")
    of_sets = dict.fromkeys((*_OF_SETS, "more"), "")
    if arrays_of_sets is not None:
        script, style = _script("compared"), style + _text("sets.css")
        of_sets = {name: _text(f"{name}.html") for name in _OF_SETS}
        of_sets["more"] = f'<script type="text/plain" id="arrays-of-sets">{arrays_of_sets}</script>\n'
    return _filled(
        "page.html", script, style, title, label, header, {"counted": "vertices", "arrays": arrays, **of_sets}
    )


def matrix_html_of(title: str, label: str, header: JsonObject, arrays: str) -> bytes:
    """The file of a graph without coordinates, with the arguments of `html_of`."""
    style = _text("page.css") + _text("matrix.css")
    return _filled(
        "matrix.html", _script("matrix"), style, title, label, header, {"counted": "pairs", "arrays": arrays}
    )


def _filled(
    name: str, script: str, style: str, title: str, label: str, header: JsonObject, more: dict[str, str]
) -> bytes:
    policy = (
        f"default-src 'none'; script-src {_hash(script)} 'wasm-unsafe-eval'; style-src {_hash(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    filled = {
        "policy": policy, "style": style, "script": script, "title": html.escape(title), "label": html.escape(label),
        "header": json.dumps(header, ensure_ascii=True, allow_nan=False).replace("<", "\\u003c"),
    } | more  # fmt: skip
    page = _text("head.html") + _text(name)
    for part in _OF_BOTH:
        page = page.replace(f"{{{part}}}", _text(f"{part}.html"))
    return _SLOT.sub(lambda slot: filled[slot[1]], page).encode("utf-8", "replace")


def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


@functools.cache
def _script(main: str) -> str:
    """A module and those that it imports, which come first, without the words that import and export."""
    written: dict[str, str] = {}

    def add(name: str) -> None:
        if name in written:
            return
        text = _text(f"{name}.mjs")
        written[name] = ""
        for imported in _IMPORT.findall(text):
            add(imported)
        del written[name]
        written[name] = re.sub(r"^export ", "", _IMPORT.sub("", text), flags=re.MULTILINE)

    add(main)
    return "\n".join(written.values())


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
