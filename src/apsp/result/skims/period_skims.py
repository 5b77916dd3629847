"""The matrices of several costs between zones, per period."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import numpy as np
import numpy.typing as npt

from apsp._types import Dataset, JsonObject, NumPyArray, PathLike
from apsp.errors import RequestError, shown
from apsp.graph.periods import as_axis, checked_period
from apsp.result.skims.matrices import Skims
from apsp.system.inputs import Input, inputs_among
from apsp.system.lack_of_memory import memory_errors
from apsp.system.optional import needed

__all__ = ["PeriodSkims"]


class PeriodSkims:
    """Matrices of costs between zones per period, by the name of the period as in a dictionary.

    `apsp.skim(periods)` computes them.

    Parameters
    ----------
    periods : tuple of str or int
        The names of the periods.
    names : tuple of str
        The cost that the paths minimise, then the others.
    matrices : (P, K, S, T) float64
        A matrix per period and cost, infinite where there is no path.
    zones, targets : (S,) and (T,) arrays
        Labels of the origins and of the destinations.
    info : dict
        How they were computed: of the last period; `seconds` are those of all.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 5, 12], costs={"km": [3, 4, 9]})
    >>> day = graph.with_periods({"AM": [9, 12, 5], "MD": [4, 12, 5]})
    >>> found = apsp.skim(day, ["km"], cost="SOV_TIME", zones=[0, 2])
    >>> found
    PeriodSkims(2 periods; SOV_TIME, km; 2 x 2)
    >>> found["AM"]["km"].tolist(), found["MD"]["km"].tolist()
    ([[0.0, 9.0], [inf, 0.0]], [[0.0, 7.0], [inf, 0.0]])
    >>> found.by_cost("SOV_TIME").shape
    (2, 2, 2)
    """

    _inputs: frozenset[Input] = frozenset()
    """The files that the graph was read from, which are not overwritten."""

    def __init__(
        self, periods: tuple[str | int, ...], names: tuple[str, ...], matrices: npt.NDArray[np.float64] | None,
        zones: NumPyArray, targets: NumPyArray, info: JsonObject,
    ) -> None:  # fmt: skip
        self.periods = periods
        self.names = names
        self._matrices = matrices
        self.zones = zones
        self.targets = targets
        self.info = info

    def __getitem__(self, period: str | int) -> Skims:
        return self._skims(self.periods.index(checked_period(period, self.periods)))

    @property
    def matrices(self) -> npt.NDArray[np.float64]:
        """All matrices, (P, K, S, T) float64, in the order of the periods and of the names."""
        assert self._matrices is not None
        return self._matrices

    def _skims(self, place: int) -> Skims:
        """Those of the period of this number."""
        found = Skims(self.names, self.matrices[place], self.zones, self.targets, self.info)
        found._inputs = self._inputs
        return found

    def __contains__(self, period: object) -> bool:
        return period in self.periods

    def __iter__(self) -> Iterator[str | int]:
        return iter(self.periods)

    def __len__(self) -> int:
        return len(self.periods)

    def by_cost(self, name: str) -> npt.NDArray[np.float64]:
        """Return the matrices of one cost in all periods.

        Parameters
        ----------
        name : str
            The name of the cost.

        Returns
        -------
        (P, S, T) float64
            A matrix per period, not copied.

        Raises
        ------
        RequestError
            If there is no such cost.

        Examples
        --------
        >>> import apsp
        >>> day = apsp.from_edges([0, 1], [1, 2], [4, 5]).with_periods({"AM": [9, 12], "MD": [4, 5]})
        >>> apsp.skim(day, zones=[0, 2]).by_cost("cost")[:, 0, 1].tolist()
        [21.0, 9.0]
        """
        if not isinstance(name, str) or name not in self.names:
            raise RequestError(f"there is no cost {shown(name)}; there are {', '.join(map(repr, self.names))}")
        return self.matrices[:, self.names.index(name)]

    @memory_errors
    def to_omx(
        self, path: PathLike, *, compression: int | None = None, dtype: Literal["float64", "float32"] = "float64",
        scales: Mapping[str, int] | None = None,
    ) -> None:  # fmt: skip
        """Write all matrices to one Open Matrix (OMX) file, under names such as SOV_TIME__AM.

        Parameters
        ----------
        path : str or Path
            The file; an old one stays until the new one is complete.
        compression : int, optional
            As for `Skims.to_omx`.
        dtype : {'float64', 'float32'}
            As for `Skims.to_omx`.
        scales : mapping of str to int, optional
            As for `Skims.to_omx`; of a cost in all periods.

        Raises
        ------
        MissingDependencyError
            If h5py is not installed.
        RequestError
            As `Skims.to_omx`; if two matrices would have the same name.
        OutputError
            If the file cannot be written.

        Notes
        -----
        A name is that of the cost, two underscores and that of the period, as ActivitySim reads them. Each matrix has
        the attributes `cost` and `period`.

        Examples
        --------
        >>> import apsp
        >>> day = apsp.from_edges([0, 1], [1, 2], [4, 5]).with_periods({"AM": [9, 12], "MD": [4, 5]})
        >>> apsp.skim(day, cost="SOV_TIME").to_omx("skims.omx")  # doctest: +SKIP
        """
        from apsp.result.skims.omx_writing import write_omx
        from apsp.result.skims.scaled import checked_scales

        chosen, scaled = checked_scales(scales, self.names), dict[str, int]()
        matrices: dict[str, NumPyArray] = {}
        attributes: dict[str, dict[str, str | int]] = {}
        for name in self.names:
            for place, period in enumerate(self.periods):
                if (key := f"{name}__{period}") in matrices:
                    raise RequestError(f"two matrices would have the name {shown(key)}: rename a cost or a period")
                matrices[key] = self._skims(place)[name]
                attributes[key] = {"cost": name, "period": period}
                if name in chosen:
                    scaled[key] = chosen[name]
        with inputs_among(self._inputs):
            write_omx(matrices, self.zones, self.targets, path, compression, dtype, attributes, scaled)

    @memory_errors
    def to_xarray(self) -> Dataset:
        """Return the matrices as a Dataset of xarray, which writes them to Zarr and netCDF.

        Returns
        -------
        xarray.Dataset
            A variable per cost with the axes period, origin and destination; not-a-number where there is no path.

        Raises
        ------
        MissingDependencyError
            If xarray is not installed.

        Examples
        --------
        >>> import apsp, xarray
        >>> day = apsp.from_edges([0, 1], [1, 2], [4, 5]).with_periods({"AM": [9, 12], "MD": [4, 5]})
        >>> found = apsp.skim(day, cost="minutes").to_xarray()
        >>> float(found.minutes.sel(period="AM", origin=0, destination=2))
        21.0
        """
        xarray = needed("xarray", "PeriodSkims.to_xarray")
        axes: dict[str, NumPyArray] = {
            "period": as_axis(self.periods),
            "origin": self.zones,
            "destination": self.targets,
        }
        taken = [name for name in self.names if name in axes]
        if taken:
            raise RequestError(f"the cost {taken[0]!r} has the name of an axis: rename it")
        matrices = {name: self.by_cost(name) for name in self.names}
        found: Dataset = xarray.Dataset(
            {name: (tuple(axes), np.where(np.isinf(each), np.nan, each)) for name, each in matrices.items()},
            coords=axes,
        )
        return found

    def __repr__(self) -> str:
        size = f"{len(self.zones):,} x {len(self.targets):,}"
        return f"PeriodSkims({len(self):,} periods; {', '.join(self.names)}; {size})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PeriodSkims):
            return NotImplemented
        return self.periods == other.periods and all(self[period] == other[period] for period in self)

    __hash__ = None  # type: ignore[assignment]
