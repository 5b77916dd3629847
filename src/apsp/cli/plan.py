"""apsp plan: show what solve (or a stream, or a summary) would run, why, and its time and memory."""

from __future__ import annotations

from typing import Literal, get_args

import click

from apsp import api
from apsp.api.planning import Purpose
from apsp.cli.files import INPUT
from apsp.cli.inputs import arguments, graph_facts, graph_words, read_graph
from apsp.cli.options import Keywords, Reading, executor_option, reading_options, show_options, solving_options
from apsp.cli.sections import Sections
from apsp.cli.terminal import Show, print_json, print_text, wrapped

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
    """
    graph = read_graph(source, reading, show)
    plan = api.plan(graph, **arguments(graph, keywords), paths=paths, executor=executor, for_=purpose)
    if show.json:
        print_json({"graph": graph_facts(graph), "plan": plan.to_dict(), "explanation": plan.explain()})
    else:
        print_text(wrapped(f"{source}: {graph_words(graph)}\n\n{plan.explain()}"))
