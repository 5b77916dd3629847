"""Adapts the Markdown pages, which a forge shows too, to the site.

Links that work in the repository become links of the site: `../examples/plot_isomap.py` leads to the page that the
gallery makes from that file, and `../CONTRIBUTING.md` to the page that includes it. The blank line that ends a doctest
before the fence is not shown. Where a forge shows a picture of the steps of docs/steps, the site shows the steps.
"""

from __future__ import annotations

import re

from sphinx.application import Sphinx

RULES = [
    (re.compile(r"(\]\((?:\.\./)*)examples/README\.rst\)"), r"\1gallery/index.rst)"),
    (re.compile(r"(\]\((?:\.\./)*)examples/(plot_\w+)\.py\)"), r"\1gallery/\2.rst)"),
    (re.compile(r"\]\((?:\.\./)+(CONTRIBUTING|CHANGELOG)\.md"), lambda found: f"](/development/{found[1].lower()}.md"),
    (re.compile(r"\]\((?:\.\./)+benchmarks/README\.md"), "](/development/benchmarks.md"),
    (re.compile(r"^!\[[^]]*\]\(images/step-by-step\.png\)$", re.MULTILINE), "```{step-by-step}\n```"),
]


DOCTEST = re.compile(r"^```python\n(>>> .*?)\n+```$", re.MULTILINE | re.DOTALL)


def on_site(app: Sphinx, docname: str, source: list[str]) -> None:
    """Rewrite a Markdown page before it is parsed."""
    if str(app.env.doc2path(docname)).endswith(".md"):
        for pattern, replacement in RULES:
            source[0] = pattern.sub(replacement, source[0])
        source[0] = DOCTEST.sub(r"```python\n\1\n```", source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to the reading of pages."""
    app.connect("source-read", on_site)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
