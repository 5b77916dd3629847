"""The GPU of an oracle."""

from __future__ import annotations

from apsp.errors import RequestError
from apsp.facts.devices import chosen_gpus
from apsp.facts.request import Request
from apsp.gpu import jit
from apsp.gpu.gpus import with_gpus
from apsp.system.machine import Machine

__all__ = ["gpu_named"]


def gpu_named(device: str) -> int | None:
    """The number of the GPU that 'cuda' or 'cuda:1' means; None for 'cpu' and 'auto'. Several raise an error.

    Raises
    ------
    RequestError, DeviceError
    """
    request = Request(device=device)
    if request.device == "emulated":
        raise RequestError("an oracle lies in host memory or on a real GPU; emulated GPUs run methods of apsp.solve")
    if request.device != "cuda":
        return None
    if len(request.gpus) > 1:
        raise RequestError(
            f"an oracle lies on one GPU, and device={device!r} names several: name one, or use "
            "apsp.solve, apsp.stream or apsp.summary, which share sources between them"
        )
    jit.cupy()  # raises the error that names what is missing
    return chosen_gpus(request.gpus, with_gpus(Machine.detect()).gpus)[0]
