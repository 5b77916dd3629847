"""`pandana`, with the shortest paths of this package: `pip install 'apsp[pandana]'`.

`from apsp import pandana` replaces `import pandana`: the class `Network` has every method of pandana's, with its
signature, defaults and results, but distances are exact. After `install`, programs that import pandana get this module.
"""

from __future__ import annotations

import sys
import types

from apsp.errors import MissingDependencyError, RequestError

try:
    from apsp.compat.pandana import cyaccess, loaders, network, utils
    from apsp.compat.pandana.loaders import osm, pandash5
    from apsp.compat.pandana.network import Network
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] != "pandas":
        raise
    raise MissingDependencyError("pandas", "apsp.pandana", "pandana") from error

__all__ = ["Network", "cyaccess", "install", "loaders", "network", "uninstall", "utils"]

version = __version__ = "0.8"
"""The version of pandana whose interface this is."""


def install() -> None:
    """Make `import pandana` import this module, in the whole process, until `uninstall`.

    Raises
    ------
    RequestError
        If pandana itself is imported already: call this before.

    Examples
    --------
    >>> from apsp import pandana
    >>> pandana.install()
    >>> from pandana.network import Network
    >>> Network is pandana.Network
    True
    >>> pandana.uninstall()
    """
    modules = _modules()
    for name, module in modules.items():
        if sys.modules.get(name, module) is not module:
            raise RequestError(f"{name} is imported already: call apsp.pandana.install() before its first import")
    sys.modules.update(modules)


def uninstall() -> None:
    """Make `import pandana` import pandana itself again. Without `install` it does nothing.

    Examples
    --------
    >>> from apsp import pandana
    >>> pandana.install()
    >>> pandana.uninstall()
    """
    for name, module in _modules().items():
        if sys.modules.get(name) is module:
            del sys.modules[name]


def _modules() -> dict[str, types.ModuleType]:
    return {
        "pandana": sys.modules[__name__],
        "pandana.network": network,
        "pandana.cyaccess": cyaccess,
        "pandana.utils": utils,
        "pandana.loaders": loaders,
        "pandana.loaders.osm": osm,
        "pandana.loaders.pandash5": pandash5,
    }
