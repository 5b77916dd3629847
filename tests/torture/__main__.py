"""The command line: scripts/torture."""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import shlex
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from torture.case import Case
from torture.draw import DOORS
from torture.kinds import KINDS, runner
from torture.memory import is_sanitized
from torture.pool import Job, run_jobs
from torture.tally import Tally
from torture.weights import REGIMES

__all__ = ["main"]

CASES = Path(__file__).resolve().parent / "cases"
_AT_ONCE = {
    "graphs": 500,
    "files": 200,
    "results": 200,
    "arguments": 200,
    "turns": 200,
    "changes": 20,
    "damaged_stores": 50,
}  # seeds per job; of other kinds 10
_SHARES = {"graphs": 3}  # jobs of a kind per turn


def main(arguments: list[str] | None = None) -> int:
    """Run, replay or list; the exit code is 1 if anything failed."""
    wanted = _parser().parse_args(arguments)
    if wanted.list:
        print("\n".join(f"{kind:14} {words}" for kind, words in KINDS.items()))
        return 0
    if wanted.replay is not None:
        return _replay(wanted.replay, _options(wanted))
    return _run(wanted)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/torture", description="Random graphs, damaged files, kills and limits: see docs/torture.md."
    )
    parser.add_argument("--minutes", type=float, help="stop after so long (1, unless counts are given)")
    for kind in KINDS:
        parser.add_argument(f"--{kind.replace('_', '-')}", type=int, metavar="N", help=f"so many: {KINDS[kind]}")
    parser.add_argument("--kinds", help=f"only these, comma-separated: {', '.join(KINDS)}")
    parser.add_argument("--seed", type=int, help="the first seed; by default a random one, which is printed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes; by default one per core")
    parser.add_argument("--gpu", action="store_true", help="methods on a CUDA GPU")
    parser.add_argument("--gpus", type=int, default=1, help="with --gpu: calls are spread over so many GPUs")
    parser.add_argument("--emulated", action="store_true", help="methods on emulated GPUs, too")
    parser.add_argument("--most", type=int, default=300, help="vertices of random graphs at most")
    parser.add_argument("--doors", help="calls of these functions only, comma-separated, on random graphs: see draw.py")
    parser.add_argument("--weights", help="these weights only, comma-separated, on random graphs: see weights.py")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the summary there, again and again")
    parser.add_argument("--save", action="store_true", help="save failures as regression cases in tests/torture/cases")
    parser.add_argument("--no-shrink", action="store_true", help="leave failing graphs as large as they are")
    parser.add_argument("--replay", metavar="KIND:SEED or FILE", help="run one seed, or a saved case")
    parser.add_argument("--list", action="store_true", help="list the kinds")
    return parser


def _options(wanted: argparse.Namespace) -> dict[str, Any]:
    devices = ["cuda"] if wanted.gpu else ["cpu", "emulated"] if wanted.emulated else ["cpu"]
    seconds = 600 if wanted.gpu else 120  # many small launches wait for each other where processes share a GPU
    doors, weights = (named.split(",") if named else [] for named in (wanted.doors, wanted.weights))
    return {
        "devices": devices, "most": wanted.most, "doors": doors, "shrink": not wanted.no_shrink, "seconds": seconds,
        "gpus": wanted.gpus, "weights": weights,
    }  # fmt: skip


def _for_replays(wanted: argparse.Namespace) -> str:
    """The options on which it depends what a seed does."""
    defaults = _parser().parse_args([])
    flags = [f" --{name}" for name in ("gpu", "emulated") if getattr(wanted, name)]
    named = [
        f" --{name} {shlex.quote(str(getattr(wanted, name)))}"
        for name in ("gpus", "doors", "weights", "most")
        if getattr(wanted, name) != getattr(defaults, name)
    ]
    return "".join(flags + named)


def _run(wanted: argparse.Namespace) -> int:
    counts = {kind: getattr(wanted, kind) for kind in KINDS if getattr(wanted, kind) is not None}
    kinds = wanted.kinds.split(",") if wanted.kinds else list(counts) or list(KINDS)
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown:
        print(f"there is no kind {unknown[0]!r}; there are: {', '.join(KINDS)}", file=sys.stderr)
        return 2
    for what, known in (("doors", DOORS), ("weights", REGIMES)):
        strange = [name for name in _options(wanted)[what] if name not in known]
        if strange:
            print(f"--{what}: there is no {strange[0]!r}; there are: {', '.join(known)}", file=sys.stderr)
            return 2
    minutes = wanted.minutes if wanted.minutes is not None else None if counts else 1.0
    seed = wanted.seed if wanted.seed is not None else random.SystemRandom().randrange(10**9) * 1000
    tally = Tally(_command(sys.argv[1:]), seed, _for_replays(wanted))
    print(f"seed {seed}, {wanted.jobs} processes, kinds: {', '.join(kinds)}", flush=True)
    end = None if minutes is None else time.monotonic() + 60 * minutes
    told = time.monotonic()

    def tell(kind: str, said: dict[str, Any]) -> None:
        nonlocal told
        failure = tally.add(kind, said)
        if failure is not None:
            _report(failure, save=wanted.save, options=_options(wanted))
        if time.monotonic() - told > 15:
            told = time.monotonic()
            print(tally.line(), flush=True)
            if wanted.json is not None:
                tally.save(wanted.json)

    def stop() -> bool:
        return end is not None and time.monotonic() > end

    try:
        run_jobs(_jobs(kinds, counts, seed, _options(wanted)), wanted.jobs, tell, stop)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
    print(tally.words())
    if wanted.json is not None:
        tally.save(wanted.json)
    return 1 if tally.failures else 0


def _command(words: list[str]) -> str:
    """The command without where its summary goes."""
    at = words.index("--json") if "--json" in words else len(words)
    sanitize = ["--sanitize"] if is_sanitized() else []
    return " ".join(["scripts/torture", *sanitize, *words[:at], *words[at + 2 :]])


def _jobs(kinds: list[str], counts: dict[str, int], seed: int, options: dict[str, Any]) -> Iterator[Job]:
    """Jobs of all kinds in turn; kinds without a count go on for ever."""
    at = dict.fromkeys(kinds, seed)
    turn = itertools.cycle([kind for kind in kinds for _ in range(_SHARES.get(kind, 1))])
    open_kinds = set(kinds)
    for kind in turn:
        if not open_kinds:
            return
        if kind not in open_kinds:
            continue
        first = at[kind]
        last = first + _AT_ONCE.get(kind, 10)
        if kind in counts:
            last = min(last, seed + counts[kind])
        at[kind] = last
        if kind in counts and last >= seed + counts[kind]:
            open_kinds.discard(kind)
        if last > first:
            yield Job(kind, first, last, options)


def _report(failure: dict[str, Any], *, save: bool, options: dict[str, Any] | None = None) -> None:
    name = f"{failure['kind']}:{failure['seed']}"
    if failure["what"] == "crash" and failure["kind"] == "graphs" and options is not None and options["shrink"]:
        from torture.graphs import smaller_crash

        failure["case"] = smaller_crash(failure["seed"], options).to_dict()
    print(f"FAILED {name}: {failure['what']} in {failure['where']}: {failure['words'][:500]}", flush=True)
    if "case" in failure:
        case = failure["case"]
        print(f"  n={case['n']} arcs={case['arcs'][:12]} dtype={case['dtype']} calls={case['calls']}", flush=True)
    if failure.get("trace") and failure["what"] in ("foreign", "crash", "hang"):
        print("  " + failure["trace"].strip().replace("\n", "\n  ")[-2000:], flush=True)
    if save and "case" in failure:
        path = CASES / f"{failure['kind']}-{failure['seed']}.json"
        facts = {name: failure[name] for name in ("kind", "seed", "what", "where", "words", "case")}
        path.write_text(json.dumps(facts, indent=1) + "\n")
        print(f"  saved as {path}", flush=True)


def _replay(what: str, options: dict[str, Any]) -> int:
    if Path(what).is_file():
        from torture.judge import judge

        failure = judge(Case.load(Path(what)))
        print(
            "it passes" if failure is None else f"{failure.what} in {failure.where}: {failure.words}\n{failure.trace}"
        )
        return failure is not None
    kind, _, seed = what.partition(":")
    found = runner(kind)(int(seed), options, Counter())
    if found is None:
        print("it passes")
        return 0
    _report(found | {"kind": kind, "seed": int(seed)}, save=False)
    if "case" in found:
        print(json.dumps(found["case"]))
    return 1


if __name__ == "__main__":
    sys.exit(main())
