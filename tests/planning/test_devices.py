"""The words for devices and for their memory."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from apsp.errors import DeviceError, RequestError
from apsp.facts.devices import chosen_gpus, gpu_memory_from, parse_bytes, parse_device
from apsp.planning import Gpu, Request

GPU = Gpu("NVIDIA H200", 140 << 30, 139 << 30, (9, 0))


@pytest.mark.parametrize(
    ("word", "meaning"),
    [
        ("auto", ("auto", ())),
        ("cpu", ("cpu", ())),
        ("cuda", ("cuda", ())),
        ("cuda:0", ("cuda", (0,))),
        ("cuda:1", ("cuda", (1,))),
        ("cuda:2,0,11", ("cuda", (2, 0, 11))),
        ("emulated", ("emulated", ())),
        ("emulated:0,1", ("emulated", (0, 1))),
    ],
)
def test_devices(word, meaning):
    assert parse_device(word) == meaning
    asked = Request(device=word)
    assert (asked.device, asked.gpus) == meaning
    again = replace(asked, threads=3)
    assert (again.device, again.gpus) == meaning


@pytest.mark.parametrize(
    "word",
    ["", "gpu", "CUDA", "cuda:", "cuda:-1", "cuda:0,", "cuda:0 1", "cuda:x", "cuda:²", "cpu:0", "emulated:", "emulate",
     0, None],
)  # fmt: skip
def test_devices_that_are_none(word):
    with pytest.raises(RequestError, match=r"unknown device .*cuda:0,2.*emulated:0,1"):
        Request(device=word)


@pytest.mark.parametrize("word", ["cuda:0,0", "emulated:1,0,1"])
def test_a_gpu_named_twice(word):
    with pytest.raises(RequestError, match="twice"):
        Request(device=word)


@pytest.mark.parametrize(
    ("size", "count"),
    [
        (1, 1),
        (1.5e9, 1_500_000_000),
        ("17179869184", 16 << 30),
        ("16GiB", 16 << 30),
        ("16 gib", 16 << 30),
        ("16gi", 16 << 30),
        ("16GB", 16 * 10**9),
        ("16g", 16 * 10**9),
        (" 0.5 TiB ", 1 << 39),
        ("500 MB", 500_000_000),
        ("2KiB", 2048),
        ("7 B", 7),
    ],
)
def test_sizes(size, count):
    assert parse_bytes(size, "gpu_memory") == count
    assert Request(gpu_memory=size).gpu_memory == count


@pytest.mark.parametrize(
    "size", [0, -1, True, float("nan"), float("inf"), "", "GiB", "1e9", "-1GiB", "16 i", "٣", b"1"]
)
def test_sizes_that_are_none(size):
    with pytest.raises(RequestError, match=r"gpu_memory must be a number of bytes .*'16GiB'"):
        Request(gpu_memory=size)


def test_the_environment_variable(monkeypatch):
    monkeypatch.setenv("APSP_GPU_MEMORY", "8GiB")
    assert gpu_memory_from(None) == 8 << 30
    assert gpu_memory_from(5) == 5
    monkeypatch.setenv("APSP_GPU_MEMORY", " ")
    assert gpu_memory_from(None) is None
    monkeypatch.setenv("APSP_GPU_MEMORY", "much")
    with pytest.raises(RequestError, match=r"APSP_GPU_MEMORY must .*'much'"):
        gpu_memory_from(None)


def test_a_file_for_pages(tmp_path):
    assert Request(pages_file=str(tmp_path / "pages")).pages_file == tmp_path / "pages"
    assert Request(pages_file=Path("pages")).pages_file == Path("pages")
    with pytest.raises(RequestError, match="is a folder"):
        Request(pages_file=tmp_path)
    with pytest.raises(RequestError, match="there is no folder"):
        Request(pages_file=tmp_path / "none" / "pages")


def test_the_gpus_that_work():
    old = replace(GPU, name="Tesla K80", unusable="too old")
    assert chosen_gpus((), (GPU, GPU)) == (0,)
    assert chosen_gpus((), (old, GPU)) == (1,)
    assert chosen_gpus((1, 0), (GPU, GPU)) == (1, 0)
    with pytest.raises(DeviceError, match=re.escape("there is no GPU 3; there are 0 (NVIDIA H200), 1 (NVIDIA H200)")):
        chosen_gpus((0, 3), (GPU, GPU))
    with pytest.raises(DeviceError, match=re.escape("there is no GPU 1; there is 0 (NVIDIA H200)")):
        chosen_gpus((1,), (GPU,))
    with pytest.raises(DeviceError, match=re.escape("GPU 0 (Tesla K80) cannot be used: too old")):
        chosen_gpus((0,), (old, GPU))
    with pytest.raises(DeviceError, match=r"no GPU can be used: 0 \(Tesla K80: too old\); use device='cpu'"):
        chosen_gpus((), (old,))
