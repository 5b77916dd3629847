"""Geodesic distances as a transformer of scikit-learn: `pip install 'apsp[sklearn]'`.

The import also registers this package with threadpoolctl, which scikit-learn needs: see `apsp.threadpoolctl`.
"""

from __future__ import annotations

from apsp.errors import MissingDependencyError

try:
    from apsp.compat.sklearn.geodesic import GeodesicDistance
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] != "sklearn":
        raise
    raise MissingDependencyError("scikit-learn", "apsp.sklearn", "sklearn") from error


__all__ = ["GeodesicDistance"]
