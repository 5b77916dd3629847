"""Type aliases of public signatures.

Graphs and arrays of other packages are protocols, so that no package is imported for its types.
"""

from __future__ import annotations

import enum
import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ForwardRef, Literal, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from apsp._outside_types import OutsideGraph, OutsideTable

if TYPE_CHECKING:
    from dask.array import Array as DaskArray
    from geopandas import GeoDataFrame
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from networkx import Graph as NxGraph
    from pandas import DataFrame, Series
    from polars import DataFrame as PolarsFrame
    from pyarrow import Table as ArrowTable
    from scipy.sparse import csr_array
    from xarray import DataArray, Dataset

    from apsp.graph.model import Graph
else:
    Graph = ForwardRef("Graph", module="apsp.graph.model")  # evaluated at run time, with the signatures
    # Classes of packages that only the functions load whose signatures name them.
    ArrowTable = Axes = DaskArray = DataArray = DataFrame = Dataset = Figure = GeoDataFrame = Any
    NxGraph = PolarsFrame = Series = csr_array = Any

__all__ = [
    "USUAL",
    "AnyArray",
    "ArrayLike",
    "ArrowTable",
    "Axes",
    "BytesLike",
    "CrsLike",
    "DLPackArray",
    "DType",
    "DTypeLike",
    "DTypeName",
    "DaskArray",
    "DataArray",
    "DataFrame",
    "Dataset",
    "DeviceLike",
    "ExecutorLike",
    "Figure",
    "FileLike",
    "FileObject",
    "GeoDataFrame",
    "GraphLike",
    "HostOrGpuArray",
    "JsonObject",
    "KnownMethod",
    "LabelsLike",
    "MethodName",
    "NetworkXGraph",
    "NumPyArray",
    "NxGraph",
    "ObjectStore",
    "Openable",
    "PathLike",
    "PlacesLike",
    "PolarsFrame",
    "ProductSemiringName",
    "SemiringName",
    "Series",
    "SparseArray",
    "SpmdDevice",
    "StoreLike",
    "TableLike",
    "Usual",
    "Vertex",
    "VertexLike",
    "VerticesLike",
    "WeightLike",
    "csr_array",
]


class DLPackArray(Protocol):
    """An array of another package, on the host or on a GPU: CuPy, PyTorch, JAX, ..."""

    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any:
        """Export the array."""
        ...


class SparseArray(Protocol):
    """A SciPy sparse array or matrix."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows and columns."""
        ...

    def tocoo(self, *args: Any, **kwargs: Any) -> Any:
        """Give the entries as coordinates."""
        ...


class NetworkXGraph(Protocol):
    """A graph of NetworkX, directed or not, with or without parallel edges."""

    @property
    def nodes(self) -> Any:
        """The nodes, which become labels."""
        ...

    @property
    def edges(self) -> Any:
        """The edges."""
        ...

    @property
    def adj(self) -> Any:
        """The neighbours of every node."""
        ...

    def is_directed(self) -> bool:
        """Tell whether edges are one-way."""
        ...


NumPyArray: TypeAlias = npt.NDArray[Any]
"""An array of NumPy, whose dtype depends on the graph and the request."""

HostOrGpuArray: TypeAlias = Any
"""An array of NumPy, or one of CuPy where the result stays on a GPU."""

DType: TypeAlias = np.dtype[Any]
"""A dtype of NumPy that depends on the graph and the request."""

AnyArray: TypeAlias = npt.NDArray[Any] | DLPackArray
"""An array of NumPy, or of a package that exports DLPack."""

ArrayLike: TypeAlias = npt.ArrayLike | DLPackArray
"""Anything that can be converted to an array of numbers: a number, nested lists, an array of NumPy or of a package that
exports DLPack."""

GraphLike: TypeAlias = (
    Graph | SparseArray | NetworkXGraph | npt.NDArray[Any] | DLPackArray | OutsideGraph | OutsideTable
)
"""A graph, or an object that is converted to one: a SciPy sparse array, an (n, n) array of lengths (also on a GPU), a
graph of NetworkX, igraph, rustworkx, NetworKit, graph-tool, PyG or DGL, a sparse array of PyTorch, JAX or GraphBLAS, or
a table of edges."""

TableLike: TypeAlias = OutsideTable | Mapping[Any, Any]
"""A table: of pandas, polars, PyArrow or DuckDB, anything that exports an Arrow stream, or a dictionary of columns."""


class Usual(enum.Enum):
    """The default of arguments of which None is a possible value."""

    USUAL = "usual"

    def __repr__(self) -> str:
        return "<usual>"


USUAL = Usual.USUAL

WeightLike: TypeAlias = str | Callable[..., Any] | Sequence[float] | AnyArray | Usual | None
"""The lengths of edges: the name of an attribute, a function, a number per edge, None (hops), or the usual one."""

VertexLike: TypeAlias = Hashable
"""A vertex, as the graph labels it: an integer, a string, a tuple, anything but None that can be a dictionary key."""

VerticesLike: TypeAlias = VertexLike | Iterable[VertexLike] | DLPackArray
"""One vertex, or several: a range, list, array, pandas index or series. A label of the graph is one vertex."""

Vertex: TypeAlias = Any
"""A vertex in a result, as the graph labels it: of the type of the labels that the caller gave."""

LabelsLike: TypeAlias = Iterable[VertexLike]
"""A different label per vertex, in the order of the vertices."""

DTypeName: TypeAlias = Literal["uint16", "int32", "int64", "float32", "float64"]
"""A dtype of distances."""

DTypeLike: TypeAlias = Literal["auto"] | DTypeName | str | np.dtype[Any] | type[np.generic]  # noqa: PYI051 - completed by editors
"""The dtype of distances: 'auto' (the narrowest that provably holds them), its name, or what NumPy calls it."""

DeviceLike: TypeAlias = str
"""'auto', 'cpu', 'cuda' (the first GPU), 'cuda:1', 'cuda:0,2' (several), 'emulated' or 'emulated:0,1'."""


class TaskEngine(Protocol):
    """An engine that runs tasks: a `concurrent.futures.Executor`, a `dask.distributed.Client`, ..."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Start a task and return its future."""
        ...


ExecutorLike: TypeAlias = Literal["processes"] | TaskEngine
"""'processes' on this machine, or an engine, which may use others."""

KnownMethod: TypeAlias = Literal[
    "auto", "floyd-warshall", "dijkstra", "dijkstra-buckets", "label-correcting", "bfs", "bit-bfs", "johnson",
    "near-pairs", "elimination", "reference",
]  # fmt: skip
"""Methods that editors complete; other packages add more."""

MethodName: TypeAlias = KnownMethod | str
"""'auto', or a name of `apsp.list_methods()`."""

SemiringName: TypeAlias = Literal["min_plus", "max_min", "min_max"] | str  # noqa: PYI051
"""Shortest, widest or minimax paths."""

SpmdDevice: TypeAlias = Literal["cpu", "cuda"] | str  # noqa: PYI051
"""What every process of `apsp.spmd` computes on."""

ProductSemiringName: TypeAlias = Literal["min_plus", "max_plus", "max_min", "min_max", "or_and"] | str  # noqa: PYI051
"""The semiring of a product of matrices."""

BytesLike: TypeAlias = int | str
"""A number of bytes, or text such as '16GiB'."""

PathLike: TypeAlias = str | os.PathLike[str]
"""The name of a file."""


class FileObject(Protocol):
    """A file that is open for reading bytes or text."""

    def read(self, size: int = -1, /) -> bytes | str:
        """Read so many bytes or characters, or all that are left."""
        ...


class Openable(Protocol):
    """What can be opened, such as a `zipfile.Path`."""

    @property
    def open(self) -> Callable[..., Any]:
        """Open it: `open("rb")`."""
        ...


FileLike: TypeAlias = FileObject | Openable
"""A file object of bytes or text, or what can be opened, such as a `zipfile.Path`."""


PlacesLike: TypeAlias = npt.ArrayLike | TableLike | PathLike
"""Points: an array of x and y, a table, a dictionary, geometries, or the name of a file of them."""


class NamedCrs(Protocol):
    """A coordinate reference system of pyproj."""

    def to_json_dict(self) -> Any:
        """Describe it as PROJJSON."""
        ...


CrsLike: TypeAlias = Literal["degrees", "microdegrees", "plane"] | str | NamedCrs  # noqa: PYI051
"""What coordinates are: longitudes and latitudes, millionths of them, lengths, or a system that pyproj knows."""


class ObjectStore(Protocol):
    """A store of the package obstore: a bucket."""

    def get(self, path: str, /) -> object:
        """Read an object."""
        ...

    def put(self, path: str, file: bytes, /) -> object:
        """Write an object."""
        ...


StoreLike: TypeAlias = str | os.PathLike[str] | ObjectStore
"""Where a store lies: a folder, a URL such as s3://bucket/distances.zarr, or a store of the package obstore."""

JsonObject: TypeAlias = dict[str, Any]
"""What `json.dumps` takes: strings, numbers, booleans, None, and lists and dictionaries of them."""
