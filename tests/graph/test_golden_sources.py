"""The rows of GOLDEN.tsv with a reading of their own: published results, and inputs that are not graph files."""

from __future__ import annotations

import csv
import gzip
import json
import re

import numpy as np
import pytest
import scipy.sparse.csgraph as csgraph

import apsp
from apsp.graph.convert import from_edges
from apsp.graph.dense import from_dense
from apsp.graph.files.read import read

# -- OR-Library: the last of two parallel edges counts -------------------------------------------------------------

PMED = {  # file: sum (last wins), largest, sum (min)
    "pmed1": (1412252, 299, 1398940), "pmed2": (1375158, 316, 1370962), "pmed5": (1219226, 312, 1214666),
    "pmed6": (3242986, 198, 3165472), "pmed11": (4803608, 134, 4749936), "pmed16": (6630136, 107, 6488664),
    "pmed21": (9172224, 91, 9109498), "pmed26": (11567012, 87, 11428018), "pmed31": (13680074, 65, 13433814),
    "pmed35": (15743656, 74, 15456480), "pmed38": (18738590, 84, 18496016), "pmed40": (20604814, 69, 20319508),
}  # fmt: skip


@pytest.mark.few(2)
@pytest.mark.parametrize("name", PMED)
def test_pmed(shared_data, oracle, name):
    last, largest, smallest_rule = PMED[name]
    dist = oracle.distances(read(shared_data / "orlib" / f"{name}.txt"))
    assert (dist.sum(), dist.max()) == (last, largest)
    assert oracle.distances(read(shared_data / "orlib" / f"{name}.txt", parallel="min")).sum() == smallest_rule


@pytest.mark.few(1)
@pytest.mark.parametrize(("name", "p", "optimum"), [("pmed1", 5, 5819), ("pmed2", 10, 4093), ("pmed5", 33, 1355)])
def test_p_median_optimum(shared_data, oracle, name, p, optimum):
    import scipy.optimize as opt
    import scipy.sparse as sp

    dist = oracle.distances(read(shared_data / "orlib" / f"{name}.txt"))
    n = len(dist)
    assigned = sp.hstack([sp.kron(sp.eye_array(n), np.ones((1, n))), sp.csr_array((n, n))])
    opened = sp.hstack([sp.eye_array(n * n), -sp.kron(np.ones((n, 1)), sp.eye_array(n))])
    count = sp.hstack([sp.csr_array((1, n * n)), np.ones((1, n))])
    limits = [
        opt.LinearConstraint(assigned, 1, 1), opt.LinearConstraint(opened.tocsr(), -np.inf, 0),
        opt.LinearConstraint(count, p, p),
    ]  # fmt: skip
    costs = np.concatenate([dist.ravel(), np.zeros(n)])
    integral = np.concatenate([np.zeros(n * n), np.ones(n)])
    found = opt.milp(costs, constraints=limits, bounds=opt.Bounds(0, 1), integrality=integral)
    assert found.fun == pytest.approx(optimum, abs=1e-6)


# -- TNTP: at the published equilibrium flows no traveller has a shorter path ----------------------------------------

WARDROP = [  # folder, stem, weights of length and toll, total travel cost
    ("SiouxFalls", "SiouxFalls", 0.0, 0.0, 7480225.344921120), ("Anaheim", "Anaheim", 0.0, 0.0, 1419913.851059391),
    ("Chicago-Sketch", "ChicagoSketch", 0.04, 0.02, 18935450.261583433),
]  # fmt: skip


def equilibrium_costs(folder, stem, distance_factor, toll_factor, zones):
    """The network with the cost of each arc at the published flows, and those flows, in the graph's arc order."""
    net = folder / f"{stem}_net.tntp"
    graph = read(net, zones=zones)
    columns = {name: read(net, cost=name).weights for name in ("capacity", "b", "power", "length", "toll")}
    rows = np.loadtxt(folder / f"{stem}_flow.tntp", skiprows=1, usecols=(0, 1, 2))
    order = np.lexsort((rows[:, 1], rows[:, 0]))
    assert np.array_equal(rows[order, 0] - 1, graph.tails())
    assert np.array_equal(rows[order, 1] - 1, graph.indices)
    flow = rows[order, 2]
    cost = graph.weights * (1 + columns["b"] * (flow / columns["capacity"]) ** columns["power"])
    cost += distance_factor * columns["length"] + toll_factor * columns["toll"]
    return graph._with(weights=cost), flow


def demand(folder, stem, zones):
    path = folder / f"{stem}_trips.tntp"
    text = (
        path.read_text() if path.exists() else gzip.decompress(path.with_name(path.name + ".gz").read_bytes()).decode()
    )
    trips = np.zeros((zones, zones))
    for block in re.split(r"Origin", text)[1:]:
        origin = int(block.split()[0])
        for zone, volume in re.findall(r"(\d+)\s*:\s*([-+.\deE]+)\s*;", block):
            trips[origin - 1, int(zone) - 1] = float(volume)
    np.fill_diagonal(trips, 0)
    return trips


@pytest.mark.parametrize(("folder", "stem", "length", "toll", "total"), WARDROP)
def test_wardrop_equilibrium(shared_data, oracle, folder, stem, length, toll, total):
    place = shared_data / "transport" / folder
    graph, flow = equilibrium_costs(place, stem, length, toll, zones=True)
    trips = demand(place, stem, {"SiouxFalls": 24, "Anaheim": 38}.get(folder, 387))
    dist = oracle.distances(graph)[: len(trips), : len(trips)]
    assert (flow * graph.weights).sum() == pytest.approx(total, rel=1e-12)
    assert (trips * dist)[trips > 0].sum() == pytest.approx(total, rel=1e-12)


def test_passing_through_zones_is_shorter(shared_data, oracle):
    place = shared_data / "transport" / "Anaheim"
    graph, _ = equilibrium_costs(place, "Anaheim", 0.0, 0.0, zones=False)
    trips = demand(place, "Anaheim", 38)
    assert (trips * oracle.distances(graph)[:38, :38]).sum() == pytest.approx(1311167.455115904, rel=1e-12)


# -- Brain Connectivity Toolbox ---------------------------------------------------------------------------------------


def strongest(matrix: np.ndarray, share: float) -> np.ndarray:
    n = len(matrix)
    upper = np.triu(matrix, 1)
    ranked = np.argsort(-upper.ravel(), kind="stable")
    upper.ravel()[ranked[round((n * n - n) * share / 2) :]] = 0
    return upper + upper.T


def test_bct_distances(shared_data, oracle):
    matrix = np.load(shared_data / "brain" / "sample_data.npy")
    sparse = from_dense(strongest(matrix, 0.02), absent=0, directed=False)
    assert oracle.summary(sparse).total == pytest.approx(155650.1, abs=0.01)
    assert oracle.summary(sparse.unweighted()).total == 30506
    dense = strongest(matrix, 0.31)
    dense[dense > 0] = 1 / dense[dense > 0]
    assert oracle.summary(from_dense(dense, absent=0, directed=False)).total == pytest.approx(11536.1, abs=0.01)


def test_bct_efficiency(shared_data, oracle):
    graph = read(shared_data / "brain" / "sample_directed.npy", absent=0)
    dist = oracle.distances(graph._with(weights=1 / graph.weights))
    np.fill_diagonal(dist, np.inf)
    assert (1 / dist).sum() == pytest.approx(9515.25014985, rel=1e-9)
    assert (1 / dist).sum() / (95 * 94) == pytest.approx(1.06553753, rel=1e-8)


# -- negative arcs: algs4, currencies, circuits, temporal networks ---------------------------------------------------

TINY_EWDN = """0 .93 .26 .99 .26 .61 1.51 .60; -.59 0 -.39 .29 -.44 -.09 .81 -.07; -.15 .67 0 .73 0 .35 1.25 .34;
-.88 -.06 -.68 0 -.73 -.38 .52 -.36; -.12 .67 .08 .76 0 .35 1.28 .37; -.27 .32 -.07 .61 -.12 0 1.13 .25;
-1.40 -.58 -1.20 -.49 -1.25 -.90 0 -.88; -.49 .33 -.29 .39 -.34 .01 .91 0"""


def test_algs4(shared_data, oracle):
    folder = shared_data / "negative" / "algs4"
    expected = np.array([[float(word) for word in row.split()] for row in TINY_EWDN.split(";")])
    np.testing.assert_allclose(oracle.distances(read(folder / "tinyEWDn.txt")), expected, atol=0.00501)
    first = oracle.distances(read(folder / "tinyEWD.txt"))[0]
    np.testing.assert_allclose(first, [0, 1.05, 0.26, 0.99, 0.38, 0.73, 1.51, 0.60], atol=0.00501)
    medium = oracle.distances(read(folder / "mediumEWD.txt"))[0, :5]
    np.testing.assert_allclose(medium, [0, 0.71, 0.65, 0.46, 0.42], atol=0.00501)


NEGATIVE_CYCLES = ["algs4/tinyEWDnc.txt", "west0067.mtx", "iscas89/s27.T3.negcycle.gr", "iscas89/s298.T3.negcycle.gr",
                   "iscas89/s1423.T39.negcycle.gr", "iscas89/s5378.T16.negcycle.gr"]  # fmt: skip


@pytest.mark.parametrize("file", NEGATIVE_CYCLES)
def test_negative_cycle(shared_data, oracle, file):
    with pytest.raises(apsp.NegativeCycleError):
        oracle.distances(read(shared_data / "negative" / file))


ISCAS = {"s27.T4": (149, -60, -5, 6), "s298.T4": (6401, -9798, -9, 6), "s1423.T40": (391025, 12062710, -58, 171),
         "s5378.T17": (5138394, 99372702, -24, 171)}  # fmt: skip


@pytest.mark.parametrize("name", ISCAS)
def test_iscas(shared_data, oracle, name):
    graph = read(shared_data / "negative" / "iscas89" / f"{name}.ok.gr")
    found = oracle.summary(graph)
    dist = oracle.distances(graph)
    np.fill_diagonal(dist, np.inf)
    assert (found.pairs, found.total, dist.min(), found.largest) == ISCAS[name]


STN = {"STN_a2_i8_s1_t1000_original_3": (9511532, -24763, 72099),
       "STN_a3_i8_s1_t2000_original_0": (4116963, -7251, 34510),
       "STN_a3_i8_s1_t2000_original_8": (4960763, -15519, 47705),
       "STN_a4_i8_s5_t20000_original_8": (14615011, 0, 87964)}  # fmt: skip


def constraint_graph(path):
    """A temporal network: second - first <= max is an arc of length max, >= min an arc back of -min."""
    network = json.loads(path.read_text())
    arcs = []
    for node in network["nodes"]:
        arcs += [(0, node["node_id"], node["max_domain"]), (node["node_id"], 0, -node["min_domain"])]
    for rule in network["constraints"]:
        first, second = rule["first_node"], rule["second_node"]
        arcs += [(first, second, rule["max_duration"]), (second, first, -rule["min_duration"])]
    tails, heads, lengths = zip(*[arc for arc in arcs if arc[2] not in ("inf", float("inf"))], strict=True)
    return from_edges(tails, heads, lengths)


@pytest.mark.parametrize("name", STN)
def test_temporal_network(shared_data, oracle, name):
    graph = constraint_graph(shared_data / "negative" / "stn" / f"{name}.json")
    dist = oracle.distances(graph)
    assert graph.n == 21
    assert (dist.sum(), dist.min(), dist.max()) == STN[name]


def test_arbitrage(shared_data, oracle):
    folder = shared_data / "negative" / "fx"
    rows = [line.split() for line in (folder / "rates.txt").read_text().splitlines()[1:] if line.strip()]
    rates = np.array([[float(word) for word in row[1:]] for row in rows])
    assert [row[0] for row in rows] == ["USD", "EUR", "GBP", "CHF", "CAD"]
    assert rates[0, 1] * rates[1, 4] * rates[4, 0] == pytest.approx(1.00714497, abs=5e-9)
    quotes = json.loads((folder / "2023-11-18.json").read_text())["rate"]
    names = [quote["base"] for quote in quotes]
    latest = np.array([[1.0 if a == quote["base"] else quote[a] for a in names] for quote in quotes])
    for table in (rates, latest):
        graph = from_dense(-np.log(table))
        with pytest.raises(apsp.NegativeCycleError):
            oracle.distances(graph)


def test_cross_rates_have_no_shortcuts(shared_data):
    header, row = list(csv.reader((shared_data / "negative/fx/eurofxref.csv").read_text().splitlines()))[:2]
    rates = np.array([1.0] + [float(v) for k, v in zip(header[1:], row[1:], strict=True) if k.strip() and v.strip()])
    assert len(rates) == 30
    lengths = np.log(rates[:, None]) - np.log(rates[None, :])
    best = lengths.copy()
    for _ in range(5):  # walks of at most 32 arcs: Floyd-Warshall would go round cycles of -1e-16 billions of times
        best = np.minimum(best, (best[:, :, None] + best[None]).min(axis=1))
    assert np.abs(best - lengths).max() < 1e-12
    assert np.diagonal(best).min() > -1e-12


# -- others -----------------------------------------------------------------------------------------------------------


def test_knuth_miles_is_a_metric(shared_data, oracle):
    text = gzip.decompress((shared_data / "misc" / "knuth_miles.txt.gz").read_bytes()).decode()
    rows: list[list[int]] = []
    for line in text.splitlines():
        if line.startswith("*"):
            continue
        if "[" in line:
            rows.append([])
        else:
            rows[-1] += map(int, line.split())
    table = np.zeros((len(rows), len(rows)), dtype=np.int32)
    for i, row in enumerate(rows):
        table[i, :i] = row[::-1]  # the latest city comes first
    table += table.T
    dist = oracle.distances(from_dense(table, directed=False))
    assert np.array_equal(dist, table)
    assert (dist.sum(), dist.max(), len(rows)) == (21631034, 3496, 128)


UNDIRECTED = {"p2p-Gnutella08.txt": (39671104, 184192610, 9), "Wiki-Vote.txt.gz": (49921348, 162119952, 7),
              "email-Eu-core.csv": (971210, 2512456, 7)}  # fmt: skip


@pytest.mark.parametrize("file", UNDIRECTED)
def test_snap_undirected(shared_data, oracle, file):
    found = oracle.summary(read(shared_data / "snap" / file, directed=False, weighted=False))
    assert (found.pairs, found.total, found.largest) == UNDIRECTED[file]


def test_airports(shared_data, oracle):
    def rows(name):
        return csv.reader(gzip.decompress((shared_data / "air" / name).read_bytes()).decode().splitlines())

    airports = {row[0] for row in rows("airports.dat.gz")}
    flights = [(row[3], row[5]) for row in rows("routes.dat.gz")]
    known = [flight for flight in flights if flight[0] in airports and flight[1] in airports]
    # `\N` or an airport that is not in the list
    assert len(flights) - len(known) == 892
    names = sorted({airport for flight in known for airport in flight})
    number = {name: i for i, name in enumerate(names)}
    graph = from_edges([number[a] for a, _ in known], [number[b] for _, b in known], labels=names)
    parts, label = csgraph.connected_components(graph.to_scipy(), connection="strong")
    found = oracle.summary(graph)
    assert (graph.n, graph.m, (graph.tails() == graph.indices).sum()) == (3214, 36907, 1)
    assert (parts, np.bincount(label).max(), found.pairs, found.largest) == (48, 3147, 10030049, 13)


@pytest.mark.slow
def test_new_york(shared_data, oracle):
    graph = read(shared_data / "roads" / "NY.topology.tw.gr.xz")
    found = oracle.summary(graph, range(1, 1001))
    assert (found.total, found.largest) == (85259216141, 657)
    # the diameter is published; a few sweeps to the farthest vertex reach it from below
    start, farthest = 0, 0
    for _ in range(6):
        dist = csgraph.dijkstra(graph.to_scipy(), indices=start, unweighted=True)
        start, farthest = int(dist.argmax()), max(farthest, int(dist.max()))
    assert farthest <= 720
