"""What happens when a GPU fails in the middle of the work. The GPU is a fake."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import apsp
from apsp.errors import DeviceError, MemoryLimitError, RequestError
from apsp.methods.problem import Solver
from apsp.planning import Request, attempts, planner
from apsp.planning.attempts import attempt
from apsp.running import planned_rows
from fake_cupy import CUDARuntimeError, FakeCuda, OutOfMemoryError

RING = apsp.generate("ring", 500, weights=(1, 9))  # too large for the short way that plans nothing
ON_GPU = replace(planner.plan_for(RING), device="cuda", gpus=(0,), matrix_in="device", bytes_on_gpu=1 << 20)
PAGED = replace(ON_GPU, matrix_in="host")


@pytest.fixture
def cuda(monkeypatch: pytest.MonkeyPatch) -> FakeCuda:
    return FakeCuda().install(monkeypatch)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Request]:
    """What was planned: the GPU, then pages if memory is limited, then the CPU."""
    requests: list[Request] = []

    def plan_for(graph: apsp.Graph, request: Request) -> apsp.Plan:
        requests.append(request)
        if request.device == "cpu":
            return planner.plan_for(graph, request)
        return ON_GPU if request.gpu_memory is None else PAGED

    monkeypatch.setattr(attempts, "plan_for", plan_for)
    return requests


def failing(*errors: BaseException | None) -> Any:
    """Work that fails as told, call by call."""
    left = list(errors)

    def work(decided: apsp.Plan) -> str:
        error = left.pop(0)
        if error is not None:
            raise error
        return decided.matrix_in if decided.device == "cuda" else "cpu"

    return work


def test_nothing_fails(cuda, asked):
    assert attempt(RING, Request(device="cuda"), failing(None)) == ("device", None)
    assert cuda.freed == []
    attempt(RING, Request(), failing(None))
    assert cuda.freed, "who did not ask for a GPU gets its memory back"


def test_memory_that_runs_out_is_tried_once_more_in_pages(cuda, asked):
    outcome, note = attempt(RING, Request(device="cuda"), failing(OutOfMemoryError("out of memory"), None))
    assert outcome == "host"
    assert "through pages in host memory instead: work on GPU 0 (during the run: out of memory)" in (note or "")
    assert asked[-1].gpu_memory == ON_GPU.bytes_on_gpu // 2
    assert cuda.freed


@pytest.mark.slow
def test_memory_that_runs_out_twice_is_an_error(cuda, asked):
    with pytest.raises(
        MemoryLimitError, match=r"a narrower dtype; a smaller gpu_memory, to compute in pages; device='cpu'"
    ):
        attempt(RING, Request(device="cuda"), failing(OutOfMemoryError("full"), OutOfMemoryError("full")))


def test_no_way_through_pages(cuda, monkeypatch):
    def plan_for(_: apsp.Graph, request: Request) -> apsp.Plan:
        if request.gpu_memory is not None:
            raise MemoryLimitError("pages", 2, 1, ["less"])
        return ON_GPU

    monkeypatch.setattr(attempts, "plan_for", plan_for)
    with pytest.raises(MemoryLimitError, match="work on GPU 0"):
        attempt(RING, Request(device="cuda"), failing(OutOfMemoryError("full")))


def test_a_gpu_that_nobody_asked_for_fails_quietly(cuda, asked):
    broken = CUDARuntimeError("cudaErrorECCUncorrectable: uncorrectable ECC error")
    outcome, note = attempt(RING, Request(), failing(broken, None))
    assert outcome == "cpu"
    assert "computed on the CPU instead: GPU 0 failed during the run: cudaErrorECCUncorrectable" in (note or "")
    with pytest.raises(DeviceError, match=r"GPU 0 failed during the run: cudaErrorECC.*see nvidia-smi"):
        attempt(RING, Request(device="cuda"), failing(broken))


def test_other_errors_pass(cuda, asked):
    for error in (KeyboardInterrupt(), RequestError("no"), ValueError("x")):
        with pytest.raises(type(error)):
            attempt(RING, Request(), failing(error))
        assert cuda.freed.pop() == 0


def test_the_frames_of_an_error_hold_no_arrays(cuda, asked):
    class Array:
        held = 0

        def __init__(self) -> None:
            Array.held += 1

        def __del__(self) -> None:
            Array.held -= 1

    def work(_: apsp.Plan) -> None:
        array = Array()
        raise KeyboardInterrupt(str(array)[:0])

    try:
        attempt(RING, Request(device="cuda"), work)
    except KeyboardInterrupt:
        assert Array.held == 0


def test_solve_says_what_happened(cuda, asked, monkeypatch):
    class Broken(Solver):
        def fill(self, *_: object) -> None:
            raise CUDARuntimeError("cudaErrorLaunchFailure")

    prepared = planned_rows.prepared
    monkeypatch.setattr(
        planned_rows, "prepared", lambda *given: Broken() if given[1].device == "cuda" else prepared(*given)
    )
    result = apsp.solve(RING)
    assert result.info["device"] == "cpu"
    assert "cudaErrorLaunchFailure" in result.info["note"]
    assert result.distance(0, 0) == 0
