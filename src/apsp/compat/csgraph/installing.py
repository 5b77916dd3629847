"""Shortest paths of this package in the place of SciPy's, for libraries that call SciPy.

A library that executed `from scipy.sparse.csgraph import shortest_path` holds SciPy's function object in its own
module. So every attribute of a loaded module that is one of SciPy's functions is replaced, and restored later. The
replacement is a separate function, not `apsp.csgraph.shortest_path`: it calls SciPy again after this package is
uninstalled, so references to it that are kept elsewhere still work, and functions that a module imported from
`apsp.csgraph` explicitly are not changed.
"""

from __future__ import annotations

import functools
import inspect
import sys
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from apsp.compat.csgraph import matrices, peer, searches

__all__ = ["install", "installed", "uninstall"]

_ORIGINALS = ("scipy.sparse.csgraph._", peer.__name__)
"""Modules that keep SciPy's functions: those behind its public one, which call each other, and ours that calls them."""


class _State:
    """Whether this package is in the place of SciPy; changed with the lock held."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.by_install = False
        self.contexts = 0

    @property
    def active(self) -> bool:
        return self.by_install or self.contexts > 0


_state = _State()


def _stand_in(ours: Callable[..., Any], theirs: Callable[..., Any]) -> Callable[..., Any]:
    """A function that calls ours while this package is installed, and SciPy's otherwise."""
    known = frozenset(inspect.signature(ours).parameters)

    @functools.wraps(theirs, assigned=("__doc__",), updated=())  # the signature is SciPy's, too
    def stand_in(*args: Any, **kwargs: Any) -> Any:
        """Call ours, but SciPy with a parameter of a later version."""
        return (ours if _state.active and known.issuperset(kwargs) else theirs)(*args, **kwargs)

    stand_in.__name__ = stand_in.__qualname__ = ours.__name__  # so that it is pickled by its place in this module
    return stand_in


shortest_path = _stand_in(matrices.shortest_path, peer.shortest_path)
floyd_warshall = _stand_in(matrices.floyd_warshall, peer.floyd_warshall)
dijkstra = _stand_in(searches.dijkstra, peer.dijkstra)
johnson = _stand_in(searches.johnson, peer.johnson)
bellman_ford = _stand_in(searches.bellman_ford, peer.bellman_ford)

_PAIRS = [
    (peer.shortest_path, shortest_path),
    (peer.floyd_warshall, floyd_warshall),
    (peer.dijkstra, dijkstra),
    (peer.johnson, johnson),
    (peer.bellman_ford, bellman_ford),
]


def install() -> None:
    """Put this package's shortest paths in the place of SciPy's, until `uninstall`.

    Notes
    -----
    It applies to the whole process: to every module that has one of SciPy's five functions as an attribute, loaded
    before or after the call. Processes that are started later need a call of their own. A second call does nothing.

    Examples
    --------
    >>> import scipy.sparse.csgraph
    >>> from apsp import csgraph
    >>> csgraph.install()
    >>> scipy.sparse.csgraph.dijkstra([[0, 3], [0, 0]]).tolist()
    [[0.0, 3.0], [inf, 0.0]]
    >>> csgraph.uninstall()
    """
    with _state.lock:
        _state.by_install = True
        _exchange()


def uninstall() -> None:
    """Restore SciPy's functions where `install` replaced them.

    Notes
    -----
    Inside `with installed():` they are restored when the outermost block ends. References to the functions that were
    kept elsewhere while this package was installed call SciPy afterwards.

    Examples
    --------
    >>> import scipy.sparse.csgraph
    >>> from apsp import csgraph
    >>> original = scipy.sparse.csgraph.dijkstra
    >>> csgraph.install()
    >>> csgraph.uninstall()
    >>> scipy.sparse.csgraph.dijkstra is original
    True
    """
    with _state.lock:
        _state.by_install = False
        if not _state.active:
            _exchange()


@contextmanager
def installed() -> Iterator[None]:
    """Put this package's shortest paths in the place of SciPy's for a block: `with apsp.csgraph.installed():`.

    Yields
    ------
    None
        Nothing; the context manager is also a decorator of functions.

    Notes
    -----
    It applies to all threads of the process. Blocks may be nested, and overlap in several threads: SciPy's functions
    are restored when the last one ends, unless `install` was called.

    Examples
    --------
    >>> import scipy.sparse.csgraph
    >>> from apsp import csgraph
    >>> with csgraph.installed():
    ...     distances = scipy.sparse.csgraph.shortest_path(scipy.sparse.csr_array([[0, 3], [4, 0]]))
    >>> distances.tolist()
    [[0.0, 3.0], [4.0, 0.0]]
    """
    with _state.lock:
        _state.contexts += 1
        if _state.contexts == 1 and not _state.by_install:
            _exchange()
    try:
        yield
    finally:
        with _state.lock:
            _state.contexts -= 1
            if not _state.active:
                _exchange()


def _exchange() -> None:
    """Replace SciPy's functions in all loaded modules if this package is active, else restore them."""
    pairs = _PAIRS if _state.active else [(new, old) for old, new in _PAIRS]
    by_id = {id(old): new for old, new in pairs}  # what modules hold need not be hashable
    for name, module in list(sys.modules.items()):
        is_module = issubclass(type(module), types.ModuleType)  # cffi's libraries only say that they are
        if name.startswith(_ORIGINALS) or name == __name__ or not is_module:
            continue
        namespace = object.__getattribute__(module, "__dict__")  # a module that is loaded on use stays unloaded
        for attribute, value in list(namespace.items()):
            if id(value) in by_id:
                namespace[attribute] = by_id[id(value)]
