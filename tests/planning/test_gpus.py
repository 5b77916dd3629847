"""Looking for GPUs: drivers too old, GPUs too old, GPUs that others hold. CuPy is a fake."""

from __future__ import annotations

import re
import sys

import pytest

from apsp.errors import DeviceError
from apsp.gpu import jit
from apsp.gpu.gpus import with_gpus
from fake_cupy import FakeCuda, FakeGpu
from invented import LAPTOP


def test_a_gpu(monkeypatch):
    FakeCuda([FakeGpu(), FakeGpu(free=8 << 30)], pool_free=1 << 30, pool_used=2 << 30).install(monkeypatch)
    found = with_gpus(LAPTOP)
    assert found.no_gpu is None
    first, second = found.gpus
    assert (first.name, first.capability, first.peers) == ("NVIDIA H200", (9, 0), (1,))
    assert (first.memory_total, first.memory_free, first.memory_held) == (140 << 30, 139 << 30, 2 << 30)
    assert (first.multiprocessors, first.clock, first.unusable) == (132, 1_980_000_000, None)
    assert second.memory_free == 9 << 30
    assert jit.cupy() is sys.modules["cupy"]


@pytest.mark.parametrize(
    ("cuda", "words"),
    [
        (
            FakeCuda(nvrtc="libnvrtc.so.13: cannot open"),
            r"NVRTC cannot be loaded \(libnvrtc.*pip install 'apsp\[cuda\]'",
        ),
        (FakeCuda(driver=0, count_error="cudaErrorInsufficientDriver"), "there is no NVIDIA driver; install it"),
        (
            FakeCuda(driver=12040, count_error="cudaErrorInsufficientDriver: CUDA driver version is insufficient"),
            r"driver is too old: it supports CUDA 12\.4, and CuPy here needs 13\.0; update .*apsp\[cuda12\]",
        ),
        (FakeCuda(count_error="cudaErrorNoDevice: no CUDA-capable device"), "no usable GPU .*no CUDA-capable device"),
        (FakeCuda([]), "CuPy finds no NVIDIA GPU on this machine; check nvidia-smi and CUDA_VISIBLE_DEVICES"),
        (
            FakeCuda([FakeGpu("Tesla P100", (6, 0))]),
            r"GPU 0 \(Tesla P100\) has compute capability 6\.0, but at least 7\.0 is needed",
        ),
        (
            FakeCuda([FakeGpu("Tesla V100", (7, 0))]),
            r"GPU 0 \(Tesla V100\).*7\.0, which CUDA 13 no longer supports: pip uninstall cupy-cuda13x.*cuda12",
        ),
    ],
)
def test_why_there_is_none(monkeypatch, cuda, words):
    cuda.install(monkeypatch)
    found = with_gpus(LAPTOP)
    assert found.gpus == ()
    assert re.search(words, found.no_gpu or "")
    with pytest.raises(DeviceError, match=rf"device='cuda': .*{words}.*or use device='cpu'"):
        jit.cupy()


def test_without_cupy_and_with_a_broken_one(monkeypatch):
    monkeypatch.setattr(jit, "why_no_gpu", jit.why_no_gpu.__wrapped__)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert re.search(r"need CuPy: pip install 'apsp\[cuda\]'", with_gpus(LAPTOP).no_gpu or "")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: object())

    def broken(_: str) -> None:
        raise ImportError("libcudart.so.13: cannot open shared object file\nand more")

    monkeypatch.setattr("importlib.import_module", broken)
    assert "CuPy cannot be imported (libcudart.so.13: cannot open shared object file)" in (
        with_gpus(LAPTOP).no_gpu or ""
    )


def test_an_old_gpu_with_cuda_12(monkeypatch):
    FakeCuda([FakeGpu("Tesla V100", (7, 0))], nvrtc=(12, 9)).install(monkeypatch)
    assert [gpu.unusable for gpu in with_gpus(LAPTOP).gpus] == [None]


def test_one_of_two_cannot_be_used(monkeypatch):
    FakeCuda([FakeGpu("Tesla P100", (6, 0)), FakeGpu()]).install(monkeypatch)
    old, new = with_gpus(LAPTOP).gpus
    assert "at least 7.0" in (old.unusable or "")
    assert new.unusable is None


def test_a_gpu_that_does_not_start(monkeypatch):
    busy = "cudaErrorDevicesUnavailable: CUDA-capable device(s) is/are busy or unavailable"
    FakeCuda([FakeGpu(error=busy), FakeGpu()]).install(monkeypatch)
    machine = with_gpus(LAPTOP)
    assert busy in (machine.gpus[0].unusable or "")
    FakeCuda([FakeGpu(error=busy)]).install(monkeypatch)
    machine = with_gpus(LAPTOP)
    assert machine.gpus == ()
    assert busy in (machine.no_gpu or "")
