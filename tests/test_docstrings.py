"""The examples in the docstrings of public names run, and give what they say."""

from __future__ import annotations

import doctest
import inspect
import operator

import pytest

import apsp
from apsp import csgraph
from apsp.errors import MissingDependencyError

OPTIONAL = ("dask", "matplotlib", "networkx", "pandas", "polars", "pyarrow", "xarray", "zarr")


def public_docstrings():
    """Name and docstring of every public function and class, and of the public members of the classes."""
    own = [(f"csgraph.{name}", getattr(csgraph, name)) for name in csgraph.__all__]
    try:
        from apsp import pandana

        names = (
            "Network",
            "install",
            "uninstall",
            "network.reserve_num_graphs",
            "utils.reindex",
            "utils.adjacency_matrix",
        )
        own += [(f"pandana.{name}", operator.attrgetter(name)(pandana)) for name in names]
    except MissingDependencyError:
        pass  # without pandas
    for name, thing in [*((name, getattr(apsp, name)) for name in apsp.__all__), *own]:
        if name.startswith("_") or not thing.__module__.startswith("apsp"):
            continue
        yield name, inspect.getdoc(thing)
        if inspect.isclass(thing):
            for member in dir(thing):
                if not member.startswith("_") and not hasattr(Exception, member):
                    yield f"{name}.{member}", inspect.getdoc(getattr(thing, member))


EXAMPLES = {name: text for name, text in public_docstrings() if text is not None and ">>> " in text}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for package in OPTIONAL:
        if f"import {package}" in EXAMPLES[name] or f", {package}" in EXAMPLES[name]:
            pytest.importorskip(package)
    test = doctest.DocTestParser().get_doctest(EXAMPLES[name], {}, name, name, 0)
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(test, out=report.append)
    assert not report, "".join(report)


def test_no_example_is_lost():
    assert len(EXAMPLES) > 60
