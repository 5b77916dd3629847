"""The pages about the papers: their examples run, their tables are those of the kernels, their figures are in place."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import numpy as np
import pytest

import apsp

PAPERS = Path(__file__).resolve().parents[1] / "docs/papers"
PAGES = ("lab", "katz-kider", "okuyama", "okuyama-short", "batool")
SECTIONS = (
    "The problem and the hardware",
    "The idea",
    "The kernels",
    "Data structures",
    "What the counts show",
    "Corrections",
    "Ideas used by the tuned method",
    "Exercises",
)
LARGEST_IMAGE = 150_000


@pytest.fixture
def emulated() -> None:
    """Skips where the package was built without the emulated GPU."""
    pytest.importorskip("apsp._emulated")


def text_of(name: str) -> str:
    return (PAPERS / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "name",
    ["README", *(pytest.param(name, marks=pytest.mark.slow) if name == "okuyama-short" else name for name in PAGES)],
)
def test_examples_run(emulated, name):
    test = doctest.DocTestParser().get_doctest(text_of(name), {}, f"{name}.md", f"docs/papers/{name}.md", 0)
    assert len(test.examples) >= (3 if name == "README" else 20)
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert not report, "".join(report)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in ("lab", "okuyama-short") else name for name in PAGES]
)
def test_tables_are_what_the_kernels_do(emulated, name):
    from docs.papers.figures import counts

    text = text_of(name)
    assert text == counts.with_block(text, counts.block(name)), "run scripts/docs"


@pytest.mark.parametrize("name", PAGES)
def test_every_page_has_its_sections_in_order(name):
    headings = re.findall(r"^## (.*)$", text_of(name), flags=re.MULTILINE)
    assert len(headings) == len(SECTIONS)
    for heading, wanted in zip(headings, SECTIONS, strict=True):
        assert heading.startswith(wanted)
    solutions = text_of(name).count("<summary>Solution</summary>")
    assert 3 <= solutions <= 5
    assert text_of(name).count("</details>") == solutions


@pytest.mark.parametrize("name", ["README", *PAGES])
def test_links_lead_somewhere(name):
    targets = re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", text_of(name))
    assert len(targets) > 5
    for target, place in targets:
        if target.startswith("https://"):
            continue
        document = (PAPERS / target).resolve() if target else PAPERS / f"{name}.md"
        assert document.exists(), f"{name}.md links to {target}"
        if place:
            headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), flags=re.MULTILINE)
            anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
            assert place in anchors, f"{name}.md links to #{place} of {document.name}"


def test_images_are_small_used_and_without_a_date():
    used = {image for name in PAGES for image in re.findall(r"\]\(images/([^)]*)\)", text_of(name))}
    there = {path.name for path in (PAPERS / "images").iterdir()}
    assert used == there
    for image in sorted(there):
        drawn = (PAPERS / "images" / image).read_text(encoding="utf-8")
        assert len(drawn) <= LARGEST_IMAGE, image
        assert "<dc:date>" not in drawn


def test_the_example_is_the_graph_of_all_pages(emulated):
    from docs.papers.figures import runs

    for name in PAGES:
        line = re.search(r"^>>> (?:graph = )?(apsp\.from_edges\(\[0, 0, 1, 2, 2.*)$", text_of(name), re.MULTILINE)
        assert line is not None, name
        graph = eval(line[1])
        example = runs.example_with_negative_arc() if name == "batool" else runs.example()
        for array in ("indptr", "indices", "weights"):
            np.testing.assert_array_equal(getattr(graph, array), getattr(example, array))


def test_figures_are_of_right_runs(emulated):
    """What figures show of the passes: grids of the paper, and every block in the pass that the paper says."""
    from docs.papers.figures import runs

    lengths = np.full((12, 12), 1000, dtype=np.int32)
    lengths[3], lengths[:, 3] = 1, 1  # every path by way of vertex 3, the first of block 1
    np.fill_diagonal(lengths, 0)
    first, second, third = (one for one in runs.passes(lengths, 3) if one.primary == 1)
    assert [first.grid, second.grid, third.grid] == [(1,), (3, 2), (3, 3)]
    assert first.changed == {(1, 1)}
    assert second.changed == {(1, j) for j in (0, 2, 3)} | {(i, 1) for i in (0, 2, 3)}
    assert third.changed == {(i, j) for i in (0, 2, 3) for j in (0, 2, 3)}


def test_recorded_rounds_end_with_the_distances(emulated):
    from docs.papers.figures import runs

    graph = apsp.generate("random", 40, m=100, weights=(1, 30), seed=3)
    want = apsp.solve(graph, method="dijkstra", dtype="int32").distances
    last = runs.rounds("okuyama", graph, range(32))[-1]
    np.testing.assert_array_equal(last.costs_checked[:, :32].T, want[:32])
    assert not last.modified_checked.any()
