"""Options shared by several commands; each group is passed to the command as one object."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import click

from apsp.cli.files import INPUT, OUTPUT, VERTICES
from apsp.cli.main import set_debug
from apsp.cli.places import UNITS, remember
from apsp.cli.points import Points
from apsp.cli.sections import in_section
from apsp.cli.store_names import names_a_store
from apsp.cli.terminal import Show
from apsp.errors import RequestError, shown
from apsp.facts.devices import parse_bytes, parse_device
from apsp.semiring import ALL_DTYPES, MAX_MIN, MIN_MAX, MIN_PLUS

__all__ = [
    "Drawing",
    "Keywords",
    "Reading",
    "Sharing",
    "access_options",
    "closure_options",
    "drawing_options",
    "effort_options",
    "executor_option",
    "flow_options",
    "limits_of",
    "number_of",
    "pairs_options",
    "reading_options",
    "scale_option",
    "sharing_options",
    "show_options",
    "snapping_options",
    "solving_options",
    "within_options",
]

Command = Callable[..., Any]

Keywords: TypeAlias = dict[str, Any]
"""Keyword arguments of a function of `apsp`, with vertices still as text."""


@dataclass(frozen=True)
class Reading:
    """Options for reading a graph file: the arguments of `apsp.read`."""

    format: str | None = None
    directed: bool | None = None
    hops: bool = False
    cost: str | None = None
    relations: str | None = None
    parallel: str | None = None
    absent: float | None = None
    missing: float | None = None
    columns: str | None = None
    source_column: str | None = None
    target_column: str | None = None
    delimiter: str | None = None
    header: bool | None = None
    comments: str = "auto"
    decimal: str = "."
    labels: str = "auto"
    coordinates: str | None = None
    no_coordinates: bool = False
    zones: bool = True
    mode: str | None = None
    turns: bool = False
    max_expansion: float | None = None


@dataclass(frozen=True)
class Sharing:
    """Who computes a measure, and what keeps its parts: arguments that many measures have."""

    executor: Literal["processes"] | None = None
    store: str | None = None

    @property
    def words(self) -> str:
        """What is said of the store after the work."""
        return "" if self.store is None else f", kept in {self.store}"


@dataclass(frozen=True)
class Drawing:
    """Options of a map: the arguments of `Result.plot`."""

    label: str = "distance"
    unit: str = ""
    levels: int | list[float] | None = None
    scale: str | float | None = None


def number_of(_ctx: click.Context, _: click.Parameter, value: str | None) -> float | None:
    """Convert text to an integer if possible, else to a float."""
    kinds: tuple[type[int | float], ...] = (int, float)
    for kind in kinds:
        with contextlib.suppress(ValueError):
            return None if value is None else kind(value)
    raise click.BadParameter(f"{value!r} is not a number")


def limits_of(text: str) -> list[int | float]:
    """Convert the cutoffs of --cutoffs.

    Raises
    ------
    RequestError
        If one is not a number.
    """
    try:
        return [int(part) if part.strip().isdecimal() else float(part) for part in text.split(",")]
    except ValueError:
        raise RequestError(f"--cutoffs {shown(text)}: give numbers with commas between, such as 900,1800") from None


def _known_device(_ctx: click.Context, _: click.Parameter, value: str) -> str:
    try:
        parse_device(value)
    except RequestError as error:
        raise click.BadParameter(str(error)) from None
    return value


def _bytes(_ctx: click.Context, _: click.Parameter, value: str | None) -> int | None:
    try:
        return None if value is None else parse_bytes(value, "the size")
    except RequestError as error:
        raise click.BadParameter(str(error)) from None


def _name_of_store(_ctx: click.Context, _: click.Parameter, value: str | None) -> str | None:
    if value is not None and not names_a_store(value):
        raise click.BadParameter(
            f"{value!r} is not the name of a store: name a folder FOLDER.zarr, or a URL such as s3://bucket/FOLDER.zarr"
        )
    return value


def _levels(_ctx: click.Context, _: click.Parameter, value: str | None) -> int | list[float] | None:
    """Parse an approximate number of bands, or their upper limits."""
    if value is None:
        return None
    try:
        return int(value) if value.isdecimal() else [float(each) for each in value.split(",")]
    except ValueError:
        raise click.BadParameter(f"{value!r} is neither a number of bands nor a list such as 300,600,900") from None


def _scale(_ctx: click.Context, _: click.Parameter, value: str | None) -> str | float | None:
    with contextlib.suppress(ValueError):
        return None if value is None else float(value)
    return value  # the figure checks names


def _packed(
    name: str, kind: Callable[..., Any], *options: Callable[[Command], Command]
) -> Callable[[Command], Command]:
    """Return a decorator that adds `options` and passes their values to the command as one `kind` named `name`."""

    def decorate(function: Command) -> Command:
        @functools.wraps(function)
        def call(**values: Any) -> Any:
            return function(**{name: kind(**{each: values.pop(each) for each in names})}, **values)

        decorated: Command = call
        before = len(getattr(function, "__click_params__", ()))
        for option in reversed(options):
            decorated = option(decorated)
        added = decorated.__click_params__[before:]  # type: ignore[attr-defined]
        names = [each.name for each in reversed(added) if each.expose_value]
        return decorated

    return decorate


def _remember_json(ctx: click.Context, _: click.Parameter, value: bool) -> bool:
    ctx.meta["apsp.json"] = value
    return value


def _remember_quiet(ctx: click.Context, _: click.Parameter, value: bool) -> bool:
    ctx.meta["apsp.quiet"] = value
    return value


reading_options = _packed(
    "reading",
    Reading,
    *in_section(
        "Input",
        click.option("--format", metavar="NAME", help="Format of the input. Default: by its content."),
        click.option("--directed/--undirected", default=None, help="Override the direction stated in the file."),
        click.option("--hops", is_flag=True, help="Ignore weights: every arc has length 1."),
        click.option("--cost", metavar="NAME", help="Column or attribute that contains the length."),
        click.option(
            "--columns",
            metavar="LIST",
            help="Tables: columns of tail, head and weight, from 0 or by name: 0,1,4 or from,to,km. Without weight: "
            "hops.",
        ),
        click.option(
            "--source", "source_column", metavar="NAME", help="Tables: column of the tails. Default: by usual names."
        ),
        click.option("--target", "target_column", metavar="NAME", help="Tables: column of the heads."),
        click.option(
            "--delimiter",
            metavar="CHAR",
            callback=lambda _, __, text: {"tab": "\t", "\\t": "\t", "space": " "}.get(text, text),
            help="Edge lists: what separates fields: , ; | tab or space. Default: what suits the first lines.",
        ),
        click.option(
            "--header/--no-header", default=None, help="Edge lists: whether the first line names the columns."
        ),
        click.option(
            "--comments",
            metavar="CHARS",
            default="auto",
            help="Edge lists: characters that begin a comment, or none. Default: # % and //.",
        ),
        click.option("--decimal", type=click.Choice([".", ","]), default=".", help="Edge lists: decimal separator."),
        click.option(
            "--labels",
            type=click.Choice(["auto", "text"]),
            default="auto",
            help="Edge lists: text keeps names such as 007 as they are written.",
        ),
        click.option(
            "--coordinates", metavar="FILE", type=INPUT, help="A .co or _node.tntp file. Default: the one beside IN."
        ),
        click.option("--no-coordinates", is_flag=True, help="Do not read coordinates."),
        click.option(
            "--parallel",
            type=click.Choice(["min", "first", "last"]),
            help="Which of several arcs between two vertices is kept. Default: by the format.",
        ),
        click.option(
            "--absent", callback=number_of, metavar="VALUE", help="Dense matrices: entry that means 'no arc'."
        ),
        click.option(
            "--missing",
            callback=number_of,
            metavar="LENGTH",
            help="GraphML, GML, Pajek: length of edges that have none where others have one.",
        ),
        click.option(
            "--relations",
            metavar="NAMES",
            help="AS relationships: all or customer-provider. Pajek: numbers or names of relations.",
        ),
        click.option(
            "--zones/--no-zones",
            default=True,
            help="Respect zones, which paths may not pass through (TNTP, .npz). Default: yes.",
        ),
        click.option(
            "--near-limit",
            callback=remember,
            expose_value=False,
            type=click.FloatRange(min=0),
            metavar="LENGTH",
            help="Refuse near:X,Y if the nearest vertex is farther away: metres, or the unit of plane coordinates.",
        ),
        click.option(
            "--near-unit",
            callback=remember,
            expose_value=False,
            type=click.Choice(UNITS),
            help="What X and Y of near:X,Y and of the vertices are. Default: degrees within 180 and 90.",
        ),
        click.option(
            "--mode", type=click.Choice(["car", "bike", "foot"]), help="OpenStreetMap, Overture: means of travel."
        ),
        click.option(
            "--turns",
            is_flag=True,
            help="OpenStreetMap, Overture, .npz: respect turns, or refuse where that is not possible.",
        ),
        click.option(
            "--max-expansion",
            callback=number_of,
            metavar="TIMES",
            help="Largest expansion of a compressed file to more than 512 MiB. Default: 200 times its size.",
        ),
    ),
)

_sources, _targets, _cutoff, _dtype, _semiring = in_section(
    "Request",
    click.option(
        "--sources",
        metavar="LIST",
        type=VERTICES,
        help="Compute only paths from these vertices: 3,8,10-17 or @FILE (one per line).",
    ),
    click.option("--targets", metavar="LIST", type=VERTICES, help="Compute only paths to these vertices."),
    click.option("--cutoff", callback=number_of, metavar="LENGTH", help="Omit paths longer than this."),
    click.option(
        "--dtype",
        type=click.Choice(["auto", *ALL_DTYPES]),
        metavar="DTYPE",
        default="auto",
        help=f"Type of the distances: {', '.join(ALL_DTYPES)}, or auto, the narrowest one proven to hold them "
        f"all (default).",
    ),
    click.option(
        "--semiring",
        type=click.Choice([each.name for each in (MIN_PLUS, MAX_MIN, MIN_MAX)]),
        metavar="NAME",
        default="min_plus",
        help="min_plus (shortest paths, default), max_min (widest) or min_max (minimax).",
    ),
)
_method, _device, _gpu_memory, _threads, _pages_file = in_section(
    "Run",
    click.option(
        "--method", default="auto", metavar="NAME", help="Method, as listed by apsp info. Default: the fastest."
    ),
    click.option(
        "--device",
        callback=_known_device,
        metavar="DEVICE",
        default="auto",
        help="cpu, cuda (the first GPU), cuda:1, cuda:0,2 (several), emulated (GPU kernels run on the CPU), "
        "emulated:0,1, or auto, the fastest available (default).",
    ),
    click.option(
        "--gpu-memory", callback=_bytes, metavar="SIZE", help="Memory to use on each GPU, such as 16GiB. Default: all."
    ),
    click.option(
        "--threads",
        type=click.IntRange(min=1),
        metavar="N",
        help="Number of threads. Default: as many as reduce the run time.",
    ),
    click.option(
        "--pages-file",
        metavar="FILE",
        type=OUTPUT,
        help="Keep the matrix in FILE while computing, so that a stopped run can be resumed.",
    ),
)
_methods = (_method, _device, _gpu_memory, _threads)

solving_options = _packed("keywords", dict, _sources, _targets, _cutoff, _dtype, *_methods, _pages_file, _semiring)
effort_options = _packed("keywords", dict, _sources, _cutoff, _dtype, *_methods)
closure_options = _packed("keywords", dict, *_methods)
access_options = _packed("keywords", dict, _sources, _dtype, *_methods)
centrality_options = _packed("keywords", dict, _cutoff, _dtype, *_methods)
pairs_options = _packed("keywords", dict, _sources, _targets, _device, _threads)
flow_options = _packed("keywords", dict, _sources, _targets, _cutoff, _device, _threads)
within_options = _packed("keywords", dict, _sources, _targets, _dtype, _device, _threads)

_POINT_FILES = {
    "origins": "Paths from these points: a .csv, .geojson or .parquet file.",
    "destinations": "Paths to these points: a .csv, .geojson or .parquet file.",
}


def snapping_options(*ends: str) -> Callable[[Command], Command]:
    """Return a decorator with the options about points, at some of the ends 'origins', 'destinations' and 'near'."""
    options = [
        click.option(f"--{end}", metavar="FILE", type=INPUT, help=words)
        for end, words in _POINT_FILES.items()
        if end in ends
    ]
    names = click.option("--names", metavar="COLUMN", help="Column of the points that holds their labels.")
    files = [] if ends == ("near",) else [names]
    if "near" in ends:
        options.append(
            click.option("--near", metavar="X,Y", multiple=True, help="Paths from this point; may be repeated.")
        )
    options += [
        click.option(
            "--crs", metavar="NAME",
            help="What coordinates are: degrees (longitude and latitude), microdegrees (DIMACS) or plane.",
        ),
        click.option(
            "--speed", type=click.FloatRange(min=0, min_open=True), metavar="NUMBER",
            help="Length of the way between a point and its street per unit of the weights: 1.4, 1, inf (no cost).",
        ),
        click.option(
            "--limit", type=click.FloatRange(min=0), metavar="LENGTH",
            help="Do not snap points farther from every street: metres, or the unit of plane coordinates.",
        ),
        *files,
        click.option(
            "--unsnapped", type=click.Choice(["error", "unreachable"]), default="error",
            help="What points beyond the limit are: an error (default), or points without a path.",
        ),
        click.option(
            "--to", type=click.Choice(["edge", "vertex"]), default="edge", help="Snap to streets (default) or vertices."
        ),
    ]  # fmt: skip
    return _packed("points", Points, *in_section("Points", *options))


executor_option, _store = in_section(
    "Run",
    click.option(
        "--executor",
        type=click.Choice(["processes"]),
        help="Compute with a process per core; --threads sets the threads of each.",
    ),
    click.option(
        "--store",
        type=OUTPUT,
        callback=_name_of_store,
        metavar="FOLDER.zarr",
        help="Keep parts of the result there, or at a URL, every half a minute: after an interruption the same command "
        "continues, and several at a time share the work.",
    ),
)
sharing_options = _packed("sharing", Sharing, executor_option, _store)

scale_option = click.option(
    "--scale", callback=_scale, metavar="UNIT",
    help="Draw a scale bar: coordinates are metres, degrees, microdegrees (DIMACS), or so many metres each.",
)  # fmt: skip

drawing_options = _packed(
    "drawing",
    Drawing,
    *in_section(
        "Figure",
        click.option("--label", default="distance", metavar="WORDS", help="Name of distances in the figure."),
        click.option("--unit", default="", metavar="UNIT", help="Of distances in the figure: s, km."),
        click.option(
            "--levels", callback=_levels, metavar="LIST",
            help="Where bands of colour end (isochrones): 300,600,900; or about how many there are.",
        ),
        scale_option,
    ),
)  # fmt: skip

show_options = _packed(
    "show",
    Show,
    *in_section(
        "Messages",
        click.option(
            "--json",
            is_flag=True,
            is_eager=True,
            callback=_remember_json,
            help="Print one JSON object instead of text.",
        ),
        click.option(
            "--progress/--no-progress", default=None, help="Show a progress bar. Default: only on a terminal."
        ),
        click.option("-q", "--quiet", is_flag=True, callback=_remember_quiet, help="Print nothing but errors."),
        click.option("--debug", is_flag=True, expose_value=False, callback=set_debug, help="Show tracebacks."),
    ),
)
