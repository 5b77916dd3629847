"""Results in a store: written, completed after the loss or the damage of a shard, read back; also by an executor."""

from __future__ import annotations

import random
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from torture.doors.solve import OPTIONS, check_result
from torture.judging import Judging
from torture.promise import WrongError

__all__ = ["stores"]


def stores(judging: Judging, call: dict[str, Any]) -> None:
    rng = random.Random(call["seed"])
    options = judging.naming.told({name: call[name] for name in OPTIONS if name in call})
    with tempfile.TemporaryDirectory() as folder, _pool(call) as pool:
        place = Path(folder) / "distances.zarr"
        if pool is not None:
            options["executor"] = pool
            if options.get("device") == "cuda":
                options["device"] = "cuda:0"  # two workers share one GPU only where it is named
        first = apsp.solve(judging.fresh_graph(), store=place, **options)
        before = np.asarray(first.distances[:, :])
        shards = sorted(path for path in (place / "distances").rglob("*") if path.is_file() and path.name[0].isdigit())
        if shards:
            _lose(rng.choice(shards), rng.choice(shards), rng)
        apsp.solve(judging.fresh_graph(), store=place, **options)
        back = apsp.load(place)
        assert isinstance(back, apsp.StoredResult)
        if not back.is_complete:
            raise WrongError("a completed store is not complete")
        after = np.asarray(back.distances[:, :])
        if before.dtype != after.dtype or before.tolist() != after.tolist():
            raise WrongError("distances are not the same after a shard was computed again")
        check_result(judging, call, _in_memory(back, all_targets=call.get("targets") is None))
        _check_rows(judging, back, after, call, rng)
    judging.count("through a store", *(["by an executor"] if pool is not None else []))


def _lose(shard: Path, other: Path, rng: random.Random) -> None:
    """A run that stopped before a shard was complete, a disk that lost it, or a copy of another one in its place."""
    data = shard.read_bytes()
    kind = rng.choice(("missing", "missing", "empty", "short", "other"))
    if kind == "missing":
        shard.unlink()
    else:
        left = {"empty": b"", "short": data[: rng.randrange(len(data))], "other": other.read_bytes()}
        shard.write_bytes(left[kind])


def _pool(call: dict[str, Any]) -> Any:
    return ThreadPoolExecutor(2) if call.get("pool") else nullcontext(None)


def _in_memory(stored: apsp.StoredResult, *, all_targets: bool) -> apsp.Result:
    """What the store holds, as a result that the other doors judge."""
    columns = None if all_targets else stored.target_positions
    pred = np.asarray(stored.predecessors[:, :]) if stored.has_predecessors else None
    return apsp.Result(
        stored.graph, np.asarray(stored.distances[:, :]), source_positions=stored.source_positions,
        target_positions=columns, pred=pred, cutoff=stored.cutoff,
    )  # fmt: skip


def _check_rows(
    judging: Judging, stored: apsp.StoredResult, whole: Any, call: dict[str, Any], rng: random.Random
) -> None:
    """Rows and distances that are read alone are those of the whole matrix."""
    sources, targets = (judging.positions(call.get(name)) for name in ("sources", "targets"))
    if not sources or not targets:
        return
    row, column = rng.randrange(len(sources)), rng.randrange(len(targets))
    source, target = judging.naming.one(sources[row]), judging.naming.one(targets[column])
    first = sources.index(sources[row])
    if np.asarray(stored.row(source)).tolist() != whole[first].tolist():
        raise WrongError(f"the row of {source!r} is read otherwise than the matrix")
    value = whole[first, targets.index(targets[column])].item()
    expected = float("inf") if value == apsp.unreachable(whole.dtype) else value
    if stored.distance(source, target) != expected:
        raise WrongError(f"distance({source!r}, {target!r}) is {stored.distance(source, target)!r}, not {expected!r}")
