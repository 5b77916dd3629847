"""The number of a worker on its machine."""

import pytest

from apsp.system.engine import local_rank


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    for name in local_rank._NAMES:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("name", ["OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"])
def test_numbers_that_engines_give(monkeypatch, name):
    assert local_rank.local_rank() is None
    monkeypatch.setenv(name, "3")
    assert local_rank.local_rank() == 3
    monkeypatch.setenv(name, "x")
    assert local_rank.local_rank() is None


def test_own_processes_are_numbered(monkeypatch):
    monkeypatch.setenv(local_rank._OWN, "9")
    for number in range(3):
        local_rank.number_process(number)
        assert local_rank.local_rank() == number
