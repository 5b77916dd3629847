"""Maps in one file: what they hold, what they refuse, and their distances, which Node computes where it is there."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.explore import contents
from apsp.explore.sections import Sections
from apsp.explore.writing import write_map
from apsp.graph.exploring import Exploring
from showing_maps import NODE, distances, header_of, needs_node, part, square

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def long_streets(graph: apsp.Graph, rng: np.random.Generator) -> apsp.Graph:
    return graph.with_weights(rng.integers(0, 2**40, graph.m))


GRAPHS = {
    "city": lambda rng: apsp.generate("city", 900, seed=3),
    "hops": lambda rng: apsp.generate("grid", 400, seed=3, weights=None),
    "undirected": lambda rng: square(20, rng, directed=False),
    "one-way": lambda rng: square(20, rng),
    "zones": lambda rng: square(20, rng, zones=rng.random(400) < 0.2),
    "float32": lambda rng: square(20, rng, "float32"),
    "float64": lambda rng: square(20, rng, "float64"),
    "float64, undirected": lambda rng: square(20, rng, "float64", directed=False),
    "int64": lambda rng: long_streets(square(20, rng, "int64"), rng),
    "labels": lambda rng: square(20, rng, labels=[f"crossing {i}" for i in range(400)]),
    "one vertex": lambda rng: apsp.from_edges([], [], n=1, coordinates=[[3.0, 4.0]]),
}


@needs_node
@pytest.mark.parametrize("name", GRAPHS)
def test_the_page_computes_the_distances_of_the_oracle(tmp_path: Path, name: str) -> None:
    rng = np.random.default_rng(5)
    graph = GRAPHS[name](rng)
    oracle = apsp.prepare(graph)
    oracle.explore(tmp_path / "map.html")
    sources = rng.choice(graph.n, min(40, graph.n), replace=False).tolist()
    rows = np.asarray(oracle.rows([graph.labels[source] for source in sources]))
    expected = np.where(rows == apsp.unreachable(rows.dtype), np.inf, rows.astype(np.float64))
    found = distances(tmp_path / "map.html", [[source] for source in sources] + [sources[:7], [*range(graph.n)]])
    if graph.weight_dtype is not None and graph.weight_dtype.kind == "f":
        # The order of sums depends on the processor; this is that of most.
        np.testing.assert_allclose(found[:-2], expected, rtol=1e-5 if rows.dtype == np.float32 else 1e-13)
    else:
        np.testing.assert_array_equal(found[:-2], expected)
    np.testing.assert_array_equal(found[-2], found[:7].min(axis=0))
    assert not found[-1].any()


@needs_node
def test_an_oracle_writes_its_weights_of_now(tmp_path: Path) -> None:
    graph = apsp.generate("city", 400, seed=2)
    oracle = apsp.prepare(graph)
    oracle.update(np.asarray(graph.weights) * 3)
    oracle.explore(tmp_path / "map.html")
    np.testing.assert_array_equal(distances(tmp_path / "map.html", [[7]])[0], oracle.rows([7])[0])


@needs_node
@pytest.mark.parametrize("of", ["graph", "result"])
def test_graphs_and_results(tmp_path: Path, of: str) -> None:
    graph = apsp.generate("city", 400, seed=2)
    result = apsp.solve(graph, sources=[5, 9], cutoff=300)
    (graph if of == "graph" else result).explore(tmp_path / "map.html", target=7)
    header = header_of(tmp_path / "map.html")
    assert header["target"] == 7
    assert (header["sources"], header["limit"]) == (([], None) if of == "graph" else ([5, 9], 300.0))
    np.testing.assert_array_equal(distances(tmp_path / "map.html", [[5]])[0], apsp.prepare(graph).rows([5])[0])


@needs_node
def test_the_programs_of_the_page() -> None:
    assert NODE is not None
    done = subprocess.run([NODE, "--test", HERE / "page.test.mjs"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("kind", ["one set", "several sets", "matrix"])
def test_the_page_may_load_and_send_nothing(tmp_path: Path, kind: str) -> None:
    city = apsp.generate("city", 100, seed=1)
    graph = apsp.Graph(city.indptr, city.indices, city.weights) if kind == "matrix" else city
    graph.explore(tmp_path / "map.html", weights=[city.weights] * 2 if kind == "several sets" else None)
    page = (tmp_path / "map.html").read_text(encoding="utf-8")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; ")
    assert "unsafe-inline" not in policy[1]
    assert "'unsafe-eval'" not in policy[1]
    (script,) = re.findall(r'<script type="module">(.*?)</script>', page, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    for text in (script, style):
        assert base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() in policy[1]
    assert not re.search(r"https?://|\bfetch\(|\bimport\b|\beval\(|innerHTML|\.src\b", script)


def test_every_name_of_the_programs_is_given_once() -> None:
    # They become one program.
    given = [
        name
        for path in (ROOT / "src/apsp/explore/page").glob("*.mjs")
        for name in re.findall(
            r"^(?:export )?(?:async )?(?:function|class|const|let) (\w+)", path.read_text(), re.MULTILINE
        )
    ]
    assert len(given) > 40
    assert len(given) == len(set(given))


EVIL = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"'&",
    "{script}",
    "\ud800",
    "a\nb",
    "\u2028",
    "",
]


def test_texts_stay_texts(tmp_path: Path) -> None:
    n = len(EVIL)
    graph = apsp.from_edges(range(n - 1), range(1, n), labels=EVIL, coordinates=np.arange(2 * n).reshape(n, 2))
    for evil in EVIL:
        if "\ud800" not in evil:
            graph.explore(tmp_path / "map.html", title=evil, label=evil or "distance", unit=evil)
        page = (tmp_path / "map.html").read_text(encoding="utf-8")
        assert page.count("<script") == 3
        assert "<img" not in page
        assert "{arrays}" not in page
    assert header_of(tmp_path / "map.html")["n"] == n
    header = header_of(tmp_path / "map.html")["sections"]["names"]
    names = zlib.decompress(base64.b64decode(part(page, "arrays")))[header["start"] : header["start"] + header["count"]]
    assert json.loads(names) == EVIL


def test_what_is_no_map(tmp_path: Path) -> None:
    file = tmp_path / "map.html"
    city = apsp.generate("city", 100, seed=1)
    with pytest.raises(apsp.GraphError, match=r"a map needs coordinates, .* has none: .*; up to 2,000 vertices"):
        apsp.generate("ring", 2001).explore(file)
    with pytest.raises(apsp.RequestError, match="takes weights of 0 and more"):
        city.with_weights(np.where(np.arange(city.m) == 3, -1, 5)).explore(file)
    with pytest.raises(apsp.RequestError, match=r"end the name of the file in \.html or \.htm"):
        city.explore(tmp_path / "map.png")
    with pytest.raises(apsp.GraphError, match="no vertex 100"):
        city.explore(file, sources=[100])
    with pytest.raises(apsp.GraphError, match="no vertex 'x'"):
        city.explore(file, target="x")
    with pytest.raises(apsp.RequestError, match="scale must be one of"):
        city.explore(file, scale="miles")  # type: ignore[arg-type]
    with pytest.raises(apsp.RequestError, match="unit must be"):
        city.explore(file, unit=3)  # type: ignore[arg-type]
    with pytest.raises(apsp.RequestError, match=r"explore\(\) is of shortest paths"):
        apsp.solve(city, semiring="max_min").explore(file)
    with pytest.raises(apsp.RequestError, match="a browser counts to 9,007,199,254,740,992: scale the weights down"):
        city.with_weights(np.full(city.m, 2**50)).explore(file)
    with pytest.raises(apsp.OutputError, match="does not exist"):
        city.explore(tmp_path / "none" / "map.html")
    assert not list(tmp_path.iterdir())


def test_what_is_too_large_for_a_browser(tmp_path: Path) -> None:
    city = apsp.generate("city", 400, seed=1)
    with pytest.raises(apsp.RequestError, match=r"takes more than the 1000 B of a page in a browser.*graph.subgraph"):
        write_map(city, tmp_path / "map.html", Exploring(), most_bytes=1000)
    assert not list(tmp_path.iterdir())


def test_the_file_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    city, file = apsp.generate("city", 100, seed=1), tmp_path / "map.html"
    city.explore(file)
    before = file.read_bytes()
    city.explore(file)
    assert file.read_bytes() == before

    def fail(*_: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr("apsp.explore.writing.html_of", fail)
    with pytest.raises(KeyboardInterrupt):
        city.explore(file, title="another")
    assert [path.name for path in tmp_path.iterdir()] == ["map.html"]
    assert file.read_bytes() == before


def test_a_city_of_10000_takes_less_than_half_a_megabyte(tmp_path: Path) -> None:
    apsp.generate("city", 10_000, seed=1).explore(tmp_path / "map.html")
    assert (tmp_path / "map.html").stat().st_size < 500_000


def test_vertices_without_coordinates_and_bends(tmp_path: Path) -> None:
    bends = [[[5.0, 0.0], [5.0, 5.0]], None, [[12.0, 5.0]]]
    points = [[0.0, 0.0], [10.0, 5.0], [np.nan, np.nan], [14.0, 9.0]]
    graph = apsp.from_edges([0, 1, 1], [1, 2, 3], [1, 2, 3], coordinates=points, bends=bends, directed=False)
    graph.explore(tmp_path / "map.html")
    sections = header_of(tmp_path / "map.html")["sections"]
    assert sections["missing"]["count"] == 4
    assert (sections["bend_counts"]["count"], sections["bend_x"]["count"]) == (3, 3)


def test_degrees_have_their_true_proportions(tmp_path: Path) -> None:
    points = [[9.0, 60.0], [9.1, 60.0], [9.0, 60.1]]
    graph = apsp.from_edges([0, 1], [1, 2], coordinates=points, crs="degrees")
    graph.explore(tmp_path / "map.html")
    assert header_of(tmp_path / "map.html")["metres"] * (1 << 22) == pytest.approx(11_119.5, rel=1e-3)
    plain = apsp.from_edges([0, 1], [1, 2], coordinates=points)
    plain.explore(tmp_path / "map.html")
    assert header_of(tmp_path / "map.html")["metres"] is None


@pytest.mark.parametrize("kind", ["numbers", "steps"])
def test_numbers_that_a_map_cannot_hold(kind: Any) -> None:
    sections = Sections()
    sections.add("most", np.array([2**31 - 1, -(2**31)] if kind == "numbers" else [2**31 - 1, -1]), kind)
    with pytest.raises(apsp.RequestError, match="more than 32 bits"):
        sections.add("more", np.array([2**31]), kind)


# -- the program in WebAssembly ----------------------------------------------------------------------------------


def engine() -> bytes:
    return (Path(contents.__file__).parent / "page" / "engine.wasm").read_bytes()


@pytest.mark.skipif(not (ROOT / "cpp").is_dir(), reason="the sources are not here")
def test_the_program_is_that_of_its_sources() -> None:
    sources = sorted((ROOT / "cpp/explore").rglob("*.?pp"), key=lambda path: path.relative_to(ROOT).as_posix())
    assert len(sources) == 6
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    assert engine().endswith(b"\x07sources" + digest.encode()), (
        "cpp/explore has changed: scripts/wasm compiles it again"
    )


@needs_node
@pytest.mark.skipif(
    not (shutil.which("clang") and shutil.which("wasm-ld")), reason="clang for WebAssembly is not installed"
)
def test_the_sources_compile_to_the_same_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = tmp_path / "page" / "engine.wasm"
    made.parent.mkdir()
    subprocess.run([ROOT / "scripts/wasm", made], check=True, capture_output=True)
    if made.read_bytes() == engine():
        return
    # Another clang than that of the package: another program, with the same distances.
    monkeypatch.setattr(contents, "__file__", str(tmp_path / "contents.py"))
    test_the_page_computes_the_distances_of_the_oracle(tmp_path, "float64")
    test_the_page_computes_the_distances_of_the_oracle(tmp_path, "zones")
