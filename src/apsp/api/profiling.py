"""A solve whose launches, accesses and copies on a GPU are counted."""

from __future__ import annotations

from typing import Literal, get_args

from apsp._types import BytesLike, DeviceLike, DTypeLike, GraphLike, MethodName, VerticesLike
from apsp.api.solving import solve
from apsp.errors import RequestError
from apsp.gpu.recorder import recording
from apsp.graph.places import Places
from apsp.graph.turns.turn_graph import refuse_turns
from apsp.result.profile import Profile, profile_of
from apsp.running.public import public
from apsp.system.arguments import one_of, whole_number
from apsp.system.progress import Progress

__all__ = ["Order", "profile"]

Order = Literal["forward", "backward", "random"]
"""The order in which an emulated GPU runs the threads of a block."""


@public
def profile(
    graph: GraphLike,
    *,
    method: MethodName,
    device: DeviceLike = "auto",
    order: Order = "forward",
    seed: int = 0,
    sources: VerticesLike | Places | None = None,
    targets: VerticesLike | Places | None = None,
    cutoff: float | None = None,
    dtype: DTypeLike = "auto",
    paths: bool = False,
    gpu_memory: BytesLike | None = None,
    threads: int | None = None,
    progress: Progress = False,
) -> Profile:
    """Solve a graph by a GPU method and count what it does.

    On an emulated GPU all accesses to memory are counted; the counts depend on the graph and the method alone, not on
    the machine. Blocks run one after another, so that counting takes 3 to 15 times as long as solving does
    on one core.

    Parameters
    ----------
    {graph}
    method : str
        A method of `apsp.list_methods()` that runs on GPUs.
    device : {'auto', 'emulated', 'emulated:0,1', 'cuda', 'cuda:0,1'}
        'auto' is the emulated GPU.
    order : {'forward', 'backward', 'random'}
        Order in which an emulated GPU runs the threads of a warp and the warps of a block between two barriers: a
        kernel without races gives the same distances in every order.
    seed : int
        Of the random order.
    sources, targets : vertex or sequence of vertices, or Places, optional
        As for `apsp.solve`.
    cutoff : int or float, optional
        As for `apsp.solve`.
    {dtype}
    {paths}
    {gpu_memory}
    {threads}
    {progress}

    Returns
    -------
    Profile
        The counts, per kernel and in all, and the result.

    Raises
    ------
    RequestError
        If `order` is invalid, or the method does not run on GPUs.
    GraphError, UnknownMethodError, MethodRefusedError, DtypeRangeError, DeviceError, MemoryLimitError
        As `apsp.solve`.
    NegativeCycleError
        If a requested source reaches a cycle of negative length; the error holds the cycle.

    Notes
    -----
    A warp access is the k-th execution of an instruction by the threads of a warp since their last barrier. The rules
    by which it becomes transactions are those of the CUDA programming guide 2.0, section 5.1.2.1, for capability 1.x,
    and 32-byte sectors for today's.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.generate("random", 64, m=256, seed=1)
    >>> counted = apsp.profile(graph, method="harish-fw")
    >>> counted.kernel("relax_pairs").launches, counted.kernel("relax_pairs").global_loads == 3 * 64**3
    (64, True)
    """
    refuse_turns(graph, "this function")
    one_of(order, "order", get_args(Order))
    seed = whole_number(seed, "seed", least=0, most=2**64 - 1)

    device = "emulated" if isinstance(device, str) and device == "auto" else device
    if isinstance(device, str) and device == "cpu":
        raise RequestError("device='cpu': only what runs on a GPU is counted; give device='emulated' or 'cuda'")
    with recording(order, seed) as recorder:
        result = solve(
            graph, sources=sources, targets=targets, cutoff=cutoff, dtype=dtype, paths=paths, method=method,
            device=device, gpu_memory=gpu_memory, threads=threads, progress=progress,
        )  # fmt: skip
    return profile_of(result, recorder)
