"""`install`, `uninstall` and `installed`: SciPy's functions are replaced everywhere, and all are restored."""

from __future__ import annotations

import importlib.util
import inspect
import pickle
import subprocess
import sys
import threading
import types

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse import csgraph as scipy

import apsp.csgraph as csgraph
from apsp.compat.csgraph import installing, peer, searches

NAMES = ("shortest_path", "dijkstra", "floyd_warshall", "bellman_ford", "johnson")
GRAPH = sp.csr_array(np.array([[0, 3.0, 0], [0, 0, 4], [1, 0, 0]]))


@pytest.fixture(autouse=True)
def taken_out():
    assert not installing._state.active
    yield
    csgraph.uninstall()
    assert not installing._state.active
    assert holders() == []


@pytest.fixture
def calls(monkeypatch):
    """Sources of the calls that reach this package's dijkstra."""
    found = []

    def noted(*args):
        found.append(args[2])
        return True

    monkeypatch.setattr(searches, "scipy_is_faster", noted)
    return found


@pytest.fixture
def library():
    """A module that imported SciPy's functions before this package is installed."""
    module = types.ModuleType("library_that_calls_scipy")
    exec(
        "from scipy.sparse.csgraph import dijkstra, shortest_path as sp\nfrom scipy.sparse import csgraph", vars(module)
    )
    sys.modules[module.__name__] = module
    yield module
    del sys.modules[module.__name__]


def holders():
    """Modules that hold a replacement of one of SciPy's functions."""
    standing_in = [getattr(installing, name) for name in NAMES]
    return [
        name
        for name, module in list(sys.modules.items())
        if issubclass(type(module), types.ModuleType) and name != installing.__name__
        for value in list(object.__getattribute__(module, "__dict__").values())
        if any(value is each for each in standing_in)
    ]


def originals():
    return all(getattr(scipy, name) is getattr(peer, name) for name in NAMES)


def test_all_five_are_replaced_and_come_back(library, calls):
    before = dict(vars(library))
    csgraph.install()
    assert not any(getattr(scipy, name) is getattr(peer, name) for name in NAMES)
    assert library.dijkstra is library.csgraph.dijkstra is scipy.dijkstra
    assert library.sp is scipy.shortest_path
    library.dijkstra(GRAPH, indices=0)
    library.sp(GRAPH, method="D", indices=1)
    assert calls == [0, 1]
    csgraph.uninstall()
    assert vars(library) == before
    assert originals()
    library.dijkstra(GRAPH, indices=0)
    assert calls == [0, 1]


def test_what_was_imported_from_this_package_stays(library):
    library.ours = csgraph.dijkstra
    with csgraph.installed():
        assert library.ours is csgraph.dijkstra
    assert library.ours is csgraph.dijkstra
    assert csgraph.dijkstra is searches.dijkstra


def test_a_module_that_is_loaded_meanwhile_gets_scipy_back():
    with csgraph.installed():
        exec("from scipy.sparse.csgraph import johnson", vars(module := types.ModuleType("loaded_meanwhile")))
        sys.modules[module.__name__] = module
        assert module.johnson is not peer.johnson
    assert module.johnson is peer.johnson
    del sys.modules[module.__name__]


def test_kept_references_call_scipy_afterwards(calls):
    with csgraph.installed():
        kept = scipy.dijkstra
        kept(GRAPH, indices=2)
    assert kept(GRAPH, indices=1).tolist() == [5, 0, 4]
    assert calls == [2]
    with csgraph.installed():
        kept(GRAPH, indices=0)
    assert calls == [2, 0]


def test_blocks_are_nested_and_combined_with_install():
    with csgraph.installed():
        with csgraph.installed():
            pass
        assert not originals()
        csgraph.install()
    assert not originals()
    csgraph.install()  # twice is the same as once
    with csgraph.installed():
        csgraph.uninstall()
        assert not originals()
    assert originals()
    csgraph.uninstall()
    assert originals()


def test_an_error_in_the_block_takes_it_out():
    with pytest.raises(KeyError), csgraph.installed():
        raise KeyError
    assert originals()


def test_it_decorates_functions():
    @csgraph.installed()
    def function():
        return originals()

    assert [function(), function(), originals()] == [False, False, True]


def test_blocks_overlap_in_threads():
    outside, inside, wrong = threading.Event(), threading.Event(), []

    def first():
        with csgraph.installed():
            inside.set()
            outside.wait(5)
            wrong.append(originals())

    def many():
        for _ in range(30):
            with csgraph.installed():
                wrong.append(originals())
                scipy.dijkstra(GRAPH)

    thread = threading.Thread(target=first)
    thread.start()
    inside.wait(5)
    others = [threading.Thread(target=many) for _ in range(4)]
    for each in others:
        each.start()
    for each in others:
        each.join()
    assert not originals()
    outside.set()
    thread.join()
    assert not any(wrong)
    assert originals()


def test_a_module_that_is_loaded_on_use_stays_unloaded():
    spec = importlib.util.find_spec("this")
    spec.loader = importlib.util.LazyLoader(spec.loader)
    lazy = importlib.util.module_from_spec(spec)
    sys.modules.pop("this", None)
    sys.modules["this"] = lazy
    spec.loader.exec_module(lazy)
    try:
        with csgraph.installed():
            assert "s" not in object.__getattribute__(lazy, "__dict__")
    finally:
        del sys.modules["this"]


def test_modules_that_are_objects_of_other_classes_are_left_alone(monkeypatch):
    class Odd:
        def __getattr__(self, name):
            raise RuntimeError("do not touch")

    monkeypatch.setitem(sys.modules, "odd_module", Odd())
    with csgraph.installed():
        assert not originals()


@pytest.mark.parametrize("name", NAMES)
def test_what_stands_in_looks_like_scipy_and_is_pickled(name):
    function = getattr(installing, name)
    assert pickle.loads(pickle.dumps(function)) is function
    assert function.__name__ == name
    assert function.__doc__ == getattr(peer, name).__doc__
    assert inspect.signature(function) == inspect.signature(getattr(peer, name))


def test_parameters_of_later_versions_reach_scipy(monkeypatch):
    later = installing._stand_in(searches.dijkstra, lambda csgraph, some_new_option: some_new_option)
    with csgraph.installed():
        assert later(GRAPH, some_new_option=7) == 7


def test_a_process_forked_by_multiprocessing_keeps_it():
    """Importing the package alone replaces nothing."""
    program = """
import sys, apsp
assert "apsp.csgraph" not in sys.modules and "apsp.compat.csgraph" not in sys.modules
import multiprocessing, scipy.sparse.csgraph as scipy, apsp.csgraph
def replaced(_): return scipy.dijkstra.__module__ == "apsp.compat.csgraph.installing"
if __name__ == "__main__":
    assert not replaced(0)
    apsp.csgraph.install()
    with multiprocessing.get_context("fork").Pool(1) as pool:
        print(pool.map(replaced, [0]))
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[True]\n"


def test_objects_that_say_they_are_modules(monkeypatch):
    class Library:
        """As the libraries of cffi: no dictionary, and the class of modules."""

        __slots__ = ()
        __class__ = types.ModuleType

    monkeypatch.setitem(sys.modules, "a_library_of_cffi", Library())
    csgraph.install()
    assert installing._state.active
