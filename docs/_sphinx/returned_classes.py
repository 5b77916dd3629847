"""Leaves the parameters of a class out of its reference where its docstring describes none.

Objects of such a class are returned by functions (`Result`, `Plan`) or raised; users do not call the class.
"""

from __future__ import annotations

from sphinx.application import Sphinx


def signature(
    _app: Sphinx, what: str, _name: str, described: object, _options: object, given: str | None, returns: str
) -> tuple[str, str] | None:
    """No parameters for a class without that section."""
    if given and what in ("class", "exception") and "Parameters\n" not in (described.__doc__ or ""):
        return "", returns
    return None


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to the documentation of signatures."""
    app.connect("autodoc-process-signature", signature)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
