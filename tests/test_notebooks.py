"""What notebooks show: the first rows of results that are tables, and errors without the lines of this package."""

from __future__ import annotations

import itertools
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.graph.first_rows import first_where
from apsp.graph.long_table import NOTHING
from apsp.graph.tabular import Tabular

NAMES = [f"<i>{letter}</i>" for letter in "abcdefghijklmnop"]


def streets() -> apsp.Graph:
    """A street of 12 vertices, and 4 vertices that nothing leads to."""
    ends = np.arange(11)
    places = np.stack([np.arange(16.0), np.zeros(16)], axis=1)
    return apsp.from_edges(ends, ends + 1, ends + 1, n=16, directed=False, labels=NAMES, coordinates=places)


class Tables(HTMLParser):
    """The texts of the cells of every table, by rows, and all tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self.tags: set[str] = set()
        self.inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("th", "td"):
            self.tables[-1][-1].append("")
            self.inside = True

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag not in ("th", "td")

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.tables[-1][-1][-1] += data


def day() -> apsp.Graph:
    return streets().with_periods([streets().weights, streets().weights])


def added_in_parts() -> apsp.Nearest:
    found = apsp.Nearest(16, 3, labels=streets().labels)
    for block in reversed(list(apsp.stream(streets(), rows=4))):
        found.add(block)
    return found


TABLES: dict[str, Callable[[], Tabular]] = {
    "accessibility": lambda: apsp.accessibility(
        streets(), {"jobs": np.arange(16), "shops": np.ones(16)}, cutoffs=[3, 5]
    ),
    "accessibility of some": lambda: apsp.accessibility(streets(), np.ones(16), cutoffs=5, sources=NAMES[2:4]),
    "arrival profiles": lambda: apsp.arrival_profiles(day(), (0, 2), times=[0, 9], sources=NAMES[8:14]),
    "arrivals": lambda: apsp.earliest_arrivals(day(), [0, 2], times=[0, 9], sources=NAMES[8:14]),
    "arrivals nowhere": lambda: apsp.earliest_arrivals(day(), 0, times=[0, 9], sources=NAMES[0], targets=NAMES[14]),
    "facilities": lambda: apsp.nearest(streets(), [NAMES[3], NAMES[13]], k=2),
    "facilities beyond the cutoff": lambda: apsp.nearest(streets(), NAMES[9], cutoff=12),
    "isochrones": lambda: apsp.isochrone(streets(), [NAMES[13], NAMES[0], NAMES[5], NAMES[0]], [3, 9]),
    "links": lambda: apsp.prepare(apsp.from_edges([0, 1], [1, 2], links=True)).paths(0, 2, links=True),
    "nearest": lambda: apsp.k_nearest(streets(), 3),
    "nearest in parts": added_in_parts,
    "nearest of one": lambda: apsp.k_nearest(streets(), 20, sources=NAMES[4]),
    "nearest of some": lambda: apsp.k_nearest(streets(), 3, sources=[NAMES[at] for at in (13, 7, 1, 7, 9)]),
    "nearest of nothing": lambda: apsp.k_nearest(streets(), 3, sources=NAMES[13]),
    "no rows": lambda: apsp.Nearest(4, 2),
    "pairs": lambda: apsp.within(streets(), 5, next_hop=True),
    "pairs of some": lambda: apsp.within(streets(), 5, sources=[NAMES[13], NAMES[2], NAMES[2]], targets=[NAMES[3]]),
    "paths": lambda: apsp.prepare(streets()).paths(NAMES[:6], NAMES[6:12]),
    "paths, none at first": lambda: apsp.prepare(streets()).paths([NAMES[13], NAMES[2]], [NAMES[14], NAMES[3]]),
    "paths of pairs": lambda: apsp.shortest_simple_paths(streets(), NAMES[:3], NAMES[4], k=2),
    "pareto": lambda: apsp.pareto(streets().with_costs(toll=streets().weights), "toll", NAMES[:3], NAMES[4]),
    "place matrix": lambda: apsp.table(
        streets(), {"a": (0, 0), "b": (3, 1), "c": (4, 0), "d": (5, 5)}, crs="plane", speed=1
    ),
    "places": lambda: streets().snap(np.stack([np.arange(14.0), np.ones(14)], axis=1), crs="plane", speed=1),
    "skims": lambda: apsp.skim(streets(), {"km": np.linspace(0.1, 1, 22)}, zones=NAMES[9:15]),
    "statistics": lambda: apsp.distance_statistics(streets(), list("abbccddddeeefffg"), quantiles=[0.5]),
    "statistics of sources": lambda: apsp.distance_statistics(streets(), list("abbccddddeeefffg"), per="source"),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_the_first_rows_are_those_of_the_table(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = TABLES[name]()
    columns = made._table().to_text()
    count = len(next(iter(columns.values())))
    whole = type(made)._table
    monkeypatch.setattr(type(made), "_table", lambda one: pytest.fail("of all rows") if one is made else whole(one))
    text = made._repr_html_()
    found = Tables(text)
    assert found.tags <= {"div", "strong", "table", "thead", "tbody", "tr", "th", "td"}
    heads, *rows = found.tables[-1] if count else [list(columns), *found.tables[-1][1:]]
    assert heads == list(columns)
    assert rows == [list(row) for row in itertools.islice(zip(*columns.values(), strict=True), 10)]
    words = f"{count:,} row{'s' if count != 1 else ''}"
    assert f">10 of {words}<" in text if count > 10 else words in text


def test_all_results_that_are_tables_show_rows() -> None:
    shown = {type(make()) for make in TABLES.values()}
    public = {getattr(apsp, name) for name in apsp.__all__ if isinstance(getattr(apsp, name), type)}
    stored = {apsp.StoredNearPairs, apsp.StoredSkims}  # rows lie on a disk
    assert {kind for kind in public if issubclass(kind, Tabular)} - stored == shown


def test_first_places_of_a_large_array_and_their_number() -> None:
    array = np.zeros((3, 1 << 20), dtype=np.int8)
    array[0, -1] = array[1, 0] = array[2, 5:9] = 1
    places, count = first_where(array, lambda part: part == 1, 4)
    assert [place.tolist() for place in places] == [each[:4].tolist() for each in np.nonzero(array)]
    assert count == 6
    assert first_where(array, lambda part: part == 2, 4)[1] == 0


def test_the_first_of_an_array_in_columns_are_found_without_a_copy_of_it() -> None:
    array = np.zeros((3000, 3000), order="F")
    array[7, 5] = array[2, 9] = 1
    tracemalloc.start()
    places, count = first_where(array, lambda part: part == 1, 1)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (*(each.tolist() for each in places), count) == ([2], [9], 2)
    assert most < array.nbytes / 3


def test_names_that_a_table_cannot_have_are_said() -> None:
    found = apsp.accessibility(streets(), {"vertex": np.ones(16)}, cutoffs=3)
    assert "another name" in found._repr_html_()


def test_labels_are_on_one_line_and_can_be_encoded() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], labels=["a\nb", "half \ud800", "x" * 900])
    rows = Tables(apsp.k_nearest(graph, 1)._repr_html_()).tables[0]
    assert rows[1:] == [["a b", "half \\ud800", "1"], ["half \\ud800", f"{'x' * 37}...", "1"]]


def test_the_largest_components_come_first() -> None:
    graph = apsp.from_edges(np.arange(20), np.arange(20) + 1, n=50, directed=False)
    text = apsp.components(graph)._repr_html_()
    assert "the 10 largest of 30 components" in text
    assert Tables(text).tables[0][:3] == [["component", "vertices", "first vertex"], ["0", "21", "0"], ["1", "1", "21"]]
    found = Tables(
        apsp.components(apsp.from_edges([3, 0], [2, 1], n=4, directed=False, labels=list("dcba")))._repr_html_()
    )
    assert found.tables[0][1:] == [["0", "2", "d"], ["1", "2", "b"]]
    assert "0 components" in apsp.components(apsp.from_edges([], [], n=0))._repr_html_()


def test_bins_of_a_histogram() -> None:
    found = apsp.distance_histogram(streets(), bins=64)
    text = found._repr_html_()
    assert Tables(text).tables[0][1] == [f"{found.edges[0]:,}", f"{found.edges[1]:,}", f"{found.counts[0]:,}"]
    assert f"10 of {len(found.counts)} rows" in text


def test_the_most_central_vertices() -> None:
    found = apsp.closeness_centrality(streets(), top=12)
    text = found._repr_html_()
    assert Tables(text).tables[0][1] == [found.vertices[0], f"{found.values[0]:.6g}"]
    assert "10 of 12 rows" in text


def test_the_corner_of_a_result_has_labels() -> None:
    text = apsp.solve(streets(), sources=NAMES[11:])._repr_html_()
    corner = Tables(text).tables[-1]
    assert corner[0] == ["", *NAMES[:6]]
    assert corner[1] == [NAMES[11], "66", "65", "63", "60", "56", "51"]
    assert corner[2] == [NAMES[12], *[NOTHING] * 6]
    assert "5 of 5 rows, 6 of 16 columns" in text
    assert "columns" not in apsp.solve(streets(), targets=NAMES[:2], sources=NAMES[:2])._repr_html_()
    assert len(Tables(apsp.solve(streets(), sources=[])._repr_html_()).tables) == 1
    floats = apsp.from_edges([0], [1], [0.5])
    assert Tables(apsp.solve(floats)._repr_html_()).tables[-1][2] == ["1", NOTHING, "0"]


CELL = """
import sys, apsp
from concurrent.futures import ThreadPoolExecutor
graph = apsp.from_edges([0, 1], [1, 2], [4, 1], labels=["a", "b", "c"])

def question(): return {call}
"""

ERRORS = {
    "apsp.nearest(graph, 'a').write('/proc/a.csv')": "OutputError: cannot write /proc/a.csv: No such file or directory",
    "apsp.solve(graph, method='dijkstr')": "UnknownMethodError: unknown method 'dijkstr'",
    "apsp.read('missing.gr')": "MissingFileError: missing.gr: the file does not exist",
    "apsp.accessibility(graph, {'x': 1}, cutoffs=3)": "GraphError: there is no vertex 'x'",
    "apsp.skim(graph, {'km': [1]})": "GraphError: along['km']: weights must be a vector",
}  # fmt: skip

SESSION = """
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="nocolor", xmode=sys.argv[1])
shell.run_cell(sys.argv[2])
shell.run_cell("question()")
"""


def in_ipython(folder: Path, call: str, mode: str = "Context") -> list[str]:
    pytest.importorskip("IPython")
    program = [sys.executable, "-c", SESSION, mode, CELL.format(call=call)]
    environment = {"IPYTHONDIR": str(folder), "HOME": str(folder), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(program, capture_output=True, text=True, check=True, cwd=folder, env=environment)
    return (done.stdout + done.stderr).strip().splitlines()


@pytest.mark.parametrize("call", ERRORS)
def test_ipython_shows_the_line_of_the_caller_and_the_message(call: str, tmp_path: Path) -> None:
    lines = in_ipython(tmp_path, call)
    assert f"def question(): return {call}" in "".join(lines[:-1])
    assert lines[-1].startswith(ERRORS[call])
    assert len(lines) <= 16
    assert not any("site-packages" in line or "/apsp/" in line for line in lines)


def test_ipython_shows_causes_in_a_line_each(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    Path(tmp_path, "streets.parquet").write_bytes(b"PAR1 and no table")
    lines = in_ipython(tmp_path, "apsp.read('streets.parquet')")
    assert lines[-2].startswith("FileFormatError: streets.parquet")
    assert lines[-1].startswith("Cause: ArrowInvalid: ")


def test_ipython_shows_functions_of_the_caller_that_the_package_calls(tmp_path: Path) -> None:
    call = "apsp.solve(apsp.generate('grid', 400), progress=lambda *_: apsp.read('missing.gr'))"
    lines = in_ipython(tmp_path, call)
    assert any("<lambda>" in line for line in lines)
    assert lines[-1].startswith("MissingFileError: missing.gr")


def test_ipython_says_what_the_caller_was_handling(tmp_path: Path) -> None:
    handling = "    try:\n        {}['key']\n    except KeyError:\n        apsp.solve(graph, paths=2)\n"
    Path(tmp_path, "apsp_beside.py").write_text(f"import apsp\ndef ask(graph):\n{handling}")
    lines = in_ipython(tmp_path, "__import__('apsp_beside').ask(graph)")
    assert any("apsp_beside.py" in line for line in lines)
    assert lines[-2].startswith("RequestError: ")
    assert lines[-1] == "Raised while handling: KeyError: 'key'"


def test_ipython_shows_everything_on_request(tmp_path: Path) -> None:
    call = next(iter(ERRORS))
    assert len(in_ipython(tmp_path, call, "Verbose")) > 3 * len(in_ipython(tmp_path, call))


def test_what_a_program_shows_has_no_chain_for_a_cause_that_the_message_has(tmp_path: Path) -> None:
    for call in ERRORS:
        done = subprocess.run(
            [sys.executable, "-c", f"{CELL.format(call=call)}\nquestion()"],
            capture_output=True,
            text=True,
            cwd=tmp_path,
        )
        assert done.stderr.count("Traceback (most recent call last)") == 1, done.stderr
        assert done.stderr.strip().splitlines()[-1].split(": ", 1)[1].startswith(ERRORS[call].split(": ", 1)[1])
