"""Every graph file of the shared data loads; what is not a graph is refused with our own error."""

from __future__ import annotations

from pathlib import Path

import pytest

import apsp

NO_GRAPH = (
    "GOLDEN.tsv", "*.md", "*LICENSE*", "*README*", "*.json", "*.bench", "*_flow.tntp*", "*_node.tntp*",
    "*_trips.tntp*", "airports.dat.gz", "routes.dat.gz", "rates.txt", "eurofxref.csv", "pmedopt.txt",
    "knuth_miles.txt.gz", "celegansneural.txt", "netscience.txt", "power.txt",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*is zero, and each zero counts:apsp.ApspWarning")  # brain/*.npy
def test_every_graph_file_loads(shared_data: Path) -> None:
    loaded = 0
    for path in sorted(path for path in shared_data.rglob("*") if path.is_file()):
        if any(path.match(pattern) for pattern in NO_GRAPH):
            with pytest.raises(apsp.ApspError):
                apsp.read(path)
        else:
            assert apsp.read(path).n > 0, path
            loaded += 1
    assert loaded >= 60
