"""The matrices of several costs between zones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from apsp._types import JsonObject, NumPyArray, PathLike
from apsp.errors import RequestError, shown
from apsp.graph.long_table import LongTable
from apsp.graph.tabular import Tabular
from apsp.result.skims.long_form import first_pairs, long_form
from apsp.system.arguments import flag
from apsp.system.inputs import Input, inputs_among
from apsp.system.lack_of_memory import memory_errors

__all__ = ["Skims"]


class Skims(Tabular):
    """Matrices of costs between zones, by name as in a dictionary; `apsp.skim` computes them.

    Parameters
    ----------
    names : tuple of str
        The cost that the paths minimise, then the others.
    matrices : (K, S, T) float64
        A matrix per name, infinite where there is no path.
    zones, targets : (S,) and (T,) arrays
        Labels of the origins and of the destinations.
    info : dict, optional
        How they were computed: method, device, threads, seconds; empty if they were read from a file.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1], [1, 2], [5, 4], labels=["a", "b", "c"])
    >>> found = apsp.skim(graph, {"length": [1.5, 2.5]}, cost="minutes")
    >>> found
    Skims(minutes, length; 3 x 3)
    >>> list(found), found["length"][0].tolist()
    (['minutes', 'length'], [0.0, 1.5, 4.0])
    """

    _inputs: frozenset[Input] = frozenset()
    """The files that the graph was read from, which are not overwritten."""

    def __init__(
        self, names: tuple[str, ...], matrices: npt.NDArray[np.float64] | None, zones: NumPyArray,
        targets: NumPyArray, info: JsonObject | None = None,
    ) -> None:  # fmt: skip
        self.names = names
        self._matrices = matrices
        self.zones = zones
        self.targets = targets
        self.info: JsonObject = {} if info is None else info

    def __getitem__(self, name: str) -> NumPyArray:
        if name not in self.names:
            raise RequestError(f"there is no cost {shown(name)}; there are {', '.join(map(repr, self.names))}")
        found: NumPyArray = self._matrix(name)
        return found

    def _matrix(self, name: str) -> Any:
        """The matrix of a name that there is."""
        return self.matrices[self.names.index(name)]

    @property
    def matrices(self) -> npt.NDArray[np.float64]:
        """All matrices, (K, S, T) float64, in the order of the names."""
        assert self._matrices is not None
        return self._matrices

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def keys(self) -> tuple[str, ...]:
        """Return the names of the costs.

        Returns
        -------
        tuple of str
            The cost that the paths minimise, then the others.

        Examples
        --------
        >>> import apsp
        >>> apsp.skim(apsp.from_edges([0, 1], [1, 2], [5, 4]), {"length": [1.5, 2.5]}).keys()
        ('cost', 'length')
        """
        return self.names

    def values(self) -> list[NumPyArray]:
        """Return the matrices in the order of the names.

        Returns
        -------
        list of (S, T) float64
            A matrix per cost, not copied.

        Examples
        --------
        >>> import apsp
        >>> found = apsp.skim(apsp.from_edges([0, 1], [1, 2], [5, 4]), {"length": [1.5, 2.5]})
        >>> [float(matrix.min()) for matrix in found.values()]
        [0.0, 0.0]
        """
        return [self._matrix(name) for name in self.names]

    def items(self) -> list[tuple[str, NumPyArray]]:
        """Return the names with their matrices.

        Returns
        -------
        list of (str, (S, T) float64)
            A pair per cost.

        Examples
        --------
        >>> import apsp
        >>> found = apsp.skim(apsp.from_edges([0, 1], [1, 2], [5, 4]), {"length": [1.5, 2.5]})
        >>> {name: float(matrix[0, 2]) for name, matrix in found.items()}
        {'cost': 9.0, 'length': 4.0}
        """
        return [(name, self._matrix(name)) for name in self.names]

    @memory_errors
    def to_long(self, *, only_reachable: bool = True) -> dict[str, NumPyArray]:
        """Return columns origin, destination and one per cost, with one row per pair.

        Parameters
        ----------
        only_reachable : bool
            Leave out pairs without a path.

        Returns
        -------
        dict of str to array
            The columns; `to_pandas`, `to_polars` and `to_arrow` return them as a table, without pairs that have no
            path.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1], [1, 2], [5, 4], labels=["a", "b", "c"])
        >>> columns = apsp.skim(graph, {"length": [1.5, 2.5]}, zones=["a", "c"]).to_long()
        >>> columns["origin"].tolist(), columns["destination"].tolist(), columns["length"].tolist()
        (['a', 'a', 'c'], ['a', 'c', 'c'], [0.0, 4.0, 0.0])
        """
        has_path = flag(only_reachable, "only_reachable")
        return long_form(*self._parts(), only_reachable=has_path).to_dict()

    @memory_errors
    def to_omx(
        self, path: PathLike, *, compression: int | None = None, dtype: Literal["float64", "float32"] = "float64",
        scales: Mapping[str, int] | None = None,
    ) -> None:  # fmt: skip
        """Write the matrices as an Open Matrix (OMX) file, the HDF5 format of transport planning software.

        Parameters
        ----------
        path : str or Path
            The file; an old one stays until the new one is complete.
        compression : int, optional
            Level of zlib, 1 to 9; by default the matrices are not compressed, which is faster.
        dtype : {'float64', 'float32'}
            Of the matrices in the file. With float32 the file is half as large, and integers up to 2^24 are exact.
        scales : mapping of str to int, optional
            Costs that are stored as integers, in the narrowest of uint16, int32 and int64 that holds them: value times
            scale, rounded. ``{"minutes": 100}`` keeps hundredths of minutes, in a quarter of the space up to 655
            minutes; a value is at most half a hundredth off.

        Raises
        ------
        MissingDependencyError
            If h5py is not installed.
        RequestError
            If the labels are neither integers nor text, an argument is invalid, or the file cannot hold the name of a
            cost (such as 'a/b') or a label as it is.
        OutputError
            If the file cannot be written.

        Notes
        -----
        Pairs without a path are not-a-number, of integers the largest of their dtype. The attributes scale_factor and
        _FillValue of the CF conventions say so, and `read_omx` reads the values. The labels of the zones are the lookup
        'zone' (of a matrix that is not square 'origin' and 'destination').

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1], [1, 2], [5, 4])
        >>> apsp.skim(graph, {"length": [1.5, 2.5]}).to_omx("skims.omx")  # doctest: +SKIP
        """
        from apsp.result.skims.omx_writing import write_omx
        from apsp.result.skims.scaled import checked_scales

        with inputs_among(self._inputs):
            write_omx(*self._parts(), path, compression, dtype, scales=checked_scales(scales, self.names))

    @memory_errors
    def write(self, path: PathLike) -> None:
        """Write the matrices to a file, which appears complete or not at all.

        Parameters
        ----------
        path : str or Path
            The file. Its ending selects the form: .omx as `to_omx`; .csv and .parquet the table of `to_long`; .npz a
            matrix per name, and the labels as 'zones' and 'targets', for `numpy.load`.

        Raises
        ------
        RequestError
            If it has another ending, or the labels or the names do not fit the form.
        MissingDependencyError
            If h5py (.omx) or pyarrow (.parquet) is not installed.
        OutputError
            If the file cannot be written.

        Examples
        --------
        >>> import apsp, numpy
        >>> graph = apsp.from_edges([0, 1], [1, 2], [5, 4], labels=["a", "b", "c"])
        >>> apsp.skim(graph, {"length": [1.5, 2.5]}, zones=["a", "c"]).write("skims.npz")
        >>> with numpy.load("skims.npz") as saved:
        ...     saved["length"].tolist(), saved["zones"].tolist()
        ([[0.0, 4.0], [inf, 0.0]], ['a', 'c'])
        """
        from apsp.result.skims.files import write_skims

        with inputs_among(self._inputs):
            write_skims(*self._parts(), path)

    def _parts(self) -> tuple[dict[str, NumPyArray], NumPyArray, NumPyArray]:
        """The matrices by name, and the labels of their rows and columns."""
        return dict(self.items()), self.zones, self.targets

    def _table(self) -> LongTable:
        return long_form(*self._parts())

    def _head(self, rows: int) -> tuple[LongTable, int]:
        return first_pairs(*self._parts(), rows)

    def __repr__(self) -> str:
        return f"Skims({', '.join(self.names)}; {len(self.zones):,} x {len(self.targets):,})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Skims):
            return NotImplemented
        if self.names != other.names:
            return False
        pairs = [(self.zones, other.zones), (self.targets, other.targets)]
        pairs += zip(self.values(), other.values(), strict=True)
        return all(np.array_equal(mine, theirs) for mine, theirs in pairs)

    __hash__ = None  # type: ignore[assignment]
