"""A dense graph whose matrix of lengths stays in the memory of its GPU.

Arrays of any package are read through DLPack without a copy (CuPy, PyTorch, JAX, ...). CuPy's current stream waits for
work that the package has queued on its stream, as DLPack requires.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp._types import DType, LabelsLike
from apsp.errors import GraphError
from apsp.graph.arrays import absent_entry, warn_of_zeros
from apsp.graph.checks import labels_of_graph
from apsp.graph.costs import NO_COSTS
from apsp.graph.host_matrix import host_graph
from apsp.graph.model import Graph
from apsp.semiring import unreachable
from apsp.system.array_device import is_on_gpu, to_host
from apsp.system.cached import cached_property

if TYPE_CHECKING:
    from apsp.graph.dense_facts import DenseFacts

__all__ = ["DeviceGraph", "device_array", "device_graph"]

_NEVER, _VALUE, _NOT_A_NUMBER = range(3)  # as in gpu/dense_arcs.cuh


def device_array(values: Any, what: str) -> Any:
    """A CuPy array on the same memory.

    Raises
    ------
    GraphError
        If CuPy is missing, or the array cannot be read through DLPack.
    """
    try:
        cupy = importlib.import_module("cupy")
    except ImportError as error:
        raise GraphError(f"{what} lies on a GPU, and reading it takes CuPy: pip install 'apsp[cuda]'") from error
    if is_on_gpu(values):
        return values
    try:
        return cupy.from_dlpack(values) if hasattr(values, "__dlpack__") else cupy.asarray(values)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise GraphError(f"{what} cannot be read through DLPack: {error}") from error


def device_graph(
    matrix: Any, *, absent: float | None = None, directed: bool = True, labels: LabelsLike | None = None
) -> DeviceGraph:
    """As `apsp.graph.dense.from_dense`, for an array in the memory of a GPU."""
    array = device_array(matrix, "the matrix")
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise GraphError(f"the matrix must have shape (n, n), not {array.shape}")
    if array.dtype.kind not in "iufb":
        raise GraphError(f"the matrix must hold numbers, not {array.dtype}")
    hops, told = array.dtype.kind == "b", absent is not None
    if absent is None:
        absent = 0 if hops else unreachable(array.dtype)
    entry = absent_entry(absent, array.dtype)
    with array.device:
        if array.dtype == np.uint64:
            array, absent = _signed(array, absent)
        lengths = _lengths((array == array if entry is None else array != entry) if hops else array)
        if not directed:
            _check_symmetric(lengths)
    absent = 0 if hops else absent
    graph = DeviceGraph(lengths, absent, hops=hops, directed=directed, labels=labels)
    pairs = graph.n * (graph.n - 1)
    if not told and not hops and graph.m >= pairs > 0:
        warn_of_zeros(graph.facts.zero_arcs, pairs, array.dtype)
    return graph


def _signed(array: Any, absent: float) -> tuple[Any, float]:
    """Return a uint64 matrix as int64 on the same memory, and the entry that means "no arc".

    Raises
    ------
    GraphError
        If int64 cannot represent an entry; the message names the first.
    """
    ends = np.iinfo(np.int64)
    beyond = array > np.uint64(ends.max)
    if ends.max < absent <= np.iinfo(np.uint64).max:
        beyond &= array != np.uint64(absent)
        absent = int(absent) - 2**64  # the same bits; no length is negative
    elif absent < 0:
        absent = float("nan")  # no entry is
    if array.size and bool(beyond.any()):
        u, v = divmod(int(beyond.argmax()), len(array))
        raise GraphError(
            f"entry [{u}, {v}] is {array[u, v].item()}, and lengths must be at most 2^63 - 1: absent= states "
            f"which value means that there is no arc, or divide the lengths"
        )
    return array.view(np.int64), absent


def _lengths(array: Any) -> Any:
    """The array in one of the four dtypes of lengths with contiguous rows; the same array if it is one already."""
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind == "f":
        wanted: Any = np.float32 if size <= 4 else np.float64
    else:
        wanted = np.int32 if size < 4 or (kind == "i" and size == 4) else np.int64
    array = array.astype(wanted, copy=False)
    n = len(array)
    pitch, itemsize = array.strides[0], array.itemsize
    if n > 1 and (array.strides[1] != itemsize or pitch < n * itemsize or pitch % itemsize):
        array = array.copy(order="C")
    return array


def _check_symmetric(lengths: Any) -> None:
    differs = (lengths != lengths.T) & ((lengths == lengths) | (lengths.T == lengths.T))
    if lengths.size and bool(differs.any()):
        u, v = divmod(int(differs.argmax()), len(lengths))
        raise GraphError(
            f"entry [{u}, {v}] is {lengths[u, v].item()} but [{v}, {u}] is {lengths[v, u].item()}: an undirected graph "
            "has a symmetric matrix; pass directed=True, or the smaller of both"
        )


class DeviceGraph(Graph):
    """A dense graph on a GPU. Its matrix is not copied: do not change it while the graph is in use.

    Work that needs CSR arrays (methods of the CPU, paths that were not kept) copies the matrix to the host, once.

    Parameters
    ----------
    matrix : (n, n) int32, int64, float32 or float64 CuPy array, rows contiguous
    absent : number
        The entry that means "no arc".
    hops : bool
        All arcs have length 1, regardless of the entries of the matrix.
    directed : bool
        False promises a symmetric matrix.
    labels : sequence of n different hashable values, optional

    Raises
    ------
    GraphError
        If an entry is not a length; the message names it.
    """

    matrix: Any
    absent: int | float
    absent_kind: int

    def __init__(
        self, matrix: Any, absent: float, *, hops: bool = False, directed: bool = True, labels: LabelsLike | None = None
    ) -> None:
        from apsp.graph.dense_facts import facts_of

        self.matrix = matrix
        self.directed = directed
        self.labels = labels_of_graph(labels, len(matrix))
        self.coordinates = self.zones = self.links = self.crs = None
        self.costs = NO_COSTS
        self.absent, self.absent_kind = _absent(matrix.dtype, absent)
        self._hops = hops
        self.facts: DenseFacts = facts_of(matrix, self.absent, self.absent_kind)

    @cached_property
    def _host(self) -> Graph:
        matrix = to_host(self.matrix)
        if self._hops:
            return host_graph(matrix != 0, None, self.directed, self.labels)
        never = self.absent_kind == _NEVER
        absent = float("nan") if never else self.absent
        return host_graph(matrix, absent, self.directed, self.labels)

    @property
    def n(self) -> int:
        """Number of vertices."""
        return len(self.matrix)

    @property
    def m(self) -> int:
        """Number of arcs; an undirected edge counts as two."""
        return self.facts.m

    @property
    def is_weighted(self) -> bool:
        """False if the graph counts hops."""
        return not self._hops

    @property
    def weight_dtype(self) -> DType | None:
        """Dtype of the lengths; None if the graph counts hops."""
        return None if self._hops else self.matrix.dtype

    @property
    def has_integer_weights(self) -> bool:
        """Distances are integers: the weights are, or the graph counts hops."""
        return bool(self.matrix.dtype.kind == "i")

    @property
    def weight_range(self) -> tuple[int | float, int | float]:
        """The shortest and the longest arc; 0 and 0 without arcs."""
        return self.facts.min_weight, self.facts.max_weight

    @property
    def mean_weight(self) -> float:
        """Not measured on a GPU: 1."""
        return 1.0

    @property
    def max_out_degree(self) -> int:
        """The largest number of arcs out of a vertex."""
        return self.facts.max_out_degree

    @property
    def has_negative_arc(self) -> bool:
        """Some arc is shorter than zero."""
        return self.facts.min_weight < 0

    @property
    def has_zero_arc(self) -> bool:
        """Some arc that is not a self-loop has length zero."""
        return self.facts.zero_arcs > 0

    @property
    def indptr(self) -> npt.NDArray[np.int64]:  # type: ignore[override]
        """Row offsets, on the host."""
        return self._host.indptr

    @property
    def indices(self) -> npt.NDArray[np.int32]:  # type: ignore[override]
        """Heads of the arcs, on the host."""
        return self._host.indices

    @property
    def weights(self) -> npt.NDArray[Any] | None:  # type: ignore[override]
        """Lengths of the arcs, on the host."""
        return self._host.weights

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle as a graph on the host."""
        return self._host.__reduce__()

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        weights = "hops" if self._hops else str(self.matrix.dtype)
        return f"DeviceGraph(n={self.n}, m={self.m}, {kind}, {weights}, on GPU {self.matrix.device.id})"


def _absent(dtype: np.dtype[Any], absent: float) -> tuple[int | float, int]:
    """The value in the dtype, and its kind; 0 and "never" if no entry can be equal to it."""
    entry = absent_entry(absent, dtype)
    if entry is None:
        return 0, _NEVER
    return (int(entry), _VALUE) if dtype.kind != "f" else (float(entry), _NOT_A_NUMBER if entry != entry else _VALUE)
