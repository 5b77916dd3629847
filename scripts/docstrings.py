"""Check the docstrings of the public names by the rules of numpydoc: exit status 1 and a line per problem.

Every parameter has a type and a description, in the order of the signature; what is returned is described; functions,
and the methods of classes, have an example. tests/test_docstrings.py runs the examples.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Iterator
from typing import Any

from numpydoc.validate import validate

# A module is in the check if what it needs is installed.
MODULES = ("apsp", "apsp.csgraph", "apsp.pandana", "apsp.sklearn", "apsp.spmd", "apsp.threadpoolctl", "apsp.torch")

# "See also" and an extended summary are left to the author.
FREE = {"ES01", "SA01"}


def public_names() -> Iterator[tuple[str, Any]]:
    """Every public name of the modules and of their classes, and what it stands for."""
    for path in MODULES:
        try:
            module = importlib.import_module(path)
        except ImportError as error:
            print(f"docstrings of {path} are not checked: {error}")
            continue
        for name in module.__all__:
            thing = getattr(module, name)
            if name.startswith("_") or inspect.ismodule(thing):
                continue
            if not thing.__module__.startswith("apsp"):  # SciPy's own
                continue
            yield f"{path}.{name}", thing
            if inspect.isclass(thing):
                for member, value in members(thing):
                    is_field = not callable(value) and not isinstance(value, (classmethod, staticmethod, property))
                    if not member.startswith("_") and not is_field:
                        yield f"{path}.{name}.{member}", value


def members(thing: type) -> Iterator[tuple[str, Any]]:
    """The members of a class, including those inherited from classes of the package."""
    for kind in thing.__mro__:
        if kind.__module__.startswith("apsp"):
            yield from vars(kind).items()


def problems(name: str, thing: Any) -> Iterator[str]:
    """The violations of the rules in a docstring; a class or a property needs no example."""
    free = FREE if inspect.isroutine(thing) else FREE | {"EX01"}
    for code, message in validate(name)["errors"]:
        if code not in free:
            yield f"{name}: {message} ({code})"


def main() -> int:
    found = [line for name, thing in public_names() for line in problems(name, thing)]
    print("\n".join(found) if found else "docstrings: no problems")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
