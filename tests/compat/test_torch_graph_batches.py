"""apsp.torch's transform and collate function, in this process and in workers of a DataLoader."""

from __future__ import annotations

import pickle
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

import apsp

torch = pytest.importorskip("torch")

DEVICES = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]


def graphs(device: str = "cpu", make: Any = SimpleNamespace) -> list[Any]:
    """Rings of 3 to 8 vertices, with features of vertices and edges, lengths, and a target."""
    found = []
    for n in range(3, 9):
        tails = torch.arange(n, device=device)
        heads = tails.roll(-1)
        index = torch.stack((torch.cat((tails, heads)), torch.cat((heads, tails))))
        kinds = torch.arange(2 * n, device=device)[:, None] + torch.tensor([0, 100], device=device)
        lengths = torch.arange(2 * n, device=device) % 3 + 0.5
        x = torch.full((n, 2), float(n), device=device)
        found.append(
            make(edge_index=index, edge_attr=kinds, minutes=lengths, x=x, y=torch.tensor([n], device=device))
        )  # fmt: skip
    for graph in found if make is SimpleNamespace else ():
        graph.num_nodes = len(graph.x)
    return found


def test_the_transform_adds_attributes_to_a_copy() -> None:
    from apsp.torch import ShortestPathEncoding, shortest_path_encoding

    data = graphs()[3]
    transform = ShortestPathEncoding(weight="minutes", reduce="mean", max_path_edges=2)
    for given in (transform, pickle.loads(pickle.dumps(transform))):
        found = given(data)
        expected = shortest_path_encoding(
            data.edge_index, data.edge_attr, weight=data.minutes, num_nodes=6, reduce="mean", max_path_edges=2
        )
        assert torch.equal(found.path_distances, expected.distances)
        assert torch.equal(found.path_edges, expected.edges)
        assert torch.equal(found.path_features, expected.features)
    assert not hasattr(data, "path_distances")
    assert repr(transform) == "ShortestPathEncoding(weight='minutes', max_path_edges=2, reduce='mean')"
    assert repr(ShortestPathEncoding()) == "ShortestPathEncoding()"
    assert not hasattr(ShortestPathEncoding(edge_attr="bonds")(data), "path_features")
    with pytest.raises(apsp.GraphError, match="has no hours"):
        ShortestPathEncoding(weight="hours")(data)
    with pytest.raises(apsp.RequestError, match="name of an attribute"):
        ShortestPathEncoding(weight=data.minutes)


def test_graphs_of_pyg() -> None:
    geometric = pytest.importorskip("torch_geometric")
    from torch_geometric.data import Batch, Data

    from apsp.torch import ShortestPathCollater, ShortestPathEncoding

    compose = geometric.transforms.Compose([geometric.transforms.Constant(), ShortestPathEncoding(max_path_edges=1)])
    assert "ShortestPathEncoding(max_path_edges=1)" in repr(compose)
    data = graphs(make=Data)
    found = compose(data[2])
    assert found.path_features.shape == (5, 5, 1, 2)
    assert found.x.shape == (5, 3)
    many = ShortestPathEncoding()(Batch.from_data_list(data))
    batch = ShortestPathCollater()(data)
    assert torch.equal(many.path_distances, batch["distances"])
    assert torch.equal(many.path_features, batch["features"])
    assert torch.equal(many.path_mask, batch["mask"])
    assert torch.equal(many.edge_index, batch["edge_index"])
    assert torch.equal(many.y, batch["y"])


@pytest.mark.parametrize("device", DEVICES)
def test_the_collater_pads_in_one_call(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from apsp.torch import ShortestPathCollater, ShortestPathEncoding

    calls, solve = [], apsp.solve_batch
    monkeypatch.setattr(
        apsp, "solve_batch", lambda *given, **options: calls.append(options) or solve(*given, **options)
    )
    transform = ShortestPathEncoding(weight="minutes")
    data = graphs(device)
    batch = ShortestPathCollater(transform)(data)
    assert len(calls) == 1
    assert {values.device.type for values in batch.values()} == {device}
    assert batch["x"].shape == (6, 8, 2)
    assert batch["y"].tolist() == [3, 4, 5, 6, 7, 8]
    assert batch["mask"].sum(1).tolist() == batch["y"].tolist()
    assert torch.equal(batch["x"][..., 0] > 0, batch["mask"])
    for number, graph in enumerate(data):
        alone, n = transform(graph), graph.num_nodes
        assert torch.equal(batch["distances"][number, :n, :n], alone.path_distances)
        assert torch.equal(batch["features"][number, :n, :n], alone.path_features)
        kept = batch["edges"][number, :n, :n]
        there = kept >= 0
        assert torch.equal(batch["edge_attr"][kept[there]], alone.path_features[there])
    data[1].edge_index[1, 2] = 4
    with pytest.raises(apsp.GraphError, match="graph 1 of the batch: edge 2 joins 2 and 4: vertices are 0 to 3"):
        ShortestPathCollater(transform)(data)
    with pytest.raises(apsp.GraphError, match="at least one graph"):
        ShortestPathCollater(transform)([])
    data = graphs(device)
    data[1].x = data[1].x[:, :1]
    with pytest.raises(apsp.GraphError, match="x of the graphs of the batch cannot be joined"):
        ShortestPathCollater(transform)(data)
    assert "x" not in ShortestPathCollater(vertex_attrs=["z"])(graphs())


class Reporting:
    """A collate function that also returns the threads that the encoding uses."""

    def __init__(self, encoding: Any) -> None:
        from apsp.torch import ShortestPathCollater

        self.collate = ShortestPathCollater(encoding)

    def __call__(self, given: Any) -> Any:
        return self.collate.encoding.options.team(), self.collate(given)


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_workers_of_a_loader(start: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from torch.utils.data import DataLoader

    from apsp.torch import ShortestPathEncoding

    monkeypatch.delenv("APSP_NUM_THREADS", raising=False)
    data = graphs()
    expected = [Reporting(ShortestPathEncoding())(data[place : place + 2])[1] for place in (0, 2, 4)]
    for threads in (None, 3) if start == "fork" else (None,):
        collate = Reporting(ShortestPathEncoding(threads=threads))
        loader = DataLoader(data, batch_size=2, num_workers=2, collate_fn=collate, multiprocessing_context=start)
        for (used, batch), right in zip(loader, expected, strict=True):
            assert used == (threads or 1)
            assert batch.keys() == right.keys()
            assert all(torch.equal(batch[name], right[name]) for name in right)
    monkeypatch.setenv("APSP_NUM_THREADS", "2")
    assert ShortestPathEncoding().options.team() == 2


def test_geometric_is_not_imported() -> None:
    program = "import sys, apsp.torch; sys.exit('torch_geometric' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
