"""The policies that `apsp tune` measured on the GPUs of this machine, by the name of the GPU and the algebra.

The file in the user's cache folder is used only for identical kernels, and only if its policies compile: a file of
another version or a broken one is ignored.
"""

from __future__ import annotations

import contextlib
import functools
import json
from dataclasses import astuple
from pathlib import Path
from typing import Any

from apsp.gpu import jit, nvrtc
from apsp.methods.floyd_warshall.kernels.policy import Policy, Shape
from apsp.system.cache import cache_folder, write_whole

__all__ = ["gpu_name", "remember", "remembered", "remembered_path"]

SCHEMA = 1

_BROKEN = (OSError, ValueError, TypeError, KeyError, AttributeError, RuntimeError)
"""Exceptions of reading any content as the file; RuntimeError: there is no home folder."""

Policies = dict[str, Policy]
"""Policies by algebra."""


def gpu_name(device: int) -> str:
    """Return the name of the GPU by the driver."""
    return str(jit.cupy().cuda.runtime.getDeviceProperties(device)["name"].decode())


def remembered_path() -> Path:
    """Return the path of the file of measured policies."""
    return cache_folder() / "gpu.json"


@functools.cache
def remembered(gpu: str) -> Policies:
    """Return the policies measured on GPUs of this name with these kernels, by algebra; a broken file is ignored."""
    with contextlib.suppress(*_BROKEN):
        kept = json.loads(remembered_path().read_text(encoding="utf-8"))
        if kept["schema"] == SCHEMA and kept["kernels"] == nvrtc.fingerprint("update.cu"):
            return {algebra: _policy(shapes) for algebra, shapes in kept["gpus"].get(gpu, {}).items()}
    return {}


def remember(gpu: str, policies: Policies) -> Path:
    """Store the policies of a GPU beside those of others; OutputError if the file cannot be written."""
    path, kernels = remembered_path(), nvrtc.fingerprint("update.cu")
    gpus: dict[str, Any] = {}
    with contextlib.suppress(*_BROKEN):
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["schema"] == SCHEMA and kept["kernels"] == kernels:
            gpus = dict(kept["gpus"])
    gpus[gpu] = {
        algebra: [[list(astuple(shape)), cost] for shape, cost in policy.shapes] for algebra, policy in policies.items()
    }
    text = json.dumps({"schema": SCHEMA, "kernels": kernels, "gpus": gpus}, indent=1)
    write_whole(path, text, "the measured tile policies")
    remembered.cache_clear()
    return path


def _policy(kept: list[Any]) -> Policy:
    """Read a policy; ValueError, TypeError or KeyError if it is invalid."""
    shapes = []
    for numbers, cost in kept:
        *sizes, multiplied = numbers
        sound = all(type(size) is int and 1 <= size <= 128 for size in sizes) and type(multiplied) is int
        if not sound or not 0 <= multiplied <= 12 or not 0.1 <= float(cost) <= 100:
            raise ValueError("not a shape")
        shapes.append((Shape(*numbers), float(cost)))
    if not shapes:
        raise ValueError("no shape")
    return Policy(tuple(shapes))
