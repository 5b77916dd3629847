"""Inputs: files and folders that are read, which no output replaces.

A file is recognised by its device and inode, so under any of its names: relative, through symbolic links, by hard
links. Its time and size distinguish it from a later file with the same inode.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Collection, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple

from apsp.errors import OutputError

__all__ = ["Input", "check_no_input", "input_of", "inputs_among", "inputs_at", "read_input", "recorded_inputs"]


class Input(NamedTuple):
    """A file or folder that is read: device and inode, and of a file the time of its last change and its bytes.

    What lies at a URL has its name alone.
    """

    device: int
    inode: int
    changed: int = 0
    size: int = 0
    url: str = ""


_KNOWN: ContextVar[tuple[set[Input], ...]] = ContextVar("inputs", default=())
"""Inputs of the calls that are in progress in this thread, the outermost first."""


@contextlib.contextmanager
def recorded_inputs() -> Iterator[set[Input]]:
    """Within the context, what is read becomes an input; the set gets all of them."""
    with inputs_among(()) as found:
        yield found


@contextlib.contextmanager
def inputs_among(inputs: Collection[Input]) -> Iterator[set[Input]]:
    """Within the context, these are inputs, too, and what is read."""
    found = set(inputs)
    token = _KNOWN.set((*_KNOWN.get(), found))
    try:
        yield found
    finally:
        _KNOWN.reset(token)


def read_input(path: str | os.PathLike[str]) -> None:
    """Record a file, folder or URL that is read, if the caller records inputs."""
    known = _KNOWN.get()
    found = input_of(path) if known else None
    if found is not None:
        for inputs in known:
            inputs.add(found)


def input_of(path: str | os.PathLike[str]) -> Input | None:
    """The input at a path or URL; None if there is neither a regular file nor a folder."""
    name = os.fspath(path)
    if "://" in name and not name.startswith("file://"):
        return Input(0, 0, url=name.rstrip("/"))
    try:
        facts = os.stat(name.removeprefix("file://"))  # noqa: PTH116
    except (OSError, ValueError):
        return None
    if stat.S_ISDIR(facts.st_mode):
        return Input(facts.st_dev, facts.st_ino)
    return Input(facts.st_dev, facts.st_ino, facts.st_mtime_ns, facts.st_size) if stat.S_ISREG(facts.st_mode) else None


def inputs_at(path: str | os.PathLike[str]) -> frozenset[Input]:
    """The input at a path, as a set."""
    found = input_of(path)
    return frozenset() if found is None else frozenset([found])


def check_no_input(path: str | os.PathLike[str]) -> None:
    """Check that an output is no input, and does not lie in a folder that is one.

    Raises
    ------
    OutputError
    """
    inputs = {each for some in _KNOWN.get() for each in some}
    if not inputs:
        return
    name = os.fspath(path)
    if input_of(name) in inputs:
        raise OutputError(f"{name} is an input, which is not overwritten: name another output")
    if "://" in name and not name.startswith("file://"):
        folders = [name[:end] for end, letter in enumerate(name) if letter == "/"]
    else:
        folders = list(map(str, Path(os.path.realpath(name.removeprefix("file://"))).parents))
    for folder in folders:
        if input_of(folder) in inputs:
            raise OutputError(f"{name} lies in {folder}, which is an input: name an output elsewhere")
