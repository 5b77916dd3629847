"""The end of the interpreter, forks and subinterpreters while kernels run."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest

GRAPH = """
import atexit, os, sys, threading, time
import apsp
graph = apsp.generate("random", 2000, m=8000, seed=1)
small = apsp.generate("random", 300, m=1200, seed=1)
def solve(method, device="auto", progress=False):
    apsp.solve(small if "emulated" in device else graph, method=method, device=device, threads=2, progress=progress)
"""


def python(code: str, *, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """Run a program that has a graph and `solve`."""
    quiet = ["-W", "ignore:This process:DeprecationWarning"]  # Python 3.12 warns of any fork beside threads
    return subprocess.run(
        [sys.executable, *quiet, "-c", GRAPH + textwrap.dedent(code)],
        capture_output=True, text=True, check=False, timeout=timeout,
    )  # fmt: skip


DAEMON = """
    method, device, progress = {arguments}
    busy = threading.Event()
    def work():
        while True:
            solve(method, device, (lambda *_: busy.set()) if progress else False)
            busy.set()
    threading.Thread(target=work, daemon=True).start()
    busy.wait()
    time.sleep({delay})
    print("ends")
"""


@pytest.mark.few(1)
@pytest.mark.parametrize("progress", [False, True])
@pytest.mark.parametrize(
    ("method", "device"),
    [
        ("floyd-warshall", "cpu"),
        ("dijkstra", "cpu"),
        ("label-correcting", "cpu"),
        ("elimination", "cpu"),
        ("harish-fw", "emulated"),
        ("katz-kider", "emulated:0,1"),
    ],
)
def test_the_interpreter_ends_while_a_daemon_thread_solves(method, device, progress):
    done = python(DAEMON.format(arguments=(method, device, progress), delay=0.05))
    assert (done.returncode, done.stdout, done.stderr) == (0, "ends\n", "")


def test_the_interpreter_ends_while_a_daemon_thread_is_in_its_progress_callback():
    done = python(
        """
        busy = threading.Event()
        def progress(*_):
            busy.set()
            while True: time.sleep(0.001)
        threading.Thread(target=solve, args=("floyd-warshall", "cpu", progress), daemon=True).start()
        busy.wait()
        """
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_counted_launch_ends_with_the_interpreter():
    done = python(
        """
        def work():
            while True: apsp.profile(small, method="lab-fw")
        threading.Thread(target=work, daemon=True).start()
        time.sleep(0.5)
        """
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_threads_that_are_waited_for_end_their_work():
    done = python(
        """
        from concurrent.futures import ThreadPoolExecutor
        def work(): apsp.solve(graph, method="dijkstra", threads=1).verify(); print("done")
        threading.Thread(target=work).start()
        ThreadPoolExecutor(2).submit(work)
        """
    )
    assert (done.returncode, len(done.stdout.split()), done.stderr) == (0, 2, "")


def test_functions_at_exit_may_solve():
    done = python(
        """
        import atexit
        atexit._clear()
        atexit.register(lambda: print(apsp.solve(graph, method="dijkstra").info["method"]))
        sys.modules.pop("apsp._cpu")
        """
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "dijkstra\n", "")


@pytest.mark.slow
def test_functions_at_exit_that_were_called_by_hand_stop_nothing_for_good():
    done = python(
        """
        def work():
            try:
                solve("floyd-warshall")
            except apsp.ApspError as error:
                print(error)
        thread = threading.Thread(target=work)
        thread.start()
        time.sleep(0.05)
        atexit._run_exitfuncs()
        thread.join()
        other = threading.Thread(target=solve, args=("dijkstra",))
        other.start()
        other.join()
        print("lives")
        """
    )
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "lives"
    assert done.stderr == ""


@pytest.mark.few(1)
@pytest.mark.parametrize(("how", "code"), [("sys.exit(7)", 7), ("os._exit(8)", 8)])
@pytest.mark.parametrize(("method", "device"), [("floyd-warshall", "cpu"), ("harish-sssp", "emulated")])
def test_leaving_in_a_progress_callback(method, device, how, code):
    done = python(f"solve({method!r}, {device!r}, lambda *_: {how})")
    assert (done.returncode, done.stderr) == (code, "")


FORKED = """
    import faulthandler, random
    pairs = [("floyd-warshall", "cpu"), ("label-correcting", "cpu"), ("harish-sssp", "emulated")]
    is_over = False
    def work(pair):
        while not is_over: solve(*pair)
    for pair in pairs: solve(*pair)
    threads = [threading.Thread(target=work, args=(pair,)) for pair in pairs]
    for thread in threads: thread.start()
    bad = 0
    for attempt in range(12):
        time.sleep(random.random() * 0.02)
        child = os.fork()
        if not child:
            faulthandler.enable()
            faulthandler.dump_traceback_later(20, exit=True)
            apsp.solve(small, method=pairs[attempt % 3][0], device=pairs[attempt % 3][1]).verify()
            sys.exit(0) if attempt % 2 else os._exit(0)
        status = os.waitpid(child, 0)[1]
        bad += status != 0
        if status: print("attempt", attempt, "status", status, file=sys.stderr)
    is_over = True
    for thread in threads: thread.join()
    print("bad", bad)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="POSIX")
def test_a_process_that_is_forked_while_other_threads_solve():
    done = python(FORKED)
    assert (done.returncode, done.stdout) == (0, "bad 0\n"), done.stderr


FORKED_BESIDE_AN_ORACLE = """
    import faulthandler, random
    import numpy as np
    city = apsp.generate("city", 300, seed=3, weights=(1, 100))
    graphs = [city, city.with_weights(np.random.default_rng(1).integers(1000, 100_000, city.m))]
    grid = apsp.generate("grid", 81, seed=1)
    hub = np.full(grid.n, grid.n)
    tails, heads, _ = grid.to_edges()
    hops = apsp.from_edges(np.append(tails, hub), np.append(heads, np.arange(grid.n)), directed=False)
    sources, targets = np.arange(60), np.arange(60) * 37 % 300
    queries = [
        lambda oracle: [(list(found), found.distances.tolist())
                        for found in oracle.stream_paths(sources, targets, pairs=16)],
        lambda oracle: [block.distances.tolist() for block in oracle.stream(rows=64)],
        lambda _: apsp.solve(hops, method="bit-bfs", threads=2).distances.tolist(),
    ]
    allowed = [[query(apsp.prepare(graph)) for graph in graphs] for query in queries]
    oracle, is_over, errors, updates = apsp.prepare(city), False, [], 0
    def check(number):
        if queries[number](oracle) not in allowed[number]: errors.append(number)
    def work(number):
        while not is_over: check(number)
    def update():
        global updates
        while not is_over:
            updates += 1
            oracle.update(graphs[updates % 2].weights)
    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(queries))]
    threads.append(threading.Thread(target=update))
    for thread in threads: thread.start()
    bad = 0
    for attempt in range(12):
        time.sleep(random.random() * 0.02)
        child = os.fork()
        if not child:
            faulthandler.enable()
            faulthandler.dump_traceback_later(20, exit=True)
            errors.clear()
            check(attempt % len(queries))
            oracle.update(graphs[0].weights)
            if any(query(oracle) != found[0] for query, found in zip(queries, allowed)): errors.append("after update")
            sys.exit(len(errors)) if attempt % 2 else os._exit(len(errors))
        status = os.waitpid(child, 0)[1]
        bad += status != 0
        if status: print("attempt", attempt, "status", status, file=sys.stderr)
    is_over = True
    for thread in threads: thread.join()
    print("bad", bad, errors)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="POSIX")
def test_a_process_that_is_forked_beside_queries_and_updates_of_an_oracle():
    done = python(FORKED_BESIDE_AN_ORACLE)
    assert (done.returncode, done.stdout) == (0, "bad 0 []\n"), done.stderr


@pytest.mark.few(1)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="POSIX")
@pytest.mark.parametrize(("method", "device"), [("floyd-warshall", "cpu"), ("dijkstra", "cpu")])
def test_a_fork_in_a_progress_callback(method, device):
    done = python(
        f"""
        parent, children = os.getpid(), []
        def progress(*_):
            if not children: children.append(os.fork())
        big = apsp.generate("random", 4000, m=16000, seed=1)
        try:
            apsp.solve(big, method={method!r}, device={device!r}, threads=2, progress=progress)
        except apsp.ApspError as error:
            assert os.getpid() != parent and "forked" in str(error), error
            apsp.solve(small, method={method!r}).verify()
            sys.exit(3)
        assert os.getpid() == parent
        assert os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]) == 3
        """
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.few(1)
@pytest.mark.parametrize("start", ["fork", "spawn", "forkserver"])
def test_processes_of_multiprocessing(tmp_path, start):
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(
            """
            import multiprocessing, sys, threading, apsp
            def work(seed):
                return int(apsp.solve(apsp.generate("random", 200, m=800, seed=seed), threads=2).distances.sum())
            if __name__ == "__main__":
                work(0)
                busy = threading.Thread(target=work, args=(1,))
                busy.start()
                with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
                    assert pool.map(work, range(4)) == [work(seed) for seed in range(4)]
                busy.join()
            """
        )
    )
    done = subprocess.run(
        [sys.executable, program, start], capture_output=True, text=True, check=False, timeout=120, env={**os.environ}
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_subinterpreters_are_refused():
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            textwrap.dedent(
                """
                code = '''
                try:
                    import apsp
                except ImportError as error:
                    print("refused:", error)
                '''
                import textwrap
                try:
                    import _interpreters as interpreters
                except ImportError:
                    import _xxsubinterpreters as interpreters
                interpreters.run_string(interpreters.create(), textwrap.dedent(code))
                """
            ),
        ],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("refused: ")
    assert "subinterpreters" in done.stdout
