"""What a reader of the source can rely on: where the names of methods occur, and that imports form no circles."""

from __future__ import annotations

import ast
import graphlib
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from apsp.methods import registry

SOURCE = Path(registry.__file__).parents[1]
ROOT = Path(__file__).parents[1]
NAMES = [*registry.METHODS, *registry.CLOSURES]


def strings(path: Path) -> Iterator[tuple[int, str]]:
    """The string constants of a module that are no docstrings or words about a constant."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.lineno, node.value


def imported(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.lineno, node.module
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def runtime_imports(node: ast.AST) -> Iterator[ast.ImportFrom]:
    """Those at the top of a module and in functions, not those for annotations."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.ImportFrom):
            yield each
        elif isinstance(each, ast.If) and ast.unparse(each.test) == "TYPE_CHECKING":
            for other in each.orelse:
                yield from runtime_imports(other)
        else:
            yield from runtime_imports(each)


def modules(folder: str) -> list[Path]:
    return sorted((SOURCE / folder).rglob("*.py"))


@pytest.mark.parametrize(
    "folder", ["planning", "facts", "api", "running", "graph", "gpu", "system", "result", "measures", "reductions"]
)
def test_what_chooses_knows_no_method_by_name(folder: str) -> None:
    # Words of a field are no names: bfs, reference and elimination are only looked for as whole strings.
    whole = {"bfs", "reference", "elimination", "dijkstra", "johnson"}
    pattern = re.compile("|".join(rf"(?<![\w-]){re.escape(name)}(?![\w-])" for name in NAMES if name not in whole))
    found = [
        f"{path.relative_to(SOURCE)}:{line}: {text!r}"
        for path in modules(folder)
        for line, text in strings(path)
        if text in whole or pattern.search(text)
    ]
    assert not found


@pytest.mark.parametrize("folder", ["planning", "facts"])
def test_what_chooses_imports_no_room(folder: str) -> None:
    rooms = {path.name for path in (SOURCE / "methods").iterdir() if (path / "__init__.py").exists()}
    found = [
        f"{path.relative_to(SOURCE)}:{line}: {module}"
        for path in modules(folder)
        for line, module in imported(path)
        if module.startswith("apsp.methods.") and module.split(".")[2] in rooms
    ]
    assert not found


def test_nothing_names_the_published_methods() -> None:
    """They register themselves, by entry points; docstrings count, too."""
    found = [
        str(path.relative_to(SOURCE))
        for path in modules("")
        if path.relative_to(SOURCE).parts[0] != "published"
        and re.search(r"apsp[./]published|published/|import published", path.read_text(encoding="utf-8"))
    ]
    assert not found


def test_no_imports_form_a_circle() -> None:
    """Those in functions count, too: a reader of a module needs only those below it."""
    names = {path: ".".join(("apsp", *path.relative_to(SOURCE).with_suffix("").parts)) for path in modules("")}
    below: dict[str, set[str]] = {}
    for path, name in names.items():
        if path == SOURCE / "__init__.py":  # the public names, which are loaded when they are used
            continue
        for node in runtime_imports(ast.parse(path.read_text(encoding="utf-8"))):
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                found = {full, f"{full}.__init__", f"{node.module}", f"{node.module}.__init__"} & set(names.values())
                below.setdefault(name, set()).update(found - {name, "apsp.__init__"})
    graphlib.TopologicalSorter(below).prepare()  # CycleError names the circle


@pytest.mark.parametrize("name", list(registry.METHODS))
def test_every_method_has_a_cost_of_its_own(name: str) -> None:
    assert registry.costs(registry.get(name)).name == name


@pytest.mark.parametrize("name", list(registry.CLOSURES))
def test_every_closure_has_a_cost_of_its_own(name: str) -> None:
    row = registry.get(name, registry.CLOSURES)
    assert row.purpose == "closure"
    assert name not in registry.METHODS
    assert registry.closure_costs(row).name == name
    assert callable(registry.close(row))


def test_files_of_kernels_have_names_of_their_own() -> None:
    files = [path.name for ending in ("*.cu", "*.cuh") for path in SOURCE.rglob(ending)]
    assert len(files) == len(set(files)) > 40


def test_no_module_is_hidden_by_a_folder_of_its_name() -> None:
    assert not [path for path in SOURCE.rglob("*.py") if path.with_suffix("").is_dir()]


@pytest.mark.parametrize(
    "words", ["dtype={narrow!r}, proven", "which has room", "a block of rows at a time{", "'paths=False'"]
)
def test_what_would_fit_is_worded_in_one_place(words: str) -> None:
    texts = {path.name: path.read_text(encoding="utf-8").replace('"', "'") for path in modules("")}
    assert [name for name, text in texts.items() if words in text] == ["remedies.py"]


def test_the_root_holds_only_what_belongs_there() -> None:
    expected = {
        ".ci", ".clang-format", ".github", ".gitignore", "CHANGELOG.md", "CITATION.cff", "CMakeLists.txt",
        "CONTRIBUTING.md", "LICENSE",
        "README.md", "benchmarks", "cpp", "docs", "packaging", "pyproject.toml", "scripts", "src", "tests",
    }  # fmt: skip
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if tracked.returncode:
        pytest.skip("not a git checkout")
    assert {name.partition("/")[0] for name in tracked.stdout.splitlines()} == expected


SETTING_CONSTANTS = {
    "api/test_overwritten_blocks.py",
    "cli/test_sharing.py",
    "cli/test_stats.py",
    "gpu/test_faults.py",
    "gpu/test_jit.py",
    "methods/closure/test_bits.py",
    "methods/closure/test_by_components.py",
    "methods/elimination/test_elimination_on_gpu.py",
    "methods/elimination/test_elimination_on_gpus.py",
    "methods/elimination/test_pairs_on_gpu.py",
    "methods/elimination/test_within_on_gpu.py",
    "methods/flows/test_tree_flows_on_gpu.py",
    "methods/floyd_warshall/test_page_file.py",
    "methods/floyd_warshall/test_strips_on_gpus.py",
    "methods/floyd_warshall/test_tune.py",
    "methods/label_correcting/test_label_correcting_on_gpu.py",
    "methods/label_correcting/test_sums.py",
    "methods/rows/test_predecessors.py",
    "methods/rows/test_rows_on_gpu.py",
    "methods/skims/test_skims_on_gpu.py",
    "planning/test_constants.py",
    "result/test_verifying_samples.py",
    "running/workers/test_engines.py",
    "running/workers/test_sets.py",
    "store/test_arc_flows.py",
    "store/test_faults.py",
    "store/test_skims.py",
    "test_api.py",
    "test_update_beside_queries.py",
}
"""Test files that set constants of apsp (thresholds, versions, folders). None is added: a test passes a limit to what
it calls, or takes an input beyond the limit."""


def constants_set(path: Path) -> Iterator[str]:
    """The constants that a test sets by setattr(module, "NAME", value) or setattr("apsp.module.NAME", value), but those
    of modules of the tests.
    """
    text = path.read_text(encoding="utf-8")
    if "setattr(" not in text:
        return
    tree = ast.parse(text)
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.Import))
    own = {name.name for node in imports for name in node.names if (ROOT / "tests" / f"{name.name}.py").exists()}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "setattr":
            continue
        if isinstance(node.args[0], ast.Name) and node.args[0].id in own:
            continue
        for given in node.args[:2]:
            if isinstance(given, ast.Constant) and isinstance(given.value, str):
                name = given.value.rpartition(".")[2]
                if name.isupper():
                    yield name


def test_thresholds_are_parameters_of_what_tests_call() -> None:
    tests = ROOT / "tests"
    found = {path.relative_to(tests).as_posix() for path in tests.rglob("*.py") if any(constants_set(path))}
    assert found - SETTING_CONSTANTS == set()
    assert SETTING_CONSTANTS - found == set(), "these set none any more: take them off the list"


def test_no_test_compares_the_time_that_passed() -> None:
    # A machine with other work is late. Time of the processor (time.thread_time) may be compared, and a wait may end.
    clocks = {"monotonic", "perf_counter", "time"}
    found = []
    for path in (ROOT / "tests").rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        if "import time" not in text:
            continue
        for check in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Assert)):
            for node in ast.walk(check.test):
                if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
                    called = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
                    names = {each.attr for each in called if isinstance(each, ast.Attribute)}
                    found += [f"{path}:{check.lineno}"] if names & clocks else []
    assert not found
