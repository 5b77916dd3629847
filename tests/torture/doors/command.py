"""`apsp solve` on a file, in this process: what it writes is read back and judged."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from apsp.cli.main import main
from torture.doors.solve import check_result
from torture.judging import Judging
from torture.promise import WrongError, check_rows

__all__ = ["command"]


def command(judging: Judging, call: dict[str, Any]) -> None:
    suffix = call.get("suffix", ".npz")
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder) / "graph.npz", Path(folder) / f"out{suffix}"
        apsp.write(judging.fresh_graph(), source)
        words = ["solve", str(source), "-o", str(out), "--json", "--quiet"]
        for name in ("cutoff", "dtype", "method", "semiring", "threads"):
            if name in call:
                words += [f"--{name}={call[name]}"]
        for name in ("sources", "targets"):
            if call.get(name):
                words += [f"--{name}={','.join(map(str, judging.naming.say(call[name]) or []))}"]
        told, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(told), contextlib.redirect_stderr(errors):
            code = main(words)
        facts = json.loads(told.getvalue())
        if code != 0:
            _raise_again(judging, facts["error"], code)
        judging.count(f"wrote {suffix}")
        if suffix == ".npz":
            check_result(judging, call, apsp.load(out))
        else:
            _check_matrix(judging, call, _matrix(judging, call, out, facts["dtype"]))


def _raise_again(judging: Judging, facts: dict[str, Any], code: int) -> None:
    """The error that the command tells of, as the Python function would raise it."""
    kind = getattr(apsp, facts["type"], None)
    if not (isinstance(kind, type) and issubclass(kind, apsp.ApspError)) or code == 1:
        raise WrongError(f"apsp solve ended with {code}: {facts}")
    error = kind.__new__(kind, facts["message"])
    error.args = (facts["message"],)
    if isinstance(error, apsp.NegativeCycleError):
        labels = {json.dumps(label, default=str): label for label in judging.naming.say(range(judging.case.n)) or []}
        error.cycle = [labels.get(json.dumps(told), -1) for told in facts["cycle"]]
        error.length = facts["length"]
    raise error


def _matrix(judging: Judging, call: dict[str, Any], out: Path, dtype: str) -> np.ndarray:
    if out.suffix == ".npy":
        return np.load(out)
    sources, targets = (judging.positions(call.get(name) or None) for name in ("sources", "targets"))
    matrix = np.full((len(sources), len(targets)), apsp.unreachable(dtype), dtype=dtype)
    names = {str(judging.naming.one(v)): v for v in range(judging.case.n)}
    with out.open(newline="") as stream:
        for row in csv.DictReader(stream):
            value = float(row["distance"]) if matrix.dtype.kind == "f" else int(row["distance"])
            if value == apsp.unreachable(dtype):
                raise WrongError(f"a pair without a path is in the .csv: {row}")
            source, target = names[row["source"]], names[row["target"]]
            for i in (k for k, v in enumerate(sources) if v == source):
                for j in (k for k, v in enumerate(targets) if v == target):
                    matrix[i, j] = value
    return matrix


def _check_matrix(judging: Judging, call: dict[str, Any], matrix: np.ndarray) -> None:
    if judging.judgeable(call, matrix.dtype.name):
        sources, targets = judging.positions(call.get("sources") or None), call.get("targets") or None
        semiring = call.get("semiring", "min_plus")
        check_rows(judging.truth, sources, targets, matrix, cutoff=call.get("cutoff"), semiring=semiring)
