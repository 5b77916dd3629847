"""What the documents say is true: their Python runs, generated pages are up to date, links and names exist."""

from __future__ import annotations

import doctest
import importlib
import re
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

import apsp
from apsp.cli.main import COMMANDS
from apsp.methods import catalogue
from apsp.published import lineage
from benchmarks import report
from benchmarks.charts import CHARTS

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
    + [path for folder in ("guide", "development", "performance") for path in ROOT.glob(f"docs/{folder}/*.md")]
)
EXAMPLES = [
    ("tutorial.md", 40),
    ("emulated-gpus.md", 8),
    ("getting-started.md", 20),
    ("guide/questions.md", 20),
    ("guide/road-networks.md", 25),
    ("guide/closures.md", 15),
    ("guide/farthest.md", 4),
    ("guide/turns.md", 20),
    ("guide/measures.md", 21),
    ("guide/groups.md", 13),
    ("guide/betweenness.md", 15),
    ("guide/equally-short.md", 10),
    ("guide/alternatives.md", 14),
    ("guide/skims.md", 12),
    ("guide/hours.md", 25),
    ("guide/reach.md", 20),
    ("guide/addresses.md", 17),
    ("guide/within.md", 28),
    ("guide/isochrones.md", 15),
    ("guide/explore.md", 18),
    ("guide/server.md", 5),
    ("guide/many-small-graphs.md", 10),
    ("guide/graph-transformers.md", 15),
    ("guide/tensors.md", 15),
    ("guide/larger-than-memory.md", 10),
    ("files.md", 12),
    ("guide/stores.md", 12),
    ("guide/larger-than-one-machine.md", 4),
    ("guide/cluster.md", 10),
    ("guide/from-other-libraries.md", 25),
    ("guide/scikit-learn.md", 30),
    ("guide/scipy.md", 20),
    ("guide/pandana.md", 20),
    ("guide/tables.md", 20),
    ("guide/notebooks.md", 3),
    ("guide/graph-libraries.md", 20),
    ("guide/inputs.md", 3),
    ("guide/threads.md", 20),
    ("development/measures.md", 10),
]
NEEDS = {
    "files.md": "osmium",
    "guide/from-other-libraries.md": "pandas",
    "guide/alternatives.md": "matplotlib",
    "guide/betweenness.md": "pandas matplotlib",
    "guide/reach.md": "pandas matplotlib",
    "guide/addresses.md": "pandas shapely matplotlib",
    "guide/within.md": "pandas polars pyarrow matplotlib zarr",
    "guide/isochrones.md": "shapely geopandas pyarrow",
    "guide/scikit-learn.md": "sklearn",
    "guide/scipy.md": "sklearn",
    "guide/pandana.md": "pandas matplotlib",
    "guide/questions.md": "pandas",
    "guide/tables.md": "pandas polars pyarrow duckdb",
    "guide/graph-libraries.md": "igraph rustworkx networkit",
    "guide/graph-transformers.md": "torch torch_geometric",
    "guide/skims.md": "zarr xarray dask",
    "guide/hours.md": "matplotlib h5py xarray zarr",
    "guide/stores.md": "zarr xarray dask",
    "guide/larger-than-one-machine.md": "zarr",
    "guide/threads.md": "joblib",
    "development/measures.md": "zarr",
}


@pytest.mark.parametrize(("name", "least"), EXAMPLES)
def test_examples_run(name, least, tmp_path, monkeypatch):
    for package in NEEDS.get(name, "").split():
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / name).read_text()
    test = doctest.DocTestParser().get_doctest(text, {}, name, f"docs/{name}", 0)
    assert len(test.examples) > least
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(test, out=report.append)
    assert not report, "".join(report)


def test_readme_python_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), flags=re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        exec(block, {})
    assert (tmp_path / "city.npz").exists()


@pytest.mark.parametrize(("name", "file", "n"), [("index.md", "none.gr", 10), ("guide/cluster.md", "roads.gr", 100)])
def test_programs_run(name, file, n, tmp_path, monkeypatch):
    """Blocks that are not sessions, on a generated file of the name that they read."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SLURM_ARRAY_TASK_ID", "3")
    monkeypatch.setenv("SLURM_ARRAY_TASK_COUNT", "4")
    apsp.write(apsp.generate("city", n, seed=1), file)
    text = (ROOT / "docs" / name).read_text()
    blocks = re.findall(r"^```python\n(?!>>>)(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    for module, cluster in (("dask_jobqueue", "SLURMCluster"), ("dask_kubernetes.operator", "KubeCluster")):
        monkeypatch.setitem(sys.modules, module, SimpleNamespace(**{cluster: _Cluster}))
    monkeypatch.setitem(sys.modules, "dask.distributed", SimpleNamespace(Client=lambda cluster: ThreadPoolExecutor(2)))
    monkeypatch.setitem(sys.modules, "ray", _ray())
    assert len(blocks) == (7 if name == "guide/cluster.md" else 1)
    found = {}
    for block in blocks:
        if "mpi4py" not in block:  # these run in tests/running/workers/test_engines.py
            exec(block, found)
    if name == "guide/cluster.md":
        assert apsp.load("rows-0003.npz").sources.tolist() == list(range(76, 101))
        assert found["closeness"].tolist() == apsp.closeness_centrality(found["graph"]).tolist()


class _Cluster(nullcontext):
    """Stands for a cluster of a package that is not installed here."""

    def __init__(self, **options):
        super().__init__(self)

    def scale(self, n):
        """Start workers."""


def _ray():
    """Stands for Ray, with threads in place of workers."""
    pool = ThreadPoolExecutor(2)

    def remote(run):
        return SimpleNamespace(remote=lambda *arguments: SimpleNamespace(future=lambda: pool.submit(run, *arguments)))

    return SimpleNamespace(init=lambda: None, cluster_resources=lambda: {"CPU": 2.0}, remote=remote)


def test_algorithms_page_is_generated_from_the_registry():
    assert (ROOT / "docs/algorithms.md").read_text() == catalogue.markdown(), "run scripts/docs"


def test_published_page_is_generated_from_the_registry():
    assert (ROOT / "docs/published.md").read_text() == lineage.markdown(), "run scripts/docs"


@pytest.mark.parametrize("document", report.documents(), ids=lambda path: path.name)
def test_tables_are_those_of_the_committed_results(document):
    assert document.read_text() == report.documents()[document], "run python -m benchmarks.report"


@pytest.mark.parametrize("name", CHARTS)
def test_charts_are_those_of_the_committed_results(name):
    chart = CHARTS[name]()
    assert chart.is_drawn_in(ROOT / f"docs/performance/images/{name}.svg"), "run python -m docs.performance.charts"
    assert all(row.points[0].program == "apsp" for row in chart.rows)


def test_command_line_page_has_every_command():
    text = (ROOT / "docs/cli.md").read_text()
    for command in COMMANDS:
        assert f"`apsp {command} " in text or f"`apsp {command}`" in text


def test_every_guide_page_is_tested_and_in_the_guide():
    pages = {path.name for path in ROOT.glob("docs/guide/*.md")} - {"index.md"}
    elsewhere = {"networkx.md"}  # in a process of its own: tests/compat/networkx_backend
    assert pages == {Path(name).name for name, _ in EXAMPLES if name.startswith("guide/")} | elsewhere
    guide = (ROOT / "docs/guide/index.md").read_text()
    assert all(f"\n{Path(page).stem}\n" in guide for page in pages)


def test_the_example_of_a_measure_is_the_code_of_the_package():
    text = (ROOT / "docs/development/measures.md").read_text()
    blocks = re.findall(r"^```python\n(?!>>>)(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    code = (ROOT / "src/apsp/measures/straightness.py").read_text()
    assert len(blocks) == 3
    assert all(block in code for block in blocks)


def test_reference_has_every_public_name():
    """A name that is new in `apsp.__all__` belongs to a page of docs/reference, a name that went is taken out."""
    text = "".join(path.read_text() for path in ROOT.glob("docs/reference/*.rst"))
    listed = re.findall(r"^   ([A-Za-z_]\w*)$", text, flags=re.MULTILINE)
    documents = {path.stem for path in ROOT.glob("docs/reference/*.rst")}
    assert sorted(set(listed) - documents) == sorted(name for name in apsp.__all__ if not name.startswith("_"))


def test_broken_links_of_the_site_are_found(tmp_path):
    (tmp_path / "index.html").write_text('<a href="page.html#there"></a><a href="https://example.org/x"></a>')
    (tmp_path / "page.html").write_text('<h1 id="there"></h1><a href="gone.html"></a><img src="#missing">')
    check = ROOT / "docs/_sphinx/check_links.py"
    done = subprocess.run([sys.executable, check, tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "page.html:1: gone.html: no such file",
        "page.html:1: #missing: no such anchor",
        "2 broken links in 2 pages",
    ]


@pytest.mark.slow
def test_what_is_wider_than_a_phone_is_found(tmp_path):
    """What scrolls by itself may be wide."""
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        pytest.skip("no Chromium")
    line, head = "w" * 200, '<meta name="viewport" content="width=device-width"><main>'
    (tmp_path / "good.html").write_text(f"{head}<pre style='overflow-x: auto'>{line}</pre><p>short</p></main>")
    (tmp_path / "sub").mkdir()
    bad = f"{head}<div class='bd-content' style='overflow: auto'><b>{line}</b></div></main>"
    (tmp_path / "sub/bad.html").write_text(bad)
    check = ROOT / "docs/_sphinx/check_phones.py"
    done = subprocess.run([sys.executable, check, tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done
    assert done.stdout.splitlines() == [f"sub/bad.html: wider than a phone (1): b {line[:60]}"]


def test_the_citation_has_the_version():
    text = (ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {apsp.__version__}\n" in text


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document):
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", document.read_text()):
        if not target.startswith(("http://", "https://")):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


def test_every_page_of_the_guide_has_a_picture():
    pages = [path for path in ROOT.glob("docs/guide/*.md") if path.name != "index.md"]
    assert [path.name for path in pages if "](../images/" not in path.read_text()] == []


PICTURES = [
    "betweenness", "closures", "cluster", "compromises", "equally-short", "farthest", "from-other-libraries",
    "graph-libraries", "graph-transformers", "groups", "inputs", "larger-than-memory", "larger-than-one-machine",
    "layout", "many-small-graphs", "measures", "networkx", "notebooks", "questions", "reach", "real-city",
    "road-networks", "scikit-learn", "scipy", "server", "skims", "stores", "tables", "tensors", "threads",
]  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [name if number % 5 == 0 else pytest.param(name, marks=pytest.mark.slow) for number, name in enumerate(PICTURES)],
)
def test_pictures_can_be_drawn_again(name, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    pytest.importorskip("networkx")
    pytest.importorskip("sklearn")
    if name == "real-city":
        pytest.importorskip("osmium")
    matplotlib.use("Agg")
    pictures = importlib.import_module("docs.pictures").PICTURES
    assert list(pictures) == PICTURES
    place = tmp_path / f"{name}.png"
    pictures[name]().savefig(place, dpi=20)
    matplotlib.pyplot.close("all")
    assert place.read_bytes()[:4] == b"\x89PNG"
    assert (ROOT / f"docs/images/{name}.png").is_file()


def test_pictures_are_small():
    pictures = [*(ROOT / "docs/images").iterdir()]
    assert len(pictures) > 1
    assert all(picture.stat().st_size < 300_000 for picture in pictures)


def test_every_extra_for_users_is_in_the_table():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for_developers = {"test", "interop", "dev", "check", "docs", "package", "bench"}
    rows = re.findall(r"^\| (`.*?`) \|", (ROOT / "docs/getting-started.md").read_text(), flags=re.MULTILINE)
    listed = {name for row in rows for name in re.findall(r"`([a-z0-9]+)`", row)}
    assert extras.keys() - for_developers <= listed
    of_all = set(re.fullmatch(r"apsp\[(.*)\]", extras["all"][0])[1].split(","))
    assert of_all == extras.keys() - for_developers - {"all", "cuda", "cuda12"}
