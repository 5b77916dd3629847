"""Emulated GPUs beside threads, forks and signals, and what their memory refuses."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import apsp
from apsp.gpu import jit
from apsp.gpu.emulated.arrays import ALIGNMENT, DeviceArray
from apsp.gpu.emulated.run import carried, emulation, entered
from apsp.system.array_device import is_on_gpu, module_of, rows_to_host, to_host


def graph(n: int = 80, seed: int = 1) -> apsp.Graph:
    return apsp.generate("random", n, m=4 * n, seed=seed)


@pytest.mark.slow
def test_threads_solve_and_count_at_once() -> None:
    graphs = [graph(seed=seed) for seed in range(6)]
    expected = [apsp.solve(one).distances for one in graphs]
    counted = [apsp.profile(one, method="okuyama").to_dict() for one in graphs]
    with ThreadPoolExecutor(6) as threads:
        solved = list(
            threads.map(lambda one: apsp.solve(one, method="katz-kider", device="emulated").distances, graphs)
        )
        again = list(threads.map(lambda one: apsp.profile(one, method="okuyama").to_dict(), graphs))
    for found, right in zip(solved, expected, strict=True):
        np.testing.assert_array_equal(found, right)
    assert again == counted


def test_the_emulation_ends_with_its_context() -> None:
    assert emulation() is None
    with entered(2):
        found = emulation()
        assert found is not None
        assert found.devices == 2
        assert jit.cupy().cuda.runtime.getDeviceCount() == 2
        with ThreadPoolExecutor(1) as threads:
            assert threads.submit(emulation).result() is None
            assert threads.submit(carried(emulation)).result() is found
    assert emulation() is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_after_a_fork() -> None:
    apsp.solve(graph(), method="okuyama", device="emulated")
    script = """
        import os, sys, numpy as np, apsp
        g = apsp.generate("random", 80, m=320, seed=1)
        before = apsp.solve(g, method="okuyama", device="emulated").distances
        child = os.fork()
        if child == 0:
            same = (apsp.solve(g, method="katz-kider", device="emulated").distances == before).all()
            os._exit(0 if same and apsp.profile(g, method="okuyama").races == () else 1)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True, timeout=60)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_fork_while_another_thread_counts() -> None:
    """Both methods run once before the first fork: a child never sees the end of an import of another thread."""
    script = """
        import faulthandler, os, sys, threading, time, apsp
        g, small = apsp.generate("random", 150, m=600, seed=1), apsp.generate("random", 20, m=60, seed=1)
        def count(of, method): return apsp.profile(of, method=method)
        for method in ("katz-kider", "okuyama"): count(small, method)
        thread = threading.Thread(target=lambda: [count(g, "katz-kider") for _ in range(4)])
        thread.start()
        failed = 0
        for _ in range(4):
            time.sleep(0.1)
            child = os.fork()
            if child == 0:
                faulthandler.dump_traceback_later(60, exit=True)
                count(small, "okuyama")
                os._exit(0)
            failed += os.waitpid(child, 0)[1] != 0
        thread.join()
        sys.exit(failed)
    """
    subprocess.run([sys.executable, "-W", "ignore", "-c", textwrap.dedent(script)], check=True, timeout=300)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_stops_a_launch() -> None:
    """One launch takes about a second here; the interrupt is raised inside it."""
    script = """
        import numpy as np, time
        from apsp.gpu import jit
        from apsp.gpu.emulated.run import entered
        with entered():
            values = jit.cupy().zeros(1 << 26, dtype=np.int32)
            kernel = jit.kernels("examples.cu", ("apsp::strided_copy",))["apsp::strided_copy"]
            print("ready", flush=True)
            try:
                for _ in range(10_000):
                    kernel((1 << 18,), (256,), (values, values, np.int32(1 << 26), np.int32(1)))
            except KeyboardInterrupt:
                print("stopped", flush=True)
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "ready"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[0].strip() == "stopped"  # all launches take hours


@pytest.mark.parametrize("method", ["okuyama", "harish-fw", "katz-kider", "johnson-queue"])
def test_awkward_requests(method: str) -> None:
    one = graph(30)
    expected = apsp.solve(one).distances
    rows = np.array([3, 3, 0])
    found = apsp.solve(one, method=method, device="emulated", sources=rows, targets=[5, 1])
    np.testing.assert_array_equal(found.distances, expected[rows][:, [5, 1]])
    assert apsp.solve(one, method=method, device="emulated", sources=[]).distances.shape == (0, 30)
    empty = apsp.from_edges([], [], [], n=0)
    assert apsp.solve(empty, method=method, device="emulated").distances.shape == (0, 0)


def test_task_size_follows_device_memory() -> None:
    """With room for 32 tasks, and not for more, okuyama takes groups of 32 (section 5.2)."""
    from apsp.methods.problem import Problem
    from apsp.published.okuyama import okuyama
    from apsp.published.task_size import device_bytes

    one = graph(600)
    for tasks in (32, 96, 256):
        room = device_bytes(600, one.m, 4, tasks)
        problem = Problem(one, np.dtype(np.int32), device="emulated", gpus=(0,), gpu_memory=room)
        with entered(1, room):
            assert okuyama(problem, tasks=None).tasks == tasks


@pytest.mark.slow
def test_pages_are_dealt_out_to_two_devices() -> None:
    one = graph(200)
    found = apsp.solve(one, method="katz-kider", device="emulated:0,1", gpu_memory="256KiB")
    np.testing.assert_array_equal(found.distances, apsp.solve(one).distances)
    assert found.info["gpus"] == [0, 1]
    profile = apsp.profile(one, method="katz-kider", device="emulated:0,1", gpu_memory="256KiB")
    alone = apsp.profile(one, method="katz-kider")
    assert profile.bytes_to_device > 3 * alone.bytes_to_device, "pages travel to both devices and back"


@pytest.mark.slow
def test_two_devices_count_every_launch() -> None:
    """A thread per device adds to the same recorder; numbers that are lost would differ from run to run."""
    one, before = graph(200), sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        seen = [
            apsp.profile(one, method="katz-kider", device="emulated:0,1", gpu_memory="100KiB").to_dict()
            for _ in range(4)
        ]
    finally:
        sys.setswitchinterval(before)
    assert all(each == seen[0] for each in seen)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits of the address space")
def test_a_launch_without_memory_for_stacks() -> None:
    """Each core needs 64 MiB of stacks for blocks that wait: an error, and the process goes on."""
    script = """
        import resource, apsp
        g = apsp.generate("random", 150, m=600, seed=1)
        apsp.solve(g, method="harish-fw", device="emulated", threads=4)
        pages = int(open("/proc/self/statm").read().split()[0])
        for room in range(200, 440, 40):
            resource.setrlimit(resource.RLIMIT_AS, ((pages << 12) + (room << 20), resource.RLIM_INFINITY))
            try:
                apsp.solve(g, method="lab-fw-shared", device="emulated", threads=4)
            except (MemoryError, apsp.ApspError):
                pass
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True, timeout=120)


def test_memory_limit() -> None:
    with pytest.raises(apsp.MemoryLimitError, match="okuyama"):
        apsp.solve(graph(), method="okuyama", device="emulated", gpu_memory=1000)


class TestDeviceArrays:
    """Memory of the device is not memory of the host."""

    def make(self) -> DeviceArray:
        with entered():
            return jit.cupy().array(np.arange(12, dtype=np.int32).reshape(3, 4))

    def test_it_begins_where_memory_of_a_gpu_does(self) -> None:
        with entered():
            module = jit.cupy()
            made = [
                module.empty((3, 5)), module.zeros(7, dtype=np.int8), module.full((2, 2), 3), module.arange(9),
                module.array(np.ones(3)), module.asarray([1, 2]), module.ascontiguousarray(self.make().T),
                module.where(self.make() > 3, 1, 0), module.cumsum(self.make()), self.make() + 1,
            ]  # fmt: skip
        assert all(each.ctypes.data % ALIGNMENT == 0 for each in made)
        assert all(isinstance(each, DeviceArray) for each in made)

    def test_arrays_of_the_host_do_not_mix(self) -> None:
        array, host = self.make(), np.arange(4, dtype=np.int32)
        with pytest.raises(TypeError, match="one operand is in host memory and one on a GPU"):
            array + host
        with pytest.raises(TypeError, match="one operand is in host memory and one on a GPU"):
            np.add(host, array)
        with pytest.raises(TypeError, match="cannot assign an array in host memory to one on a GPU"):
            array[0] = host
        np.testing.assert_array_equal((array + 1).get(), np.arange(12).reshape(3, 4) + 1)

    def test_entries_and_views_stay_there(self) -> None:
        array = self.make()
        assert isinstance(array[0, 0], DeviceArray)
        assert int(array[1, 2]) == 6
        array[1][...] = 0
        np.testing.assert_array_equal(array.get()[1], 0)
        assert type(array.get()) is np.ndarray

    def test_place(self) -> None:
        array = self.make()
        assert is_on_gpu(array)
        assert not is_on_gpu(array.get())
        assert type(to_host(array)) is np.ndarray
        with entered():
            assert module_of(array) is jit.cupy()


@pytest.mark.slow
def test_counts_after_many_other_kernels() -> None:
    """Instructions at thousands of places are counted in one process, and the first kernels once more."""
    script = """
        import apsp
        g = apsp.generate("random", 40, m=160, seed=1)
        methods, dtypes = ("floyd-warshall", "label-correcting", "okuyama"), ("int32", "int64", "float32", "float64")
        first, again = (
            [apsp.profile(g, method=m, dtype=d, paths=True).to_dict() for m in methods for d in dtypes]
            for _ in range(2)
        )
        assert first == again
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True, timeout=60)


class RangError(Exception):
    """Of the alarm."""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="POSIX signals")
@pytest.mark.parametrize("method", ["floyd-warshall", "label-correcting", "harish-sssp"])
def test_a_launch_is_stopped_between_two_barriers_and_the_next_counts_as_ever(method):
    """One block of the large graph alone would be counted for seconds."""

    def ring(*_: object) -> None:
        raise RangError

    small, large = apsp.generate("random", 60, m=240, seed=1), apsp.generate("random", 1500, m=6000, seed=1)
    alone = apsp.profile(small, method=method).total
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(RangError):
            apsp.profile(large, method=method)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert apsp.profile(small, method=method).total == alone


def test_work_on_another_gpu_than_that_of_the_array_is_refused() -> None:
    with entered(2):
        cupy = jit.cupy()
        with cupy.cuda.Device(1):
            array = cupy.zeros((4, 4), np.int32)
            array[array > 0] = 1
        rows = array[1:3]  # a view needs no work
        assert rows.owner == 1
        for work in (lambda: array + 1, lambda: array[np.array([0, 2])], lambda: array.__setitem__(0, 1)):
            with pytest.raises(RuntimeError, match=r"the array resides \(1\) is not the current device \(0\)"):
                work()
        assert rows_to_host(array, np.array([0, 2])).shape == (2, 4)
        kernel = jit.kernels("matrix.cu", ("apsp::fill<apsp::MinPlus<int>>",))["apsp::fill<apsp::MinPlus<int>>"]
        with pytest.raises(RuntimeError, match=r"starts on GPU 0, and its arrays reside on \{1\}"):
            kernel((1,), (32,), (array,))
