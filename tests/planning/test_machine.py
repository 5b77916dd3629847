"""What a process may use, from invented /proc and /sys trees."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import apsp
from apsp import _cpu
from apsp.errors import RequestError
from apsp.system.machine import Machine, threads_from

GIB = 1 << 30


def write(root: Path, **files: str) -> Path:
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def machine_of(root: Path, files: dict[str, str]) -> Machine:
    meminfo = f"MemTotal: {64 << 20} kB\nMemFree: {10 << 20} kB\nMemAvailable: {48 << 20} kB\n"
    return Machine.detect(write(root, **({"proc/meminfo": meminfo} | files)))


@pytest.fixture(autouse=True)
def sixteen_cores(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(16)), raising=False)
    monkeypatch.delenv("APSP_NUM_THREADS", raising=False)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)


def test_this_machine():
    machine = Machine.detect()
    assert machine.cores >= 1
    assert 0 < machine.memory_available <= machine.memory_total
    assert machine.isa == _cpu.isa()
    assert machine.gpus == ()


def test_no_limits(tmp_path):
    machine = machine_of(tmp_path, {"proc/self/cgroup": "0::/\n"})
    assert (machine.cores, machine.memory_total, machine.memory_available) == (16, 64 * GIB, 48 * GIB)


def test_control_group_version_2_limits_at_any_level(tmp_path):
    machine = machine_of(
        tmp_path,
        {
            "proc/self/cgroup": "0::/jobs/mine\n",
            "sys/fs/cgroup/jobs/mine/cpu.max": "max 100000",
            "sys/fs/cgroup/jobs/cpu.max": "250000 100000",
            "sys/fs/cgroup/jobs/mine/memory.max": str(8 * GIB),
            "sys/fs/cgroup/jobs/mine/memory.current": str(3 * GIB),
            "sys/fs/cgroup/jobs/mine/memory.stat": f"anon 5\ninactive_file {GIB}\n",
            "sys/fs/cgroup/jobs/memory.max": "max",
        },
    )
    assert (machine.cores, machine.memory_total, machine.memory_available) == (3, 8 * GIB, 6 * GIB)


def test_control_group_version_1(tmp_path):
    machine = machine_of(
        tmp_path,
        {
            "proc/self/cgroup": "5:cpu,cpuacct:/box\n4:memory:/box\n",
            "sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us": "50000",
            "sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us": "100000",
            "sys/fs/cgroup/memory/box/memory.limit_in_bytes": str(2 * GIB),
            "sys/fs/cgroup/memory/box/memory.usage_in_bytes": str(GIB),
            "sys/fs/cgroup/memory/memory.limit_in_bytes": str(0x7FFFFFFFFFFFF000),
            "sys/fs/cgroup/memory/memory.usage_in_bytes": str(GIB),
        },
    )
    assert (machine.cores, machine.memory_total, machine.memory_available) == (1, 2 * GIB, GIB)


def test_a_group_over_its_limit_leaves_nothing(tmp_path):
    files = {
        "proc/self/cgroup": "0::/a\n",
        "sys/fs/cgroup/a/memory.max": "100",
        "sys/fs/cgroup/a/memory.current": "120",
    }
    assert machine_of(tmp_path, files).memory_available == 0


@pytest.mark.parametrize("text", ["", "garbage", "0", "::::", "0::/../../x", "\x00"])
def test_odd_files_are_no_error(tmp_path, text):
    names = ("proc/self/cgroup", "sys/fs/cgroup/cpu.max", "sys/fs/cgroup/memory.max", "proc/self/status")
    cache = "sys/devices/system/cpu/cpu0/cache/index0/size"
    machine = machine_of(tmp_path, dict.fromkeys((*names, cache), text))
    assert machine.cores == 16


def test_caches(tmp_path):
    index = "sys/devices/system/cpu/cpu0/cache/index"
    files = {}
    for place, (level, kind, size) in enumerate([(1, "Data", "32K"), (2, "Unified", "1024K"), (3, "Unified", "32M")]):
        files |= {f"{index}{place}/level": str(level), f"{index}{place}/type": kind, f"{index}{place}/size": size}
    machine = machine_of(tmp_path, files)
    assert (machine.l2_bytes, machine.l3_bytes) == (1 << 20, 32 << 20)


def test_without_proc(tmp_path):
    machine = Machine.detect(tmp_path)
    assert 0 < machine.memory_available <= machine.memory_total


def test_threads(monkeypatch):
    assert threads_from(3) == 3
    assert threads_from(None) == 16
    assert threads_from(None, cores=5) == 5
    monkeypatch.setenv("APSP_NUM_THREADS", " 7 ")
    assert threads_from(None) == 7
    assert threads_from(2) == 2
    monkeypatch.setenv("APSP_NUM_THREADS", "")
    assert threads_from(None) == 16


@pytest.mark.parametrize(
    ("text", "threads"),
    [("3", 3), (" 4,2 ", 4), ("64", 16), ("", 16), ("0", 16), ("-1", 16), ("two", 16), ("²", 16), ("9" * 20, 16)],
)
def test_the_variable_of_openmp_is_a_limit_of_the_default(monkeypatch, text, threads):
    """joblib, Dask and batch systems set it for the processes that they start."""
    monkeypatch.setenv("OMP_NUM_THREADS", text)
    assert threads_from(None) == threads
    assert threads_from(5) == 5
    monkeypatch.setenv("APSP_NUM_THREADS", "7")
    assert threads_from(None) == 7


def test_plans_say_what_limits_their_threads(monkeypatch):
    graph = apsp.generate("random", 3000, m=12_000, seed=1)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    plan = apsp.plan(graph)
    assert plan.threads == 1
    assert "OMP_NUM_THREADS allows 1 of 16 threads; threads= sets another number." in plan.explain()
    assert "OMP_NUM_THREADS" not in apsp.plan(graph, threads=2).explain()
    assert apsp.plan(graph, threads=2).threads == 2


@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5", "²"])
def test_bad_threads_variable_is_named(monkeypatch, text):
    monkeypatch.setenv("APSP_NUM_THREADS", text)
    with pytest.raises(RequestError, match="APSP_NUM_THREADS"):
        threads_from(None)


@pytest.mark.parametrize("threads", [0, -1, 1.5, True])
def test_bad_threads(threads):
    with pytest.raises(RequestError, match="threads"):
        threads_from(threads)


def test_cores_that_run_two_threads(tmp_path):
    place = "sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"
    files = {place.format(cpu): f"{cpu % 8},{cpu % 8 + 8}" for cpu in range(16)}
    machine = machine_of(tmp_path, files)
    assert (machine.cores, machine.physical) == (16, 8)


def test_cores_of_which_this_process_has_one_thread_each(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 8}, raising=False)
    place = "sys/devices/system/cpu/cpu{}/topology/core_cpus_list"
    machine = machine_of(tmp_path, {place.format(cpu): f"{cpu % 8},{cpu % 8 + 8}" for cpu in range(16)})
    assert (machine.cores, machine.physical) == (4, 3)


def test_no_word_about_cores(tmp_path):
    assert machine_of(tmp_path, {}).physical is None
