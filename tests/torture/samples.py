"""What is damaged: small files of every format, results, oracles and files of pages, made once per process."""

from __future__ import annotations

import functools
import random
import tempfile
from pathlib import Path

import numpy as np

import apsp
from apsp.graph.files.formats import modules

__all__ = ["graph_files", "omx_files", "oracle_files", "page_files", "result_files", "shared_files"]

TEXTS: dict[str, bytes] = {
    "comments.gr": b"c apsp hops\np sp 5 4\na 1 2 5\na 2 3 -1\nc x\na 1 2 4\na 5 1 1.5\n",
    "tw.gr": b"p tw 4 2\n1 2\n3 4\n",
    "real.mtx": b"%%MatrixMarket matrix coordinate real general\n% c\n3 3 2\n1 2 0.5\n3 1 2\n",
    "array.mtx": b"%%MatrixMarket matrix array integer skew-symmetric\n3 3\n1\n2\n3\n",
    "snap.txt": b"# Undirected graph\n# Nodes: 9 Edges: 3\n0\t1\n1\t2\n5 7\n",
    "names.csv": b'source,target,weight\n"a, b",c,5\nd,e,1e3\nc,d,2\n',
    "ids.csv": b"-4,77777777777,0.5\n5,6,2\n",
    "algs4.txt": b"3\n2\n0 1 0.5\n1 2 0.25\n",
    "a.cedge": b"0 0 1 0.5\n1 1 2 0.25\n2 2 3 0.125\n",
    "names.intra": b"Perth,+WA1 Sydney,+NSW2 4\nSydney,+NSW2 Perth,+WA1 4.5\n",
    "sizes.graph": b"% c\n3 2 011 1\n9 2 5\n9 1 5 3 6\n9 2 6\n",
    "labels.gml": b'graph [ directed 1 node [ id 7 label "A" graphics [ x 1 y 2 ] ] node [ id 3 ]\n'
    b" edge [ source 7 target 3 value 4 ] ]\n",
    "keys.graphml": b'<?xml version="1.0"?><graphml><key id="k" for="edge" attr.name="weight" attr.type="int"/>'
    b'<graph edgedefault="directed"><node id="a"/><node id="b"/>'
    b'<edge source="a" target="b"><data key="k">3</data></edge></graph></graphml>',
    "serial.txt": b"# c\n1|2|-1\n2|3|0|bgp\n",
    "relations.txt": b"# Relationships:\t-1 (<FromNodeId> is a customer of <ToNodeId>)\n2\t1\t-1\n1\t2\t1\n",
    "a_net.tntp": b"<NUMBER OF NODES> 3\n<FIRST THRU NODE> 2\n<NUMBER OF LINKS> 2\n<END OF METADATA>\n~ x\n"
    b"1 2 100 7 2.5 0.15 4 0 1 1 ;\n2 3 100 8 0 0.15 4 0 2 1;\n",
    "pmed1.txt": b" 3 3 1 \n 1 2 30 \n 2 3 46 \n 1 2 40 \n",
    "pajek.net": b'*Vertices 3\n1 "a" 0.1 0.2\n2 "b c" 0.3 0.4\n3 c\n*Arcs\n1 2 2.5\n2 3 -1\n'
    b"*Edges\n1 3 4\n*Arcslist\n1 2 3\n",
    "project.paj": b'*Network x\n*Vertices 3 1\n*Matrix :1 "r"\n1 2\n*Partition p\n*Vertices 3\n1\n2\n3\n*Network y\n',
    "relations.net": b'*Vertices 3\n*Arcs :1 "a"\n1 2 5\n2: 1 3 7\n*Matrix\n0 1 2\n0 0 0\n1 1.5 0\n',
    "counted.txt": b"5 3\n0 1\n1 2\n2 3\n",
    "counted.csv": b"3\n0,1,5\n1,2,6\n",
    "osmnx.graphml": b'<graphml><key id="k" for="edge" attr.name="length" attr.type="string"/>\n'
    b'<key id="x" for="node" attr.name="x"/><key id="y" for="node" attr.name="y"/><graph>\n'
    b'<node id="7"><data key="x">1</data><data key="y">2.5</data></node><node id="8"/>\n'
    b'<edge source="7" target="8"><data key="k">3.5</data></edge></graph></graphml>',
}


@functools.cache
def graph_files() -> dict[str, bytes]:
    """Small files by name: of every format that is written, some texts, and small real ones where there are any."""
    found = dict(TEXTS)
    rng = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        for module in modules():
            if hasattr(module, "write"):
                for k, suffix in enumerate((*module.SUFFIXES, module.SUFFIXES[0] + ".gz", module.SUFFIXES[0] + ".xz")):
                    path = Path(folder) / f"written-{k}{suffix}"
                    weights = rng.integers(1, 99, 9) if k % 2 else rng.random(9).round(3)
                    graph = apsp.from_edges(rng.integers(0, 6, 9), rng.integers(0, 6, 9), weights, n=6)
                    try:
                        apsp.write(graph, path)
                    except apsp.ApspError:
                        continue
                    found[path.name] = path.read_bytes()
        np.save(Path(folder) / "m.npy", np.array([[0.0, 2.0], [np.inf, 0.0]]))
        found["m.npy"] = (Path(folder) / "m.npy").read_bytes()
    return found | shared_files()


@functools.cache
def shared_files(largest: int = 6000) -> dict[str, bytes]:
    """The smallest real files of the shared data beside the repository; none where they are not on this machine."""
    found = {}
    for folder in Path(__file__).resolve().parents[3:5]:
        data = folder / "shared" / "data"
        if data.is_dir():
            paths = sorted(path for path in data.rglob("*") if path.is_file())
            found |= {path.name: path.read_bytes() for path in paths if path.stat().st_size <= largest}
    return found


def _graphs() -> list[apsp.Graph]:
    rng = np.random.default_rng(2)
    tails, heads = rng.integers(0, 12, 30), rng.integers(0, 12, 30)
    height = rng.integers(-9, 10, 12)
    negative = rng.integers(0, 9, 30) + height[tails] - height[heads]
    closed = np.arange(12) < 3
    return [
        apsp.from_edges(tails, heads, rng.integers(1, 50, 30), n=12),
        apsp.from_edges(tails, heads, rng.random(30), n=12, coordinates=rng.random((12, 2))),
        apsp.from_edges(tails, heads, n=12, directed=False),
        apsp.from_edges(tails, heads, negative, n=12),
        apsp.from_edges(tails, heads, rng.integers(1, 50, 30), n=12, zones=closed),
        apsp.from_edges([], [], [], n=0),
    ]


@functools.cache
def result_files() -> list[bytes]:
    """Saved results: with and without paths, of some rows and columns, with a cutoff, of bottlenecks."""
    requests: list[dict[str, object]] = [
        {}, {"paths": True}, {"sources": [1, 1, 4], "paths": True}, {"targets": [3, 5]}, {"cutoff": 40},
        {"semiring": "max_min"}, {"dtype": "float64"}, {"counts": True},
    ]  # fmt: skip
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for graph in _graphs():
            for request in requests if graph.n else requests[:2]:
                path = Path(folder) / "result.npz"
                apsp.solve(graph, **request).save(path)
                found.append(path.read_bytes())
    return found


@functools.cache
def oracle_files() -> list[bytes]:
    """Saved oracles."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for graph in _graphs():
            path = Path(folder) / "oracle.npz"
            apsp.prepare(graph, labels=graph.directed).save(path)
            found.append(path.read_bytes())
    return found


@functools.cache
def page_files() -> tuple[apsp.Graph, list[bytes]]:
    """A graph and files of pages of it: finished, stopped in the middle, only begun."""
    from torture.children import in_child

    rng = random.Random(3)
    n = 260
    arcs = [(rng.randrange(n), rng.randrange(n), rng.randint(1, 99)) for _ in range(900)]
    tails, heads, weights = (np.array([arc[k] for arc in arcs]) for k in range(3))
    graph = apsp.from_edges(tails, heads, weights, n=n)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pages"
        apsp.solve(graph, method="floyd-warshall", pages_file=path, device="cpu")
        found.append(path.read_bytes())
        for delay in (0.002, 0.005, 0.01, 0.02):
            path.unlink()
            in_child(
                lambda: str(apsp.solve(graph, method="floyd-warshall", pages_file=path, device="cpu")), kill_after=delay
            )
            if path.exists():
                found.append(path.read_bytes())
            else:
                path.write_bytes(b"")
    return graph, found


@functools.cache
def omx_files() -> list[bytes]:
    """Square skims and others, with labels of numbers and of text."""
    graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [3, 4, 5])
    named = graph._with(labels=["a", "\xe9", "long name"])
    made = [
        apsp.skim(graph, {"toll": [1, 2, 3]}), apsp.skim(named, {"toll": [1, 2, 3]}, zones=["a", "\xe9"]),
        apsp.skim(named, zones=["a"], targets=["\xe9", "a"]),
    ]  # fmt: skip
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for number, skims in enumerate(made):
            path = Path(folder) / "skims.omx"
            skims.to_omx(path, compression=number or None)
            found.append(path.read_bytes())
    return found
