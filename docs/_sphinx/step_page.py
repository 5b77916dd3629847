"""The directive `step-by-step`: one small graph, solved step by step (docs/steps)."""

from __future__ import annotations

from docs.steps.document import SOURCES, fragment
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Steps(SphinxDirective):
    """Stands where the steps are shown; the page is read again if they change."""

    def run(self) -> list[nodes.Node]:
        """One node of HTML."""
        for path in SOURCES:
            self.env.note_dependency(str(path))
        return [nodes.raw("", fragment(), format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("step-by-step", Steps)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
