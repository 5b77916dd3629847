"""Makes links of the names that the reference documents: `apsp.solve`, `Result.verify` or `apsp.plan(graph)` in a text.

The Markdown pages stay as they are read on a forge: inline code, without roles of Sphinx.
"""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

NAME = re.compile(r"(?:apsp\.)?([A-Za-z_][\w.]*)(?:\(.*\))?")
CLASSES = ("Graph", "Result", "Oracle", "Block", "Plan", "Summary")


class NameLinks(SphinxPostTransform):
    """Inline code that is exactly a documented name, with or without arguments, becomes a link."""

    default_priority = 5
    formats = ("html",)

    def run(self, **_: object) -> None:
        """Look at every literal of the page that is not a link already."""
        objects = self.env.domains.python_domain.objects
        for literal in list(self.document.findall(nodes.literal)):
            found = NAME.fullmatch(literal.astext())
            if found is None or isinstance(literal.parent, nodes.reference | nodes.title):
                continue
            text = literal.astext()
            # A word alone is rarely the function of that name; Class.method and apsp.name are.
            if not text.startswith("apsp.") and found[1].split(".")[0] not in CLASSES:
                continue
            entry = objects.get(f"apsp.{found[1]}")
            if entry is None or entry.docname == self.env.docname:
                continue
            address = self.app.builder.get_relative_uri(self.env.docname, entry.docname)
            reference = nodes.reference("", "", internal=True, refuri=f"{address}#{entry.node_id}")
            literal.replace_self(reference)
            reference += literal


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the transform."""
    app.add_post_transform(NameLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
