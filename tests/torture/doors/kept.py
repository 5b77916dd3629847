"""Results that went through a file, and graphs through a pickle, a copy and a file."""

from __future__ import annotations

import copy
import pickle
import tempfile
from pathlib import Path
from typing import Any

import apsp
from apsp.system.array_device import to_host
from torture.doors.solve import OPTIONS, check_result
from torture.judging import Judging
from torture.promise import WrongError

__all__ = ["kept"]


def kept(judging: Judging, call: dict[str, Any]) -> None:
    options = {name: call[name] for name in OPTIONS if name in call}
    graph = pickle.loads(pickle.dumps(copy.deepcopy(judging.fresh_graph())))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        if judging.case.n:
            apsp.write(graph, place / "graph.npz")
            graph = apsp.read(place / "graph.npz")
        result = apsp.solve(graph, **judging.naming.told(options))
        result.save(place / "result.npz")
        back = apsp.load(place / "result.npz")
        for name in ("distances", "sources", "targets"):
            before, after = to_host(getattr(result, name)), to_host(getattr(back, name))
            if before.dtype != after.dtype or before.tolist() != after.tolist():
                raise WrongError(f"{name} came back otherwise")
        if result.has_predecessors != back.has_predecessors or back.cutoff != result.cutoff:
            raise WrongError("predecessors or the cutoff came back otherwise")
        check_result(judging, call, back)
    judging.count("through a file")
