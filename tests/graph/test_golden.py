"""Every row of GOLDEN.tsv that concerns distances: the three summary figures of each file and reading."""

from __future__ import annotations

from pathlib import Path

import pytest

from apsp.graph.files.read import read

REPOSITORY = Path(__file__).resolve().parents[2]
METRICS = ("reachable ordered pairs", "sum of distances", "max distance (diameter of reachable pairs)")
SLOW = {  # (file, hops): half a minute and more with the oracle on a busy machine
    ("misc/wing.graph.gz", True), ("roads/cal.cedge.gz", True), ("roads/cal.cedge.gz", False),
    ("transport/Berlin-Center/berlin-center_net.tntp.gz", False),
    ("transport/chicago-regional/ChicagoRegional_net.tntp.gz", False),
}  # fmt: skip


def golden_rows() -> list[list[str]]:
    for folder in REPOSITORY.parents[:2]:
        table = folder / "shared" / "data" / "GOLDEN.tsv"
        if table.is_file():
            lines = table.read_text(encoding="utf-8").splitlines()[1:]
            return [line.split("\t") for line in lines]
    return []


def summaries() -> dict[tuple[str, str], dict[str, str]]:
    found: dict[tuple[str, str], dict[str, str]] = {}
    for file, reading, metric, value, _ in golden_rows():
        if metric in METRICS:
            found.setdefault((file, reading), {})[metric] = value
    return {key: values for key, values in found.items() if len(values) == len(METRICS)}


def cases():
    for (file, reading), values in summaries().items():
        hops = "hops" in reading
        marks = [pytest.mark.slow] if (file, hops) in SLOW else []
        yield pytest.param(file, reading, values, marks=marks, id=f"{file}-{'hops' if hops else 'weights'}")


@pytest.mark.few(10)
@pytest.mark.parametrize(("file", "reading", "expected"), list(cases()))
def test_summary(shared_data, oracle, file, reading, expected):
    hops = "hops" in reading
    graph = read(
        shared_data / file,
        directed=reading.startswith("directed"),
        weighted=not hops,
        zones=False,
        absent=0 if file.endswith(".npy") else None,
    )
    found = oracle.summary(graph)
    assert found.pairs == int(expected[METRICS[0]])
    tolerance = 0 if graph.has_integer_weights else 1e-9
    assert found.total == pytest.approx(float(expected[METRICS[1]]), rel=tolerance, abs=0)
    assert found.largest == pytest.approx(float(expected[METRICS[2]]), rel=tolerance, abs=0)


def test_there_are_golden_rows(shared_data):
    assert len(summaries()) > 80
