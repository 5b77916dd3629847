"""apsp plan: show what solve (or a stream, or a summary) would run, why, and its time and memory."""

from __future__ import annotations

import contextlib
from typing import Any, Literal, get_args

import click

from apsp import api
from apsp.api.planning import Purpose
from apsp.cli.exits import message
from apsp.cli.files import INPUT
from apsp.cli.inputs import arguments, graph_facts, graph_words, read_graph
from apsp.cli.options import Keywords, Reading, executor_option, reading_options, show_options, solving_options
from apsp.cli.sections import Sections
from apsp.cli.terminal import Show, print_json, print_text, wrapped
from apsp.errors import ApspError, MemoryLimitError
from apsp.graph.model import Graph
from apsp.planning.plan import Plan

__all__ = ["command"]


@click.command("plan", cls=Sections, short_help="Show what solve would run, why, and its time and memory.")
@click.argument("source", metavar="IN", type=INPUT)
@click.option("--paths/--no-paths", default=False, help="Include predecessors in the plan.")
@click.option(
    "--for",
    "purpose",
    type=click.Choice(get_args(Purpose)),
    default="solve",
    help="What is planned: solve stores all distances; stream (solve to .npy and .csv) and summary (stats --all) hold "
    "blocks of rows; flows is betweenness; reachable is the transitive closure.",
)
@executor_option
@reading_options
@solving_options
@show_options
def command(
    source: str,
    paths: bool,
    purpose: Purpose,
    executor: Literal["processes"] | None,
    reading: Reading,
    keywords: Keywords,
    show: Show,
) -> None:
    """Show what apsp solve would run for the graph IN with the same options, without running it.

    With --for summary, what apsp stats --all would run; with --for stream, what apsp solve would run to write .npy or
    .csv if the distances do not fit in memory. With --executor, the plan has tasks, their time, and the bytes that they
    receive, return and store.

    If the distances do not fit in memory, the plan is that of blocks of rows, as apsp solve writes them to .npy, .csv
    and .zarr.
    """
    graph = read_graph(source, reading, show, turns=True)
    options = arguments(graph, keywords) | {"paths": paths, "executor": executor}
    plan, too_large = _plan(graph, purpose, options)
    if show.json:
        facts = {"graph": graph_facts(graph), "plan": plan.to_dict(), "explanation": plan.explain()}
        print_json(facts | {"too_large": too_large})
    else:
        in_blocks = f"{too_large}\n\nIn blocks of rows:\n\n" if too_large else ""
        print_text(wrapped(f"{source}: {graph_words(graph)}\n\n{in_blocks}{plan.explain()}"))


def _plan(graph: Graph, purpose: Purpose, options: dict[str, Any]) -> tuple[Plan, str | None]:
    """Return the plan; if the whole matrix does not fit, that of blocks of rows, and why."""
    try:
        return api.plan(graph, **options, for_=purpose), None
    except MemoryLimitError as error:
        if purpose != "solve":
            raise
        with contextlib.suppress(ApspError):  # then blocks of rows are no remedy
            return api.plan(graph, **options, for_="stream"), message(error)
        raise
