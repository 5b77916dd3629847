"""Public functions show all their options, described once: signature, docstring, types and defaults agree."""

from __future__ import annotations

import dataclasses
import inspect
import re
import subprocess
import sys
import typing
from collections.abc import Callable
from typing import Any

import pytest

import apsp
from apsp.facts import keywords
from apsp.facts.request import Request
from apsp.running.public import public

FUNCTIONS = {name: getattr(apsp, name) for name in apsp.__all__ if inspect.isfunction(getattr(apsp, name))}
KINDS = {name: getattr(keywords, name) for name in keywords.__all__ if name != "AnyKeywords"}
DEFAULTS = {field.name: field.default for field in dataclasses.fields(Request)}
GRAPH = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)


def kind_of(function: Callable[..., Any]) -> Any:
    """The TypedDict of the options of a function, if it has one."""
    written = list(inspect.signature(inspect.unwrap(function), eval_str=True).parameters.values())
    if written and written[-1].kind is inspect.Parameter.VAR_KEYWORD:
        (kind,) = typing.get_args(written[-1].annotation)
        return kind
    return None


def parameters_in(docstring: str) -> list[str]:
    """The names in the section Parameters of a docstring, in their order."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\S[^\n]*\n---|\Z)", docstring, re.MULTILINE | re.DOTALL)
    lines = re.findall(r"^(\S.*?)(?: :.*)?$", section[1], re.MULTILINE) if section else []
    return [name.lstrip("*") for line in lines for name in line.split(", ")]


OPTIONED = sorted(name for name in FUNCTIONS if kind_of(FUNCTIONS[name]) is not None)


def test_all_functions_that_run_work_are_tested() -> None:
    assert len(OPTIONED) >= 30
    assert {"solve", "stream", "within", "skim", "arc_flows", "closeness_centrality", "diameter"} <= set(OPTIONED)
    assert {kind_of(FUNCTIONS[name]) for name in OPTIONED} == set(KINDS.values())


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_docstring_has_the_parameters_of_the_signature(name: str) -> None:
    shown = inspect.signature(FUNCTIONS[name]).parameters
    assert list(shown) == parameters_in(inspect.getdoc(FUNCTIONS[name]) or "")
    assert not re.search(r"^\{\w+\}$", inspect.getdoc(FUNCTIONS[name]) or "", re.MULTILINE)


@pytest.mark.parametrize("name", OPTIONED)
def test_signature_ends_with_the_options(name: str) -> None:
    function = FUNCTIONS[name]
    hints = kind_of(function).__annotations__
    last = list(inspect.signature(function).parameters.values())[-len(hints) :]
    assert [each.name for each in last] == list(hints)
    assert {each.kind for each in last} == {inspect.Parameter.KEYWORD_ONLY}
    assert [each.default for each in last] == [DEFAULTS[option] for option in hints]
    assert [each.annotation for each in last] == [hint.__forward_arg__ for hint in hints.values()]


@pytest.mark.parametrize("name", sorted(KINDS))
def test_a_request_takes_all_keywords(name: str) -> None:
    (known,) = typing.get_args(typing.get_type_hints(Request.of)["keywords"])
    hints = typing.get_type_hints(KINDS[name])
    assert hints.items() <= typing.get_type_hints(known).items()
    assert set(hints) <= set(DEFAULTS)
    assert not KINDS[name].__required_keys__


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: apsp.solve(GRAPH, cutof=3), r"solve\(\) has no argument 'cutof'; did you mean 'cutoff'\?"),
        (lambda: apsp.solve(GRAPH, limit=3), r"solve\(\) has no argument 'limit'; did you mean 'cutoff'\?"),
        (lambda: apsp.solve(GRAPH, cutoff=3, sparse=True), r"'sparse'; apsp.within\(graph, cutoff\) returns the pairs"),
        (lambda: apsp.matrix(GRAPH, 0, 1, sparse=True), r"matrix\(\) has no argument 'sparse'; there are: graph"),
        (lambda: apsp.closeness_centrality(GRAPH, thread=2), r"closeness_centrality\(\) .* did you mean 'threads'\?"),
        (lambda: apsp.diameter(GRAPH, store="x.zarr"), r"diameter\(\) has no argument 'store'; there are: graph, sour"),
        (lambda: apsp.prepare(GRAPH, devices="cpu"), r"prepare\(\) has no argument 'devices'; did you mean 'device'\?"),
        (lambda: apsp.stream(GRAPH, **{"x" * 999: 1}), r"^.{0,500}$"),
        (lambda: apsp.from_edges([0], [1], wieghts=[1]), r"from_edges\(\) .*'wieghts'; did you mean 'weight"),
        (lambda: apsp.read("x.csv", wieght="w"), r"read\(\) has no argument 'wieght'; did you mean 'weighted'"),
        (lambda: apsp.generate("grid", 4, sed=1), r"generate\(\) has no argument 'sed'; did you mean 'seed'\?"),
        (lambda: GRAPH.snap([[0, 0]], sped=1), r"Graph.snap\(\) has no argument 'sped'; did you mean 'speed'\?"),
    ],
    ids=[
        "cutoff",
        "scipy",
        "sparse",
        "pairs",
        "threads",
        "store",
        "device",
        "long",
        "from_edges",
        "read",
        "generate",
        "method",
    ],
)
def test_unknown_arguments_are_named_with_the_remedy(call: Callable[[], object], words: str) -> None:
    with pytest.raises(apsp.UnknownArgumentError, match=words) as caught:
        call()
    assert isinstance(caught.value, TypeError)  # as of any function of Python
    assert isinstance(caught.value, apsp.RequestError)


def test_internal_options_are_not_arguments() -> None:
    for name in ("share", "mode", "paths"):
        with pytest.raises(apsp.UnknownArgumentError):
            apsp.eccentricity(GRAPH, **{name: 1})


def test_lack_of_memory_is_told_of_the_function() -> None:
    @public
    def half(graph: object, *, part: int = 0) -> None:
        """Raise an error."""
        raise MemoryError

    with pytest.raises(apsp.MemoryLimitError, match="half"):
        half(GRAPH, part=2)


def test_docstrings_may_be_stripped() -> None:
    work = "import apsp; print(apsp.diameter(apsp.from_edges([0], [1]), cutoff=3), apsp.diameter.__doc__)"
    done = subprocess.run([sys.executable, "-OO", "-c", work], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "None"]
