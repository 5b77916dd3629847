"""Exit codes, and the one-line message of each."""

from __future__ import annotations

import re
from typing import Any

import click

from apsp import errors

__all__ = ["CODES", "exit_code", "facts", "in_options", "message", "shortened"]

CODES: dict[int, str] = {
    0: "done",
    1: "an unexpected failure: please report it with the output of --debug",
    2: "an invalid command line",
    3: "bad input: a file or a graph that cannot be read",
    4: "the request cannot be met: option, method, dtype, device, memory, missing package",
    5: "the graph has a negative cycle, which is printed",
    6: "the output cannot be written; an old file of that name is unchanged",
    7: "there is no path between the two vertices",
    129: "stopped by SIGHUP (its terminal was closed)",
    130: "stopped by Ctrl-C",
    141: "the reader closed the output pipe (head, for example)",
    143: "stopped by SIGTERM",
}

_BY_ERROR: tuple[tuple[type[BaseException], int], ...] = (
    (errors.NegativeCycleError, 5),
    (errors.OutputError, 6),
    (errors.NoPathError, 7),
    (errors.VerificationError, 1),
    (errors.GraphError, 3),
    (errors.FileFormatError, 3),
    (errors.StoreAccessError, 3),
    (errors.ApspError, 4),
    (MemoryError, 4),
    (OSError, 3),  # from opening an input; outputs raise OutputError
)


_FLAGS = {
    "coordinates=False": "--no-coordinates",
    "weighted=False": "--hops",
    "zones=False": "--no-zones",
    "directed=True": "--directed",
    "directed=False": "--undirected",
    "for_='solve'": "--for solve",
    "for_='stream'": "--for stream",
    "for_='summary'": "--for summary",
    "for_='reachable'": "--for reachable",
    "header=True": "--header",
    "header=False": "--no-header",
    "decimal=','": "--decimal ,",
    "labels='text'": "--labels text",
    "comments=None": "--comments none",
    "columns=(tail, head, weight)": "--columns TAIL,HEAD,WEIGHT",
    "; (tail, head) counts hops": "; TAIL,HEAD counts hops",
    "(source=..., target=...)": "(--source NAME, --target NAME)",
    "(source=...)": "(--source NAME)",
    "(target=...)": "(--target NAME)",
    "(cost=...)": "(--cost NAME)",
    "absent=0": "--absent 0",
    "absent=math.inf": "--absent inf",
    "snap(..., speed=) is": "--speed is",
    "math.inf for ways that cost nothing": "inf for ways that cost nothing",
    "snap(..., unsnapped='unreachable') makes": "--unsnapped unreachable makes",
    "; places[places.snapped] are the rest": "",
    "crs= ": "--crs ",
}
"""Arguments of Python functions that are flags on the command line."""

_CALLS = (
    (r"apsp\.stream\(graph, rows=(\d+)\), a block of rows at a time", r"-o OUT.npy or OUT.csv, in blocks of \1 rows"),
    (r"apsp\.solve\(graph, store='distances\.zarr'\), on a disk", "-o OUT.zarr, a store on a disk"),
    (r"apsp\.within\(graph, (\S+)\), only the pairs", r"apsp within --cutoff \1, only the pairs"),
    (r"at most ([\d,]+) sources at a time \(sources=range\(\d+\)\)", r"--sources with at most \1 vertices at a time"),
    (r"(?<!, )\bpaths=False", "--no-paths"),
)
"""Calls of Python functions that are commands and options."""

_OTHER = {"costs": "along"}
"""Options that have another name than the argument."""

_OF_COMMANDS = {"path": {"costs": "pareto"}}
"""Those of single commands."""

_LONGEST = 900
_LONG_WORD = re.compile(r"\S{400,}")

_OPTION = re.compile(
    r"\b(absent|columns|crs|costs?|source|target|header|delimiter|decimal|comments|labels|coordinates|format|relations|dtype|method|device|gpu_memory|max_expansion|pages_file)"
    r"=(?:'([^'\s]+)'|(?=\s|$))"
)
"""Arguments that are options with a value: dtype='int32' -> --dtype int32."""

_K = re.compile(r"(?<!\S)k=(?=\d)")
"""The argument of the nearest vertices and facilities, whose option is short: k=4 -> -k 4."""


def exit_code(error: BaseException) -> int:
    """Return the exit code of an exception; 1 for an unexpected one."""
    return next((code for kind, code in _BY_ERROR if isinstance(error, kind)), 1)


def message(error: BaseException) -> str:
    """Return the exception as one line."""
    if isinstance(error, OSError) and not isinstance(error, errors.ApspError) and error.strerror:
        text = f"cannot read {error.filename}: {error.strerror}" if error.filename else error.strerror
    else:
        text = str(error)
        if not isinstance(error, errors.ApspError):
            text = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return in_options(" ".join(text.split()))


def in_options(text: str) -> str:
    """Return a message with the arguments of Python functions written as options of the command line."""
    for call, words in _CALLS:
        text = re.sub(call, words, text)
    for argument, flag in _FLAGS.items():
        text = text.replace(argument, flag)
    text = _K.sub("-k ", _OPTION.sub(_option, text))
    return shortened(text.replace("solve(..., paths=True)", "apsp solve --paths"))


def _option(found: re.Match[str]) -> str:
    context = click.get_current_context(silent=True)
    own = _OF_COMMANDS.get((context and context.invoked_subcommand) or "", {})
    name = (_OTHER | own).get(found[1], found[1]).replace("_", "-")
    return f"--{name} {found[2] or ''}".rstrip()


def shortened(text: str) -> str:
    """Return a message of bounded length, without its longest words: options and files can contain anything."""
    text = _LONG_WORD.sub(lambda found: f"{found[0][:100]}...{found[0][-20:]}", text)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def facts(error: BaseException) -> dict[str, Any]:
    """Return the exception as a dictionary for --json."""
    told: dict[str, Any] = {
        "type": type(error).__name__,
        "message": message(error),
        "exit_code": exit_code(error),
    }
    if isinstance(error, errors.NegativeCycleError):
        told["cycle"], told["length"] = error.cycle, error.length
    if isinstance(error, errors.FileFormatError):
        told["path"], told["line"], told["column"] = str(error.path), error.line, error.column
    if isinstance(error, errors.MemoryLimitError):
        told["needed_bytes"], told["available_bytes"] = error.needed, error.available
    return told
