"""Pages without a GPU: counts stand in for seconds, and claims are held beside them. Cells are filled by hand here."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest

from apsp.cli.main import main
from apsp.errors import RequestError
from apsp.figures import files
from apsp.gpu.counts import KernelCounts
from apsp.gpu.recorder import Recorder
from apsp.published.experiments import NAMES, contest, paper, table
from apsp.published.experiments.cells import Cell, Cells
from apsp.published.experiments.counting import MEASURES, can_emulate, counted, short, value
from apsp.published.experiments.counts_table import COLUMNS, count_lines, count_rows
from apsp.published.experiments.evidence import verdicts
from apsp.published.experiments.extrapolate import at_paper_size, prediction, predictions
from apsp.published.experiments.figure import EMULATED, draw
from apsp.published.experiments.model import Case, Claim, Contestant, Evidence, Input, Series
from apsp.published.experiments.page import html
from apsp.published.experiments.sizes import SHARE, sizes_for
from apsp.published.experiments.styles import spread, style_of

SERIES = Series(
    name="small",
    title="A small figure",
    axis="vertices",
    cases=(Case("n = 64", Input("random", 64, 256), 64), Case("n = 128", Input("random", 128, 512), 128)),
    contestants=(
        Contestant("harish-sssp", "harish-sssp"),
        Contestant("okuyama", "okuyama"),
        Contestant("dijkstra", "dijkstra", "cpu"),
    ),
    baseline="harish-sssp",
    printed={("n = 128", "okuyama"): 0.5},
    claims=(
        Claim(
            "3 to 5 times faster",
            "okuyama",
            "harish-sssp",
            3,
            5,
            evidence=(Evidence("transactions_cc10", "harish-sssp", "okuyama"),),
            because="So it is.",
        ),
        Claim("beside the CPU", "okuyama", "dijkstra", 2, 3, because="One side is not counted."),
    ),
    sources=32,
    gpu="GeForce 8800 GTS (G92)",
)


def cell(case: str, label: str, n: int, kernels: dict[str, dict[str, int]], series: Series = SERIES) -> Cell:
    recorder = Recorder()
    recorder.bytes_to_device, recorder.copies_to_device = 1000, 4
    recorder.bytes_to_host, recorder.copies_to_host = 500, 10
    for name, counts in kernels.items():
        recorder.add(name, counts)
    totals, by_kernel = counted(recorder)
    empty = Cell(series.name, case, label, n, 4 * n, printed=series.printed.get((case, label)))
    return replace(empty, counts=totals, by_kernel=by_kernel, device="emulated", method=label, sources=series.sources)


def cells() -> list[Cell]:
    found = []
    for case, n in (("n = 64", 64), ("n = 128", 128)):
        for label, transactions, launches in (("harish-sssp", 400 * n, 64), ("okuyama", 100 * n, 2)):
            kernel = label.partition("-")[0]
            found.append(
                cell(case, label, n, {
                    f"{kernel}_scatter": {"launches": launches, "blocks": n, "threads": 32 * n, "load_requests": n,
                                          "transactions_cc10": transactions, "bytes_cc10": 32 * transactions},
                    f"{kernel}_check": {"launches": launches, "blocks": n, "threads": 32 * n},
                })
            )  # fmt: skip
    timed = [Cell("small", case, "dijkstra", n, 4 * n, seconds=0.1, low=0.1, high=0.1, rounds=1)
             for case, n in (("n = 64", 64), ("n = 128", 128))]  # fmt: skip
    gpu = Cell("small", "n = 64", "floyd-warshall, cuda", 64, 256, reason="it needs a GPU: none", lacks="a CUDA GPU",
               is_tuned=True)  # fmt: skip
    return [*found, *timed, gpu, replace(gpu, case="n = 128")]


def test_rows_hold_counts_and_ratios():
    rows = count_rows(SERIES, cells())
    assert [(row.cell.case, row.cell.label, row.ratio) for row in rows] == [
        ("n = 64", "harish-sssp", 1.0),
        ("n = 64", "okuyama", 4.0),
        ("n = 128", "harish-sssp", 1.0),
        ("n = 128", "okuyama", 4.0),
    ]
    assert value(rows[0].cell, "launches") == 128
    assert value(rows[0].cell, "launches", "scatter") == 64
    assert value(rows[0].cell, "bus") == 1500
    assert value(Cell("small", "n = 64", "x", 1, 1), "launches") is None


def test_text_says_counts_predictions_claims_and_cpu_seconds():
    text = table.text(SERIES, cells())
    lines = text.splitlines()
    assert any(line.startswith("n = 64") and "harish-sssp" in line and "25.6 K" in line for line in lines)
    said = "transactions by the rules of 1.0 and 1.1, harish-sssp over okuyama: 4x."
    assert f"claimed: 3 to 5 times faster; {said}" in text
    assert "The counts explain the claim. So it is." in text
    assert "claimed: beside the CPU; The counts cannot be compared with this claim. One side is not counted." in text
    assert "100 ms" in text  # Dijkstra keeps its seconds
    assert "extrapolated from 32 sources, n = 128" in text
    assert "CUDA" not in text
    assert table.missing(cells()) == ["not run: 1 solver needs a CUDA GPU: floyd-warshall, cuda (it needs a GPU: none)"]


def test_verdicts_do_not_flatter():
    def judged(low: float | None, high: float | None, factor: float) -> str:
        claim = replace(SERIES.claims[0], low=low, high=high, because="")
        mine = []
        for each in cells():
            if each.label == "okuyama":
                kernels = [
                    kernel | {"transactions_cc10": int(kernel.get("transactions_cc10", 0) * factor)}
                    for kernel in each.by_kernel
                ]
                totals = each.counts | {"transactions_cc10": sum(kernel["transactions_cc10"] for kernel in kernels)}
                each = replace(each, by_kernel=kernels, counts=totals)
            mine.append(each)
        (found,) = verdicts(replace(SERIES, claims=(claim,)), mine)
        return found.sentence

    assert judged(3, 5, 1) == "The counts explain the claim."
    assert judged(20, 30, 1) == "The counts point the same way, but less far than the paper says."
    assert judged(1.2, 1.4, 1) == "The counts point the same way, but further than the paper says."
    assert judged(1.2, 1.4, 8) == "The counts do not explain the claim."
    assert judged(0.3, 0.3, 14) == "The counts explain the claim."  # 0.286
    assert judged(0.7, 0.7, 4.5) == "The counts point the same way, but less far than the paper says."  # 0.889
    assert judged(0.9, 5, 1) == "The counts explain the claim."
    assert judged(None, None, 1) == "The counts explain the direction."
    assert judged(None, None, 8) == "The counts do not explain it."


def test_counts_without_a_ratio_are_shown_and_the_model_may_judge():
    launches = Claim("it launches", "okuyama", "okuyama", evidence=(Evidence("launches", "okuyama", per_source=False),))
    (found,) = verdicts(replace(SERIES, claims=(launches,)), cells())
    assert (found.ratios, found.sentence) == (("kernel launches, okuyama: 4",), "The counts show it.")
    (found,) = verdicts(replace(SERIES, claims=(replace(SERIES.claims[0], by_model=True),)), cells())
    assert found.sentence.startswith("Counts with the model ")
    assert found.ratios[1].startswith("seconds by the model at the paper's size, harish-sssp over okuyama: ")
    unknown = replace(SERIES, gpu="", claims=(replace(SERIES.claims[0], by_model=True),))
    assert "is not known" in verdicts(unknown, cells())[0].sentence


def test_cases_are_compared_at_the_size_of_the_paper():
    topologies = Series(
        "t", "t", "topology", (Case("random", Input("random", 400, 1600)), Case("ring", Input("ring", 400))),
        (Contestant("harish-sssp", "harish-sssp"),), "harish-sssp", sources=32,
        claims=(
            Claim("more launches", "harish-sssp", "harish-sssp", evidence=(
                Evidence("launches", "harish-sssp", "harish-sssp", "ring", "random", "scatter", 40, 40),)),
        ),
    )  # fmt: skip
    kernel = {"launches": 32 * 10, "threads": 1000}
    mine = [
        cell("random", "harish-sssp", 400, {"harish_scatter": kernel}, topologies),
        cell("ring", "harish-sssp", 100, {"harish_scatter": kernel | {"launches": 32 * 100}}, topologies),
    ]
    (found,) = verdicts(topologies, mine)
    assert found.sentence == "The counts explain the claim."  # 400 launches per source over 10, though 100 were counted
    (words,) = found.ratios
    assert words.startswith("kernel launches of scatter kernels at the paper's size, harish-sssp (ring) over ")
    assert words.endswith("harish-sssp (random): 40x (the paper says 40x)")


def test_counts_grow_by_the_loops_of_dense_methods():
    case = Case("n = 360", Input("random", 360))
    one = Contestant("katz-kider", "katz-kider")
    kernels = {
        "primary": {"launches": 10, "blocks": 10},
        "singly_dependent": {"launches": 10, "blocks": 180},
        "doubly_dependent": {"launches": 10, "blocks": 810},
    }
    found = {each.kernel: each for each in at_paper_size(case, one, cell("n", "katz-kider", 180, kernels))}
    b = 20
    assert found["primary"].blocks == b
    assert found["singly_dependent"].blocks == 2 * b * (b - 1)
    assert found["doubly_dependent"].blocks == b * (b - 1) ** 2
    assert {each.launches for each in found.values()} == {b}
    plain = {"relax_pairs": {"launches": 64, "blocks": 64 * 16, "threads": 64 * 4096, "global_loads": 7}}
    (grown,) = at_paper_size(case, Contestant("harish-fw", "harish-fw"), cell("n", "harish-fw", 64, plain))
    assert (grown.launches, grown.threads) == (360, 360 * -(-(360**2) // 256) * 256)


def test_predictions_of_printed_times():
    ((which, found),) = predictions(SERIES, {(each.case, each.label): each for each in cells()})
    assert (which.case, which.label) == ("n = 128", "okuyama")
    assert found.printed == 0.5
    assert found.error == pytest.approx(found.seconds.whole / 0.5 - 1)
    here = prediction(SERIES, SERIES.cases[1], SERIES.contestants[1], which, as_counted=True)
    assert here.printed is None
    assert found.seconds.launches == pytest.approx(4 * here.seconds.launches)  # 4 groups of 32 sources


def test_csv_has_every_count():
    text = table.csv_text([(SERIES, cells())])
    rows = [*csv.DictReader(io.StringIO(text))]
    assert {*COLUMNS} <= {*rows[0]}
    assert {name for name in KernelCounts("k").to_dict() if name != "kernel"} <= {*rows[0]}
    first = rows[0]
    assert (first["label"], first["launches"], first["transactions_cc10"]) == ("harish-sssp", "128", "25600")
    assert float(first["model_seconds_of_counts"]) > 0
    dijkstra = next(row for row in rows if row["label"] == "dijkstra")
    assert (dijkstra["seconds"], dijkstra["launches"], dijkstra["model_gpu"]) == ("0.1", "", "")


def test_page_says_that_the_gpu_is_emulated():
    measured = [(SERIES, cells())]
    whole = replace(paper("okuyama"), series=(SERIES,))
    page = html(whole, measured, {"settings": {}, "facts": {}}, {})
    assert f"({EMULATED})</title>" in page
    assert page.count("CUDA GPU") == 1
    assert "GeForce 8800 GTS (G92): 16 multiprocessors of 8 cores at 1.625 GHz, 62.1 GB/s" in page
    for tag in ("table", "tr", "ul", "li", "p", "em"):
        assert len(re.findall(f"<{tag}[ >]", page)) == page.count(f"</{tag}>")


def test_counted_figures_say_so_and_label_their_lines():
    figure = draw(SERIES, cells())
    upper, lower = figure.axes
    assert EMULATED in upper.get_title(loc="left")
    assert upper.get_ylabel() == MEASURES["transactions_cc10"].words
    assert lower.get_ylabel() == "harish-sssp over each"
    for axes in (upper, lower):
        assert [text.get_text() for text in axes.texts if text.get_text()] == ["harish-sssp", "okuyama"]
        assert axes.get_yscale() == "log"


@pytest.mark.parametrize("name", NAMES)
def test_entries_of_figures_differ(name):
    for series in paper(name).series:
        styles = [style_of(number) for number, _ in enumerate(series.entries)]
        assert len({(style["marker"], str(style["linestyle"])) for style in styles}) == len(styles)
        assert len({str(style["linestyle"]) for style in styles[:12]}) == min(len(styles), 12)


def test_labels_of_figures_do_not_collide(tmp_path):
    series = paper("lab").series[1]
    mine = [
        Cell(series.name, case.name, one.label, 10, 40, seconds=1 + 0.001 * number, low=1.0, high=1.0, rounds=1)
        for case in series.cases
        for number, one in enumerate(series.entries)
    ]
    figure = draw(series, mine)
    files.save(figure, tmp_path / "figure.png")
    for axes in figure.axes:
        labels = [text for text in axes.texts if text.get_text() in {one.label for one in series.entries}]
        assert len(labels) == len(series.entries)
        boxes = [text.get_window_extent() for text in labels]
        assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_spread_keeps_order_distance_and_bounds():
    places = spread([0.5, 0.5, 0.9, 0.5, 0.95, 1.0], 0.1)
    ordered = sorted(places)
    assert places[:2] == [0.5, 0.6]
    assert all(b - a >= 0.1 - 1e-12 for a, b in pairwise(ordered))
    assert ordered[-1] <= 1.0
    assert max(spread([1.0] * 5, 0.1)) == 1.0
    assert spread([], 0.1) == []
    assert min(spread([0.5] * 30, 0.1)) >= -1e-12  # more than fit


def test_sizes_follow_the_time_a_pilot_takes(monkeypatch):
    from apsp.published.experiments import sizes

    now = [0.0]
    monkeypatch.setattr(sizes.time, "process_time", lambda: now[0])
    seen = []

    def count(case: Case, one: Contestant, n: int) -> None:
        seen.append(n)
        now[0] += 1e-6 * n**2

    large = replace(SERIES, cases=tuple(Case(f"{n}", Input("random", n, 4 * n), n) for n in (1024, 4096, 16384)))
    found = sizes_for(large, large.contestants[:2], 1.0, 4.0, count)
    fits = (SHARE * 4.0 / 1e-6) ** 0.5
    assert found["16384"] == int(fits) // 32 * 32
    assert found["1024"] < found["4096"] < found["16384"]
    assert max(seen) <= 512
    equal = replace(large, cases=tuple(replace(case, input=Input("random", 16384)) for case in large.cases))
    assert len({*sizes_for(equal, equal.contestants[:1], 1.0, 4.0, count).values()}) == 1
    assert sizes_for(large, large.contestants[:1], 0.001, 4.0, count) == {"1024": 8, "4096": 8, "16384": 16}
    assert sizes_for(large, large.contestants[:1], 1.0, 1e9, count) == {"1024": 1024, "4096": 4096, "16384": 16384}


def test_counted_and_timed_runs_are_not_mixed(tmp_path):
    path = tmp_path / "cells.json"
    counts = Cells(path, {"scale": 1, "counts": "on an emulated GPU, in 60 s"}, {})
    counts.sizes["small"] = {"n = 64": 64}
    for each in cells():
        counts.put(each)
    again = Cells(path, {"scale": 1, "counts": "on an emulated GPU, in 60 s"}, {})
    assert again.of("small") == cells()
    assert again.sizes == counts.sizes
    assert again.finished(("small", "n = 64", "okuyama"), 60)
    assert not again.finished(("small", "n = 64", "floyd-warshall, cuda"), 60)
    with pytest.raises(RequestError, match="counts on an emulated GPU, in 60 s, now -"):
        Cells(path, {"scale": 1}, {})


def test_numbers_are_short():
    assert [short(number) for number in (None, 0, 9999, 12345, 1.5e6, 2e9, 3e12)] == [
        "-", "0", "9,999", "12.3 K", "1.5 M", "2 G", "3 T",
    ]  # fmt: skip


def test_terminal_table_is_aligned():
    lines = count_lines(SERIES, cells())
    assert len({line.find("harish-sssp") for line in lines[1:5:2]}) == 1


@pytest.mark.skipif(not can_emulate(), reason="there is no emulated GPU")
@pytest.mark.parametrize(
    "name", [name if name == "batool" else pytest.param(name, marks=pytest.mark.slow) for name in NAMES]
)
def test_every_row_is_filled_without_a_gpu(name, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(contest, "with_gpus", lambda machine: replace(machine, no_gpu="none is plugged in"))
    out = tmp_path / name
    caida = tmp_path / "as-rel.txt"
    caida.write_text("".join(f"{a}|{b}|-1\n" for a in range(1, 20) for b in range(a + 1, 20, 3)))
    arguments = ["bench", "--paper", name, "--scale", "0.004", "--rounds", "1", "--out", str(out), "--no-progress"]
    assert main([*arguments, "--emulated", "--limit", "60", "--caida", str(caida)]) == 0
    told = capsys.readouterr().out
    assert told.startswith(EMULATED)
    document = json.loads((out / f"{name}.json").read_text())
    for each in document["cells"]:
        if each["is_tuned"]:
            continue
        assert each["reason"] is None, each["label"]
        assert each["checked"]
        assert (each["seconds"] is None) == each["device"].endswith("emulated")
        assert (each["counts"] is None) == (each["device"] == "cpu")
        if each["counts"] is not None:
            assert each["counts"]["launches"] > 0
            assert sum(kernel.get("launches", 0) for kernel in each["by_kernel"]) == each["counts"]["launches"]
    page = (out / f"{name}.html").read_text()
    assert EMULATED in page
    assert page.count("CUDA GPU:") == 1
    before = (out / f"{name}.json").read_text()
    assert main([*arguments, "--emulated", "--limit", "60", "--caida", str(caida), "-q"]) == 0
    assert json.loads((out / f"{name}.json").read_text())["cells"] == json.loads(before)["cells"]


@pytest.mark.skipif(not can_emulate(), reason="there is no emulated GPU")
def test_launches_of_a_ring_are_its_vertices(tmp_path):
    """By hand: from each source of a directed ring of 40 vertices, 40 rounds, since each settles one more."""
    from apsp.published.experiments.contest import ready
    from apsp.published.experiments.inputs import make

    graph = make(Input("ring", 40, None, None))
    recorder = ready(graph, Contestant("h", "harish-sssp"), "distances", 1, emulated=True).count(None)
    assert recorder.kernels["harish_scatter"].launches == 40 * 40
    assert recorder.kernels["harish_check"].threads == 40 * 40 * 256


def test_counts_of_rings_follow_from_two_sizes():
    """Filled by hand with 3 loads for each thread and 50 for each arc; a ring relaxes an arc per vertex and source."""

    def kernels(n: int, sources: int) -> dict[str, dict[str, int]]:
        threads, arcs = sources * n * n, sources * n
        loads = {"atomics": arcs, "load_requests": 3 * threads + 50 * arcs}
        return {"harish_scatter": {"launches": sources * n, "blocks": threads // 10, "threads": threads} | loads}

    case, one = Case("ring", Input("ring", 4000)), Contestant("harish-sssp", "harish-sssp")
    half = [{"kernel": name} | counts for name, counts in kernels(50, 32).items()]
    counted_cell = replace(cell("ring", "harish-sssp", 100, kernels(100, 32)), half=half)
    (found,) = at_paper_size(case, one, counted_cell)
    expected = kernels(4000, 4000)["harish_scatter"]
    assert {name: getattr(found, name) for name in expected} == expected
