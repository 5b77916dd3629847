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
    """Return the number of the GPU in 'cuda' or 'cuda:1'; None for 'cpu' and 'auto'. Several GPUs raise an error.

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
    jit.cupy()  # raises an error that names what is missing
    return chosen_gpus(request.gpus, with_gpus(Machine.detect()).gpus)[0]
