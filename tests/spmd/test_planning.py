"""apsp.spmd.plan, and the memory that is compared before work begins."""

import pytest

import apsp
import apsp.spmd
from apsp import MethodRefusedError, RequestError
from apsp.methods.floyd_warshall.spmd.layout import layout


@pytest.mark.parametrize("processes", [1, 2, 6, 7, 16])
@pytest.mark.parametrize("n", [1, 100, 5000])
def test_bytes_of_processes(n, processes):
    chosen = layout(n, 4, processes)
    assert sum(chosen.matrix_bytes(rank) for rank in range(processes)) == 4 * n * n
    for count in (chosen.matrix_bytes, chosen.panel_bytes, chosen.sent_bytes):
        assert count(0) == max(count(rank) for rank in range(processes))


def test_a_plan():
    graph = apsp.generate("random", 3000, m=9000, seed=1)
    planned = apsp.spmd.plan(graph, processes=4, dtype="float32", block=128)
    parts = planned.distributed
    assert (parts.grid, parts.block, parts.steps) == ((2, 2), 128, 24)
    assert parts.bytes_matrix == 4 * 1536**2
    assert parts.bytes_sent == 4 * 3000 * (1536 + 1536)
    assert planned.bytes_needed(0) - planned.bytes_needed(3) == 4 * 3000**2
    stored = apsp.spmd.plan(graph, processes=4, dtype="float32", store=True, paths=True)
    assert stored.bytes_needed(0) == stored.bytes_needed(3) < planned.bytes_needed(0) * 3
    alone = apsp.spmd.plan(graph, processes=1, dtype="float32")
    assert alone.distributed.bytes_sent == 0
    assert 1 < alone.seconds / planned.seconds <= 4
    text = planned.explain()
    assert "4 processes form a grid of 2 x 2" in text
    assert "a process receives or sends 35.2 MiB in 24 steps" in text
    assert len(text.splitlines()) == 4
    assert planned.to_dict()["distributed"]["grid"] == [2, 2]


def test_an_empty_graph():
    assert apsp.spmd.plan(apsp.from_edges([], [], n=0), processes=3).distributed.steps == 0


def test_what_is_refused():
    graph = apsp.from_edges([0, 1], [1, 2], [1, 1], zones=[True, False, True])
    with pytest.raises(MethodRefusedError, match="zones"):
        apsp.spmd.plan(graph, processes=2)
    for wrong in ({"processes": 0}, {"block": 0}, {"paths": True}, {"dtype": "int8"}, {"semiring": "plus"}):
        with pytest.raises(RequestError):
            apsp.spmd.plan(apsp.from_edges([0], [1]), **{"processes": 2} | wrong)


LITTLE = """
import os, sys
import apsp, apsp.spmd
from mpi4py import MPI
from apsp.spmd import planning
rank = MPI.COMM_WORLD.rank
planning.allowed_memory = lambda: (1 << 40, int(sys.argv[1]))
graph = apsp.generate("random", 1000, m=3000, seed=1) if rank == 0 else None
planned = apsp.spmd.plan(apsp.generate("random", 1000, m=3000, seed=1), dtype="float32")
assert planned.distributed.processes == 2
try:
    apsp.spmd.solve(graph, dtype="float32")
    os.write(1, b"solved ")
except apsp.MemoryLimitError as error:
    assert error.needed == planned.bytes_needed(0) + planned.bytes_needed(1), (error.needed, planned)
    assert str(error).startswith("the 2 processes on the machine"), error
    os.write(1, b"refused True ")
"""


@pytest.mark.slow
def test_the_processes_of_a_machine_share_its_memory(started):
    # each of the two parts would fit alone
    for free, words in ((9_000_000, "refused True"), (20_000_000, "solved")):
        code, said, errors = started(LITTLE, free, processes=2)
        assert code == 0, errors
        assert said.count("solved") == 2 * (words == "solved")
        assert said.count("refused True") == 2 * (words != "solved")
