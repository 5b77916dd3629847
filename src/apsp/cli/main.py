"""The entry point: finds the command, and reports an error as one line and an exit code."""

from __future__ import annotations

import contextlib
import importlib.util
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Any

import click

from apsp import __version__
from apsp.cli import exits, terminal
from apsp.cli.files import words_of
from apsp.cli.streams import checked_streams, silence_stdout, silenced, wait_for_words_of_the_first
from apsp.errors import OutputError
from apsp.system.declared import declared
from apsp.system.inputs import recorded_inputs

__all__ = ["cli", "main"]

COMMANDS: dict[str, str] = {
    "solve": "Compute all shortest distances of a graph file.",
    "path": "Print a shortest path between two vertices.",
    "stats": "Diameter, mean distance, histogram, ... of a graph or a result.",
    "reachable": "Transitive closure: which vertices reach which.",
    "access": "What every vertex reaches within cutoffs: jobs within 30 minutes.",
    "nearest": "The nearest of some facilities, from every vertex.",
    "within": "All pairs of vertices within a cutoff.",
    "table": "Distances between two files of points: from addresses to a matrix.",
    "isochrone": "What is within cutoffs of some vertices, as polygons.",
    "explore": "A map in one file of HTML: distances from any vertex.",
    "k-nearest": "The k nearest vertices of every vertex.",
    "skim": "Costs along shortest paths between zones: time, length, toll.",
    "closeness": "The vertices that are nearest to all others.",
    "betweenness": "The vertices or arcs that most shortest paths pass.",
    "serve": "Answer requests of OSRM's clients: tables, routes, nearest streets.",
    "plan": "Show what solve would run, why, and its time and memory.",
    "generate": "Generate a graph: city, grid, random, ...",
    "convert": "Convert a graph to another format.",
    "info": "This machine, the optional packages and the available methods.",
    "tune": "Measure the cost constants of this machine.",
    "bench": "Repeat the experiments of a paper on this machine.",
}
"""Commands and their help in one line (so that --help imports none of them). They are modules of this package (with _
for -), or entry points of the group 'apsp.commands'."""


_STOPPED = 130
"""The exit code after Ctrl-C."""


class _Commands(click.Group):
    """Loads the module of a command when it is called, and reports errors."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = f"apsp.cli.{cmd_name.replace('-', '_')}"
        if importlib.util.find_spec(module) is None:
            return next((entry.load() for entry in declared("apsp.commands") if entry.name == cmd_name), None)
        command: click.Command = importlib.import_module(module).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(COMMANDS)}"
            raise click.UsageError(f"no command {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code), words) for code, words in exits.CODES.items()])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, KeyboardInterrupt):
            raise
        except BrokenPipeError:
            silence_stdout()
            raise click.exceptions.Exit(141) from None
        except Exception as error:  # any error is reported as one line and an exit code
            if error.__cause__ is not None and not isinstance(error.__cause__, Exception):
                # Python before 3.12 wraps a signal that arrives while a class is created
                raise error.__cause__ from None
            raise click.exceptions.Exit(_report(ctx, error)) from error


def _report(ctx: click.Context, error: Exception) -> int:
    """Report an error and return the exit code."""
    code = exits.exit_code(error)
    if ctx.meta.get("apsp.debug"):
        traceback.print_exception(error)
    if ctx.meta.get("apsp.json"):
        with contextlib.suppress(OSError):  # standard output itself may have failed
            terminal.print_json({"error": exits.facts(error)})
    hint = "" if code != 1 or ctx.meta.get("apsp.debug") else " (--debug shows the traceback)"
    click.echo(f"apsp: error: {words_of(exits.message(error))}{hint}", err=True)
    return code


def set_debug(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    """Apply the --debug option of the group and of every command."""
    ctx.meta["apsp.debug"] = ctx.meta.get("apsp.debug", False) or value


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, "-V", "--version", prog_name="apsp", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, expose_value=False, callback=set_debug, help="Show tracebacks.")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Exact all-pairs shortest paths on CPUs and GPUs.

    \b
    apsp solve roads.gr -o roads.npz     all distances (and paths)
    apsp path roads.npz 17 4711          one path
    apsp stats roads.gr                  the whole graph in numbers

    Every command takes --help, --json (one JSON object on standard output) and --debug.
    """  # noqa: D301 - click reads the character
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments. Default: those of the process.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    code = _run(given)
    if code not in (0, _STOPPED):
        wait_for_words_of_the_first(given)
    return code


def _run(given: list[str]) -> int:
    with (
        checked_streams(),
        silenced(given),
        _unwinding_on_terminate(),
        terminal.printed_warnings(),
        recorded_inputs(),
    ):
        try:
            code = cli.main(given, prog_name="apsp", standalone_mode=False)
            sys.stdout.flush()
        except click.ClickException as error:
            usage = isinstance(error, click.UsageError)
            where = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx is not None else "apsp"
            click.echo(f"apsp: error: {_one_line(error)}{f'; see {where} --help' if usage else ''}", err=True)
            return error.exit_code
        except (click.Abort, KeyboardInterrupt):
            click.echo("apsp: stopped", err=True)
            return _STOPPED
        except BrokenPipeError:
            silence_stdout()
            return 141
        except OutputError as error:  # standard output failed, while help was written or at the end
            click.echo(f"apsp: error: {exits.message(error)}", err=True)
            return exits.exit_code(error)
        return code if isinstance(code, int) else 0


def _one_line(error: click.ClickException) -> str:
    text = " ".join(error.format_message().split())
    return exits.shortened(text[:1].lower() + text[1:].rstrip("."))


@contextlib.contextmanager
def _unwinding_on_terminate() -> Iterator[None]:
    """Let SIGTERM and SIGHUP raise an exception, so that no half-written file remains.

    A signal that is ignored (nohup) remains ignored.
    """

    def leave(number: int, _frame: FrameType | None) -> None:
        sys.exit(128 + number)

    before: dict[int, Any] = {}
    try:
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)  # some systems have no SIGHUP
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                before[number] = signal.signal(number, leave)
    except ValueError:  # not the main thread: another program embeds this one
        yield
        return
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
