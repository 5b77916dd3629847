"""What the documents say is true: their Python runs, generated pages are up to date, links and names exist."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from apsp.cli.main import COMMANDS
from apsp.solvers import catalogue, lineage

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])


@pytest.mark.parametrize(("name", "least"), [("tutorial.md", 40), ("emulated-gpus.md", 8)])
def test_examples_run(name, least, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / name).read_text()
    test = doctest.DocTestParser().get_doctest(text, {}, name, f"docs/{name}", 0)
    assert len(test.examples) > least
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert not report, "".join(report)


def test_readme_python_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), flags=re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        exec(block, {})
    assert (tmp_path / "city.npz").exists()


def test_algorithms_page_is_generated_from_the_registry():
    assert (ROOT / "docs/algorithms.md").read_text() == catalogue.markdown(), "run scripts/docs"


def test_published_page_is_generated_from_the_registry():
    assert (ROOT / "docs/published.md").read_text() == lineage.markdown(), "run scripts/docs"


def test_command_line_page_has_every_command():
    text = (ROOT / "docs/cli.md").read_text()
    for command in COMMANDS:
        assert f"`apsp {command} " in text or f"`apsp {command}`" in text


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document):
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", document.read_text()):
        if not target.startswith(("http://", "https://")):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


def test_picture_is_small():
    assert (ROOT / "docs/images/city.png").stat().st_size < 300_000
