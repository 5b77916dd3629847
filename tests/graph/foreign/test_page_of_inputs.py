"""The page that says what is read of the objects of every library."""

from __future__ import annotations

import re
from pathlib import Path

from apsp.graph.foreign import catalogue as graphs
from apsp.graph.tables import catalogue as tables

PAGE = (Path(__file__).parents[3] / "docs" / "guide" / "inputs.md").read_text()
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
DOORS = {module: text for text in SECTIONS.values() for module in re.findall(r"<!-- (\w+) -->", text)}


def test_every_module_has_its_section() -> None:
    modules = {*graphs.LIBRARIES.values(), *tables.LIBRARIES.values(), "mapping_table"}
    assert DOORS.keys() == modules
    folders = [Path(each.__file__).parent for each in (graphs, tables)]
    files = {path.stem for folder in folders for path in folder.glob("*_*.py")}
    assert modules <= files
    assert {name for name in files if name.endswith(("_table", "_graph"))} <= modules


def test_every_class_is_named() -> None:
    for (_, name), module in {**graphs.LIBRARIES, **tables.LIBRARIES}.items():
        words = {"Tensor": "tensor", "DuckDBPyRelation": "relation"}.get(name, f"`{name}`")
        assert words in DOORS[module], (name, module)


def test_every_section_says_the_same_things() -> None:
    for title, text in SECTIONS.items():
        rows = re.findall(r"^\| ([a-z ]+) \|", text, re.MULTILINE)
        assert rows == ["what", "ends", "lengths", "direction", "labels", "parallel links", "refused"], title


def test_every_library_that_may_lack_lengths_says_so() -> None:
    assert {module for module in graphs.LIBRARIES.values() if "`missing=`" in DOORS[module]} == {*graphs.MAY_LACK}
