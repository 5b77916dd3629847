"""Geodesic distances as a transformer of scikit-learn: `pip install 'apsp[sklearn]'`.

The import also makes the limits of threadpoolctl apply to this package: see `apsp.threadpoolctl`.
"""

from __future__ import annotations

from apsp.errors import MissingDependencyError

try:
    from apsp.compat.sklearn.geodesic import GeodesicDistance
    from apsp.compat.threadpoolctl import register
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] != "sklearn":
        raise
    raise MissingDependencyError("scikit-learn", "apsp.sklearn", "sklearn") from error

__all__ = ["GeodesicDistance"]

register()
