"""Kernels of emulated GPUs: launched like CuPy's, run immediately, counted while a run is recorded."""

from __future__ import annotations

import difflib
import functools
import math
import sys
from collections.abc import Sequence
from typing import Any

from apsp.errors import DeviceError
from apsp.gpu.counts import Race
from apsp.gpu.emulated.arrays import DeviceArray
from apsp.gpu.emulated.device import current_device
from apsp.gpu.emulated.run import emulation
from apsp.gpu.recorder import active_recorder, kernel_name
from apsp.system.lack_of_memory import is_lack_of_memory

__all__ = ["EmulatedKernel", "kernels"]


class EmulatedKernel:
    """One instantiation.

    Parameters
    ----------
    expression : str
        For example 'apsp::relax_pairs<int>'.
    cooperative : bool
        A launch has at most as many blocks as run together, which is one here.
    """

    def __init__(self, expression: str, *, cooperative: bool = False) -> None:
        self.expression, self.name, self._cooperative = expression, kernel_name(expression), cooperative

    def __call__(
        self,
        grid: tuple[int, ...],
        block: tuple[int, ...],
        arguments: tuple[Any, ...],
        *,
        shared_mem: int = 0,  # noqa: ARG002 - as CuPy's: every block has as much as a launch may ask for
        stream: object = None,  # noqa: ARG002 - as CuPy's: a launch has ended when this returns
    ) -> None:
        """Run it.

        Raises
        ------
        ValueError
            If a grid, a block or an argument is invalid for the kernel.
        DeviceError
            If the threads of a block wait, but not at one barrier, so that none can continue.
        """
        if self._cooperative and math.prod(grid) > 1:
            raise ValueError(f"{self.name} is cooperative: {math.prod(grid)} blocks do not run together, but 1 does")
        owners = {argument.owner for argument in arguments if isinstance(argument, DeviceArray)}
        if owners and current_device() not in owners:
            raise RuntimeError(f"{self.name} starts on GPU {current_device()}, and its arrays reside on {owners}")
        extension, recorder, now = _extension(), active_recorder(), emulation()
        try:
            if recorder is None:
                cores = 1 if now is None else now.cores
                extension.launch(self.expression, grid, block, arguments, DeviceArray, cores)
                return
            counts, races = extension.launch_counted(
                self.expression, grid, block, arguments, DeviceArray, recorder.order, recorder.seed
            )
        except RuntimeError as error:
            raise DeviceError(f"emulated GPU: {error}") from error
        recorder.add(self.name, counts)
        recorder.races += [Race(self.name, *race) for race in races]


def kernels(expressions: Sequence[str], *, cooperative: bool = False) -> dict[str, EmulatedKernel]:
    """Return a dictionary expression -> kernel, as `apsp.gpu.jit.kernels` does for real GPUs.

    Raises
    ------
    DeviceError
        If one is not compiled into this package.
    """
    there = _compiled()
    for expression in expressions:
        if expression not in there:
            raise DeviceError(f"the emulated GPU has no kernel {expression}; {_alternatives(expression, there)}")
    return {expression: EmulatedKernel(expression, cooperative=cooperative) for expression in expressions}


def _alternatives(expression: str, there: frozenset[str]) -> str:
    same = [each for each in sorted(there) if kernel_name(each) == kernel_name(expression)]
    if not same:
        return "it needs a CUDA GPU"
    near = difflib.get_close_matches(expression, same, n=8, cutoff=0) or same[:8]
    return f"compiled into this package are, among others: {', '.join(near)}"


@functools.cache
def _compiled() -> frozenset[str]:
    return frozenset(_extension().kernels(counted=False))


def _extension() -> Any:
    try:
        from apsp import _emulated
    except ImportError as error:
        if is_lack_of_memory(error):
            raise MemoryError(str(error)) from error
        if sys.platform == "win32":
            raise DeviceError("the emulated GPU is not there for Windows; use device='cpu'") from error
        raise DeviceError(f"this installation has no emulated GPU: {error}; install apsp again") from error
    return _emulated
