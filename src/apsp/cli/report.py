"""What a command prints of what it found: as text, or as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from apsp.cli.inputs import graph_facts, graph_words
from apsp.cli.options import Sharing
from apsp.cli.terminal import Show, facts_table, number, print_json, print_text
from apsp.graph.model import Graph
from apsp.planning.words import duration

__all__ = ["report", "report_values"]


def report(
    show: Show,
    source: str,
    graph: Graph,
    facts: Mapping[str, Any],
    seconds: float,
    files: Mapping[str, str | None],
    *,
    given: Mapping[str, Any] | None = None,
    first: Sequence[Sequence[Any]] | None = None,
    sharing: str = "",
) -> None:
    """Print facts, the time and the files.

    Parameters
    ----------
    source : str
        The name of the input.
    files : mapping
        'output', 'plot', and others for JSON.
    given : mapping, optional
        Arguments of the command, for JSON.
    first : sequence of (source, target, distance), optional
        Of the pairs, whose number is one of the facts.
    sharing : str
        Words about workers and stores.
    """
    if show.json:
        named = {name.replace(" ", "_"): value for name, value in facts.items()}
        rows = {} if first is None else {"first": first}
        print_json({"graph": graph_facts(graph), **(given or {}), **named, **rows, "seconds": seconds, **files})
        return
    print_text(f"{source}: {graph_words(graph)}")
    print_text(facts_table([(name, number(value)) for name, value in facts.items()]))
    if first:
        print_text(f"{len(first):,} of {facts['pairs']:,} pairs")
        print_text(facts_table([(f"{start} -> {end}", number(length)) for start, end, length, *_ in first]))
    show.say(_ending(seconds, sharing, files))


def report_values(
    show: Show,
    source: str,
    graph: Graph,
    heading: str,
    values: Sequence[tuple[str, float]],
    facts: Mapping[str, Any],
    seconds: float,
    sharing: Sharing,
    output: str | None,
    plot: str | None,
) -> None:
    """Print some values with their names below a heading, or facts as JSON; and the time and the files."""
    files = {"output": output, "plot": plot, "store": sharing.store}
    if show.json:
        print_json({"graph": graph_facts(graph), **facts, "seconds": seconds, **files})
        return
    print_text(f"{source}: {graph_words(graph)}\n{heading}")
    print_text(facts_table([(name, number(value)) for name, value in values]))
    show.say(_ending(seconds, sharing.words, files))


def _ending(seconds: float, sharing: str, files: Mapping[str, str | None]) -> str:
    names = [path for path in (files["output"], files.get("plot")) if path is not None]
    written = f", written to {' and '.join(names)}" if names else ""
    return f"found in {duration(seconds)}{sharing}{written}"
