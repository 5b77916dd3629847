"""The page of the published algorithms: `python -m apsp.published.lineage > docs/published.md`.

Rows of the registry describe a method and the methods that it improves on; the rest is taken from the docstring of its
module, which is read without importing it.
"""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

from apsp.methods.registry import METHODS, Method

__all__ = ["markdown"]

_HEAD = """# The published algorithms

## Tutorials

[Five papers](papers/README.md) brought all-pairs shortest paths to the GPU. Each has a page that explains the problem
and the hardware of its year, the idea in figures, the kernels of this package, the arrays of one small graph, the
counts of a run, the corrections and their reasons, and the tuned method that was derived from it. There are exercises
with solutions, and everything runs without a GPU.

| page | paper | methods |
|---|---|---|
| [lab](papers/lab.md) | Belinguier, Grahn (course laboratory) | `lab-fw`, `lab-fw-shared`, `fw-sequential` |
| [katz-kider](papers/katz-kider.md) | Katz, Kider 2008 | `katz-kider`, `katz-kider-closure`, `harish-fw` |
| [okuyama](papers/okuyama.md) | Okuyama, Ino, Hagihara | `harish-sssp`, `okuyama`, `okuyama-global` |
| [okuyama-short](papers/okuyama-short.md) | the same, short version | `okuyama` with P tasks |
| [batool](papers/batool.md) | Batool, Mehdi | `johnson-flag`, `johnson-queue`, `johnson-prefix` |

## How to run them

These are the algorithms on which this package is based. They follow their papers in data structures, kernels and
launches, and are not tuned: `apsp solve IN --method NAME` runs them, `apsp info` lists them, and the planner does not
choose them.

The methods for NVIDIA GPUs run on any machine: without a GPU, or with `--device emulated`, the same kernels run on the
CPU. `apsp solve IN --method NAME --counts` counts their launches, accesses to memory, transactions, conflicts, atomics
and barriers.

`apsp bench --paper okuyama` (or `okuyama-short`, `lab`, `katz-kider`, `batool`) repeats the experiments of a paper on
your machine: every method is compared with Dijkstra before it is timed, the tables show the printed numbers for
comparison, and the tuned solvers run too. `--scale 0.1` reduces the graphs, `--methods` selects methods, `--limit`
bounds the time of one method on one graph; the same command resumes a run that was stopped. With `--executor
processes`, methods that are counted on an emulated GPU are counted on all cores, before the others are timed. [Pages
made on an H200](published/README.md) show which of the papers' claims hold on that GPU.

This page is generated from `src/apsp/published/rows.py` and the docstrings beside it by `scripts/docs`: edit
there."""

_LINEAGE = """## Improvements

The methods that improve on a method are indented below it."""


_BESIDE = {
    "katz-kider-closure (`apsp.reachable(method=...)`, `apsp reachable --method ...`)": "katz_kider_closure",
    "Pages over several GPUs, and beyond device memory (katz-kider)": "katz_kider_pages",
    "Paths out of cells (katz-kider)": "katz_kider_paths",
    "Scatter and check (harish-sssp, okuyama-global, okuyama)": "iterative_sssp",
    "Path recording (the same)": "recording",
    "Task size determination (okuyama-global, okuyama)": "task_size",
}
"""Parts that are not methods of `solve`, or that several methods share: a title, and the module that explains them."""


def markdown() -> str:
    """The whole of docs/published.md."""
    members = [method for method in METHODS.values() if method.family == "published"]
    parts = [_HEAD, _LINEAGE, "\n".join(_tree(members))]
    first: dict[str, str] = {}  # of the methods that share a module
    parts += [_section(method, first.setdefault(method.module, method.name)) for method in members]
    parts += [_beside(title, f"apsp.published.{module}") for title, module in _BESIDE.items()]
    return "\n\n".join(part for part in parts if part) + "\n"


def _tree(members: list[Method]) -> list[str]:
    """The forest of `improves_on`, one list item per method: the published methods, and those that they and the tuned
    ones improve on.
    """
    names = [method.name for method in METHODS.values() if method.family != "reference"]
    beaten = {name: METHODS[name].improves_on for name in names}
    roots = list(dict.fromkeys(_root(name, beaten) for name in names))
    published = {method.name for method in members}
    return [line for root in roots for line in _branch(root, beaten, published, 0, set())]


def _root(name: str, beaten: dict[str, str | None]) -> str:
    seen = {name}
    while (before := beaten.get(name)) is not None and before not in seen:
        seen.add(before)
        name = before
    return name


def _branch(name: str, beaten: dict[str, str | None], published: set[str], depth: int, seen: set[str]) -> list[str]:
    if name in seen:
        return []
    seen.add(name)
    link = f"[{name}](#{name})" if name in published else f"[{name}](algorithms.md#{name})" if name in beaten else name
    said = f": {METHODS[name].summary}" if name in METHODS else ""
    lines = [f"{'  ' * depth}- {link}{said}"]
    for child, before in beaten.items():
        if before == name:
            lines += _branch(child, beaten, published, depth + 1, seen)
    return lines


def _section(method: Method, first: str) -> str:
    """The section of a method, with the docstring of its module if it is the first of that module."""
    facts = [
        ("source", method.source),
        ("code", f"`src/{method.module.replace('.', '/')}.py`{_options(method)}"),
        ("runs on", method.where),
        ("time", method.time),
        ("memory beyond the output", method.memory),
        ("dtypes", ", ".join(method.dtypes)),
        ("algebras", ", ".join(method.semirings)),
        ("negative arcs", "yes, and negative cycles are reported" if method.negative else "no"),
        ("built to beat", method.improves_on),
    ]
    listed = "\n".join(f"- {name}: {value}" for name, value in facts if value)
    said = f"```text\n{_docstring(method.module)}\n```" if first == method.name else f"See [{first}](#{first})."
    return f"## {method.name}\n\n{method.summary}.\n\n{listed}\n\n{said}"


def _options(method: Method) -> str:
    """The options that the method passes to its module."""
    named = ", ".join(f"{name}={value!r}" for name, value in method.options.items())
    return f" with `{named}`" if named else ""


def _beside(title: str, module: str) -> str:
    return f"## {title}\n\n- code: `src/{module.replace('.', '/')}.py`\n\n```text\n{_docstring(module)}\n```"


def _docstring(module: str) -> str:
    """Return the docstring of a module, without importing it."""
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"the registry names {module}, which is not there")
    return ast.get_docstring(ast.parse(Path(spec.origin).read_text(encoding="utf-8"))) or ""


if __name__ == "__main__":
    print(markdown(), end="")
