"""A case judged: every call is made, its answer compared with the truth, its refusal with the reasons for one."""

from __future__ import annotations

import math
import traceback
from collections import Counter
from dataclasses import dataclass
from typing import Any

import apsp
from apsp.methods.registry import METHODS
from torture.case import Case
from torture.doors import DOORS
from torture.judging import Judging
from torture.naming import Naming, labels_of
from torture.promise import WrongError, as_float, path_length
from torture.truth import Truth

__all__ = ["Failure", "judge"]


@dataclass(frozen=True)
class Failure:
    """What went wrong.

    Attributes
    ----------
    what : str
        'wrong', 'foreign' (an exception that is none of apsp's), 'refused' (without a reason), 'crash' or 'hang'.
    where : str
        The door and the method; with `what`, that which has to stay the same while a case is shrunk.
    words : str
        The message.
    call : int
        Which call of the case.
    """

    what: str
    where: str
    words: str
    call: int = 0
    trace: str = ""

    @property
    def kind(self) -> tuple[str, str]:
        return self.what, self.where


def judge(case: Case, counts: Counter[str] | None = None) -> Failure | None:
    """The first failure of a case, or None; counts say what was checked."""
    counts = Counter() if counts is None else counts
    counts["graphs"] += 1
    counts[f"weights {case.note}" if case.note else "weights"] += 1
    judging = Judging(case)
    for number, call in enumerate(case.calls):
        counts["calls"] += 1
        counts[f"door {call['door']}"] += 1
        where = f"{call['door']} {call.get('method', 'auto')} {call.get('device', 'cpu')}"
        judging.instead = None
        try:
            DOORS[call["door"]](judging, call)
            counts["answers"] += 1
        except WrongError as error:
            return Failure("wrong", where, str(error), number)
        except apsp.ApspError as error:
            why_not = objection((judging.instead or judging).truth, call, error)
            if why_not is not None:
                words = f"{why_not}: {type(error).__name__}: {error}"
                return Failure("refused", f"{where} {type(error).__name__}", words, number, traceback.format_exc())
            counts[f"refusals {type(error).__name__}"] += 1
        except Exception as error:
            words = f"{type(error).__name__}: {error}"
            return Failure("foreign", f"{where} {type(error).__name__}", words, number, traceback.format_exc())
        finally:
            counts.update(judging.counts)
            judging.counts.clear()
    return None


def objection(truth: Truth, call: dict[str, Any], error: apsp.ApspError) -> str | None:
    """Why an error should not have come; None where it had a reason."""
    if isinstance(error, apsp.NegativeCycleError):
        return _cycle(truth, call, error)
    if isinstance(error, apsp.DtypeRangeError):
        return _range(truth, call)
    if isinstance(error, apsp.MethodRefusedError):
        return _method(truth, call)
    if isinstance(error, apsp.PathsNotKeptError):
        return None if call.get("targets") is not None or call.get("cutoff") is not None else "paths can be found"
    if call["door"] in ("measures", "single", "local") and truth.case.integer and truth.largest * truth.n**2 >= 2**62:
        return None  # a sum does not fit int64
    return "there is no reason for this error"


def _cycle(truth: Truth, call: dict[str, Any], error: apsp.NegativeCycleError) -> str | None:
    if call.get("semiring", "min_plus") != "min_plus":
        return "a negative cycle is not an error for bottlenecks"
    dtype = call.get("dtype", "auto")
    if truth.cycles(call.get("sources"), dtype) in ("none", "elsewhere"):
        return "no source reaches a negative cycle"
    if truth.cycles(call.get("sources"), dtype) == "rounding":
        return "the cycle is negative by rounding alone"
    cycle = Naming(None if truth.case.labels is None else labels_of(truth.case.labels, truth.n)).hear(error.cycle)
    if len(cycle) == 0 or len(set(cycle)) != len(cycle):
        return f"the cycle {cycle} is not simple"
    try:
        length, size = path_length(_open(truth), [*cycle, cycle[0]])
    except WrongError as wrong:
        return str(wrong)
    rounded = not truth.case.integer and dtype == "float32" and truth.case.dtype == "float64"
    if length >= 0 and not rounded:
        return f"the cycle {cycle} has length {as_float(length, truth.shift)!r}"
    told = error.length
    if told is not None and not rounded:
        exact = as_float(length, truth.shift)
        room = 4 * truth.eps(dtype)[1] * as_float(size, truth.shift)
        if (truth.case.integer and told != length) or not (told == exact or abs(told - exact) <= room):
            return f"the cycle has length {exact!r}, and is said to have {told!r}"
    return None


def _open(truth: Truth) -> Truth:
    """The same with no vertex closed: a negative cycle may lead through a zone."""
    if not truth.closed:
        return truth
    return Truth(truth.case.changed(zones=[]))


def _range(truth: Truth, call: dict[str, Any]) -> str | None:
    dtype, semiring = call.get("dtype", "auto"), call.get("semiring", "min_plus")
    if call["door"] == "batch" and dtype == "auto" and call.get("padding") is not None:
        dtype = truth.case.dtype or "int32"
    if truth.may_overflow(
        dtype, semiring, arcs=max(truth.n + call.get("padding", 0), 2) if "padding" in call else None
    ):
        return None
    return "every distance fits the dtype"


def _method(truth: Truth, call: dict[str, Any]) -> str | None:
    """A method that was named may refuse what its row says; floats with negative arcs, for their rounding."""
    rounding = not truth.case.integer and truth.has_negative_arc
    name = "elimination" if call["door"] in ("oracle", "updates", "periods") else call.get("method", "auto")
    by_rows = call["door"] in ("stream", "measures", "nearest", "access", "decays", "single", "stores")
    if name == "auto":
        return None if by_rows and call.get("device", "cpu") != "cpu" else "a method is found for every request"
    row = METHODS[name]
    reasons = (
        rounding,
        truth.has_negative_arc and not row.negative,
        truth.case.dtype is not None and not row.weighted,
        call.get("semiring", "min_plus") not in row.semirings,
        call.get("device", "cpu").partition(":")[0] not in (*row.devices, "auto"),
        call.get("dtype", "auto") not in (*row.dtypes, "auto"),
        by_rows and not row.by_rows,
        call.get("dtype") == "auto" and not math.isfinite(truth.largest),
    )
    return None if any(reasons) else f"{name} can do this"
