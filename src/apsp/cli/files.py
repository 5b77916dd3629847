"""Names of files in the arguments of commands: inputs, which no output replaces, and outputs, - for standard output."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import click

from apsp.errors import OutputError
from apsp.system.inputs import check_no_input, read_input

__all__ = ["INPUT", "OUTPUT", "TABLE", "VERTICES", "OutputFile", "goes_to_stdout", "words_of"]

_OUTPUTS, _STREAM = "apsp.outputs", "apsp.stdout"


class InputFile(click.ParamType):  # type: ignore[type-arg] # not generic in older versions of click
    """A file that is read."""

    name = "input"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ARG002
        """Record the input; an output that is the same file is an error, wherever it stands on the command line."""
        if isinstance(value, str) and value != "-":
            read_input(value)
            for output in ctx.meta.get(_OUTPUTS, ()) if ctx is not None else ():
                check_no_input(output)
        return value


class VertexList(InputFile):
    """Vertices: a list, or @FILE, which is read."""

    name = "vertices"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and value.startswith("@"):
            super().convert(value[1:], param, ctx)
        return value


class OutputFile(click.ParamType):  # type: ignore[type-arg]
    """A file or folder that is written.

    Parameters
    ----------
    ending : str, optional
        Ending of the name that - stands for: it selects the format of what goes to standard output. By default - is a
        name as any other.
    """

    name = "output"

    def __init__(self, ending: str | None = None) -> None:
        self._ending = ending

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ARG002
        """Check that it is no input; - becomes a temporary file, which is copied to standard output at the end."""
        if not isinstance(value, str) or ctx is None:
            return value
        if value == "-" and self._ending is not None:
            return _to_stdout(ctx, self._ending)
        ctx.meta.setdefault(_OUTPUTS, []).append(value)
        check_no_input(value)
        return value


INPUT, VERTICES, OUTPUT, TABLE = InputFile(), VertexList(), OutputFile(), OutputFile(".csv")


def goes_to_stdout() -> bool:
    """Whether the output of the current command is standard output, so that nothing else is printed there."""
    context = click.get_current_context(silent=True)
    return context is not None and _STREAM in context.meta


def words_of(text: str) -> str:
    """A message in which standard output has its name instead of that of the temporary file."""
    context = click.get_current_context(silent=True)
    name = None if context is None else context.meta.get(_STREAM)
    return text if name is None else text.replace(name, "standard output")


def _to_stdout(ctx: click.Context, ending: str) -> str:
    if ctx.meta.get("apsp.json"):
        raise click.UsageError("--json and -o - both write to standard output: name a file", ctx)
    if _STREAM in ctx.meta:
        raise click.UsageError("two outputs cannot both be standard output: name a file", ctx)
    folder = tempfile.mkdtemp(prefix="apsp-output-")
    name = str(Path(folder) / f"output{ending}")
    ctx.meta[_STREAM] = name
    ctx.call_on_close(lambda: _copy(folder, name))
    return name


def _copy(folder: str, name: str) -> None:
    """Copy the file to standard output; a command that failed has not written it."""
    try:
        if Path(name).is_file():
            sys.stdout.flush()
            with Path(name).open("rb") as file:
                shutil.copyfileobj(file, sys.stdout.buffer)
            sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except (OSError, AttributeError) as error:
        reason = getattr(error, "strerror", None) or "it is closed"
        raise OutputError(f"cannot write standard output: {reason}") from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
