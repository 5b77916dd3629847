"""The public function for products of matrices over a semiring."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from apsp._types import AnyArray, ArrayLike, DeviceLike, HostOrGpuArray, ProductSemiringName
from apsp.api.batch.request import DTYPES, gpu_for
from apsp.errors import GraphError, RequestError, shown
from apsp.facts.devices import parse_device
from apsp.gpu.emulated.run import entered
from apsp.gpu.memory import free_on_failure
from apsp.gpu.moving import empty, moved, on
from apsp.graph.arrays import number_array
from apsp.graph.device import device_array
from apsp.methods.floyd_warshall import product as products
from apsp.running.output import check_own, taken, wait_for
from apsp.running.public import public
from apsp.semiring import MAX_PLUS, SEMIRINGS, Semiring
from apsp.system.arguments import flag, one_of
from apsp.system.array_device import gpu_of, is_on_gpu, lies_on_gpu, of_package, to_host
from apsp.system.machine import threads_from, threads_named

__all__ = ["product"]

_SEMIRINGS = {"min_plus": SEMIRINGS["min_plus"], "max_plus": MAX_PLUS, **SEMIRINGS}


@dataclass
class _Request:
    semiring: Semiring
    dtype: str
    witness: bool
    threads: int
    gpu: int | None
    """Number of the GPU; None for the CPU."""
    emulated: bool


@public
def product(
    a: ArrayLike,
    b: ArrayLike,
    *,
    semiring: ProductSemiringName = "min_plus",
    witness: bool = False,
    device: DeviceLike = "auto",
    dtype: str = "auto",
    out: AnyArray | None = None,
    threads: int | None = None,
) -> HostOrGpuArray | tuple[HostOrGpuArray, HostOrGpuArray]:
    """Compute the product of matrices over a semiring, such as the distance product (min, +).

    Entry [i, j] of the product of two matrices is the best of ``a[i, k] join b[k, j]`` over all k. Products of batches
    of matrices are computed together.

    Parameters
    ----------
    a : (..., m, k) array
        NumPy, nested lists, or any array with DLPack (CuPy, PyTorch, JAX), which is not copied.
    b : (..., k, n) array
        The first axes of both are broadcast, as by `numpy.matmul`.
    semiring : {'min_plus', 'max_plus', 'max_min', 'min_max', 'or_and'}
        Names of the operations: the first chooses, the second joins. 'or_and' takes booleans.
    witness : bool
        Also return the smallest k that attains each entry (the arg-min or arg-max).
    device : 'auto', 'cpu', 'cuda', 'cuda:1' or 'emulated'
        'auto' computes on the GPU that holds a or b, else on the CPU.
    dtype : {'auto', 'uint16', 'int32', 'int64', 'float32', 'float64'}
        'auto' is that of `out`, or the common dtype of a and b; integers become wider unless the sum of the largest
        entries provably fits. Sums never wrap. Booleans for 'or_and'.
    out : (..., m, n) array, optional
        Array for the product; it must not overlap a or b, and its content is undefined after an error.
    {threads}

    Returns
    -------
    (..., m, n) array, or (product, witness) with `witness`
        Of the same package as a (or b) if computed on its device, else NumPy or CuPy. `witness` is int32, and -1 where
        there is no path.

    Raises
    ------
    GraphError
        If an operand is not an array of matrices of numbers; the message names an entry that is not a number.
    RequestError, DeviceError, MemoryLimitError
        If the shapes do not fit, or the request is invalid.
    DtypeRangeError
        If the dtype is not proven to hold every sum.

    See Also
    --------
    solve_batch : All shortest distances of many small graphs.

    Notes
    -----
    One value of each dtype means "no path", in operands and in products: no pair with it is ever chosen, and an entry
    of the product has it if there is no pair.

    ============  =======  ======  =======================  ==========================
    semiring      choose   join    no path, floats          no path, integers
    ============  =======  ======  =======================  ==========================
    min_plus      minimum  sum     inf                      `apsp.unreachable(dtype)`
    max_plus      maximum  sum     -inf                     the smallest of the dtype
    max_min       maximum  lesser  -inf                     the smallest of the dtype
    min_max       minimum  larger  inf                      `apsp.unreachable(dtype)`
    or_and        or       and     False                    False
    ============  =======  ======  =======================  ==========================

    The entries of unsigned arrays are all numbers in 'max_plus' and 'max_min', whose products are signed. In boolean
    operands True is 1 and False is no path. uint16 is a dtype of 'min_plus' only. The sign of a zero is not defined.

    Cost: m x n x k pairs per product, with `witness` about twice the time on a CPU.

    Examples
    --------
    >>> import apsp, numpy
    >>> inf = numpy.inf
    >>> a = numpy.array([[0, 3, inf], [inf, 0, 1]])
    >>> b = numpy.array([[5, inf], [1, inf], [0, 2]])
    >>> apsp.product(a, b)
    array([[ 4., inf],
           [ 1.,  3.]])
    >>> apsp.product(a, b, witness=True)[1]
    array([[ 1, -1],
           [ 1,  2]], dtype=int32)
    """
    one_of(semiring, "semiring", _SEMIRINGS)
    one_of(dtype, "dtype", ("auto", "bool") if semiring == "or_and" else ("auto", *DTYPES))
    kind, numbers = parse_device(device)
    if len(numbers) > 1:
        raise RequestError(f"device={device!r}: a product is computed on one GPU; split it, or name one GPU")
    flag(witness, "witness")
    if out is None and kind in ("auto", "cpu"):
        found = products.at_once(a, b, _SEMIRINGS[semiring], dtype, threads_named(threads), witness=witness)
        if found is not None:
            return found
    work = _Request(_SEMIRINGS[semiring], dtype, witness, threads_from(threads), None, kind == "emulated")
    left, right, target = _operand(a, "a", semiring), _operand(b, "b", semiring), _target(out)
    shape = products.shape_of(left, right)
    holder = next((each for each in (left, right) if is_on_gpu(each)), left)
    if work.emulated:
        work.gpu = 0
    elif kind == "cuda" or (kind == "auto" and is_on_gpu(holder)):
        work.gpu = gpu_for(numbers, holder)
    if target is not None:
        dtypes = ("bool",) if work.semiring.join == "and" else DTYPES
        check_own(target, shape, dtypes, work.dtype, work.gpu, {"a or b": (left, right)})
        work.dtype = target.dtype.name if dtype == "auto" else dtype
    with _on_device(work):
        result, pivots = _computed(left, right, shape, target, work)
        wait_for(target)
    like = a if holder is left else b
    on_gpu = is_on_gpu(holder)
    stays = is_on_gpu(result) == on_gpu and (not on_gpu or gpu_of(holder) == work.gpu)
    given = [result if out is None else out, pivots]
    if stays:
        given = [of_package(each, like) if each is not out and each is not None else each for each in given]
    return tuple(given) if work.witness else given[0]


def _operand(values: Any, name: str, semiring: str) -> Any:
    """A NumPy or CuPy array of numbers with at least two axes."""
    array = device_array(values, name) if lies_on_gpu(values) else np.asarray(number_array(values, name))
    if array.ndim == 0:
        raise GraphError(f"{name} must be a dense array of shape (..., rows, columns), not {shown(values)}")
    if array.ndim == 1:
        raise GraphError(
            f"{name} must have shape (..., rows, columns), not {array.shape}: use {name}[None, :] for a row"
        )
    if semiring == "or_and":
        if array.dtype.kind != "b":
            raise GraphError(f"{name} must hold booleans for 'or_and', not {array.dtype}: pass {name} != 0")
    elif array.dtype.kind not in "iufb":
        remedy = ": give an array of integers below 2^63, or of floats" if array.dtype.kind == "O" else ""
        raise GraphError(f"{name} must hold numbers, not {array.dtype}{remedy}")
    if array.ndim > products.MOST_AXES:
        raise GraphError(
            f"{name} has {array.ndim} axes, but at most {products.MOST_AXES} are supported: reshape joins axes"
        )
    if max(array.shape[-2:]) >= 2**31:
        raise GraphError(f"{name} has shape {array.shape}: at most {2**31 - 1:,} rows and columns are supported")
    return array


def _target(out: Any) -> Any:
    """The caller's array for the product: on the host, one whose functions are those of NumPy."""
    target = taken(out)
    if isinstance(target, np.ma.MaskedArray) and np.ma.is_masked(target):
        raise RequestError("out has masked entries, which would stay masked: give out.data")
    return target.view(np.ndarray) if isinstance(target, np.ndarray) else target


@contextmanager
def _on_device(work: _Request) -> Iterator[None]:
    """On a GPU, raise clear errors and free device memory after them."""
    if work.emulated:
        with entered(cores=work.threads):
            yield
    elif work.gpu is None:
        yield
    else:
        with free_on_failure([work.gpu]), on(work.gpu):
            yield


def _computed(left: Any, right: Any, shape: tuple[int, ...], target: Any, work: _Request) -> tuple[Any, Any]:
    a, b = moved(left, work.gpu), moved(right, work.gpu)
    here = target is not None and is_on_gpu(target) == (work.gpu is not None)
    if work.semiring.join == "and":
        result, pivots = _new(target, here, shape, "bool", work)
        products.multiply_bools(a, b, result, pivots, work.threads)
    else:
        mixed = np.result_type(a.dtype, b.dtype) if "f" in (a.dtype.kind, b.dtype.kind) else None
        a, b = (
            products.with_kernel_dtype(each, name, work.semiring) for each, name in ((a, "a"), (b, "b"))
        )  # fmt: skip
        entries = (
            products.bounds(a, "a", work.semiring, work.threads), products.bounds(b, "b", work.semiring, work.threads)
        )  # fmt: skip
        name = products.kernel_dtype(work.dtype, a.dtype, b.dtype, mixed, entries, work.semiring)
        result, pivots = _new(target, here, shape, name, work)
        a, b = (products.converted(each, name, work.semiring, which) for each, which in ((a, "a"), (b, "b")))
        products.multiply(a, b, result, pivots, work.semiring, entries, work.threads)
    if work.emulated:
        result, pivots = to_host(result), None if pivots is None else to_host(pivots)
    if target is not None and not here:
        target[...] = to_host(result)
        result = target
    return result, pivots


def _new(target: Any, here: bool, shape: tuple[int, ...], dtype: str, work: _Request) -> tuple[Any, Any]:
    result = target if here else empty(shape, dtype, work.gpu)
    return result, empty(shape, "int32", work.gpu) if work.witness else None
