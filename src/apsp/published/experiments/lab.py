"""Belinguier, Grahn: All Pairs Shortest Path Problem in CUDA, laboratory report, sections 3 and 4 (both tables)."""

from __future__ import annotations

from apsp.published.experiments.model import Case, Claim, Contestant, Evidence, Input, Paper, Series

__all__ = ["PAPER"]

_SIZES = (1200, 2400, 4800)
_BLOCKS = (4, 8, 16, 32)
_SEQUENTIAL = (10243.34277, 82070.78125, 651103.9375)
_BASIC = {
    4: (1760.30603, 12949.33789, 113495.0156),
    8: (896.333008, 6345.934082, 50370.58594),
    16: (1186.854004, 8491.957031, 69482.96875),
    32: (1536.629028, 11825.89746, 99259.76563),
}
_OPTIMIZED = {
    4: (1533.324951, 10912.98731, 83424.33594),
    8: (805.109009, 5693.717773, 44004.69531),
    16: (841.463989, 5731.246094, 45127.82031),
    32: (1271.671021, 9630.238281, 75893.85156),
}
"""Printed milliseconds (sections 3.1.1 and 4.1.1) by the side of a block, for N = 1200, 2400, 4800."""

_CASES = tuple(Case(f"N = {n:,}", Input("random", n, 16 * n), n) for n in _SIZES)
_CPU = Contestant("fw-sequential", "fw-sequential", "cpu", threads=1)


def _printed(method: str, table: dict[int, tuple[float, float, float]]) -> dict[tuple[str, str], float]:
    rows = {f"{method} {side}x{side}": row for side, row in table.items()} | {"fw-sequential": _SEQUENTIAL}
    return {
        (case.name, label): milliseconds / 1000
        for label, row in rows.items()
        for case, milliseconds in zip(_CASES, row, strict=True)
    }


def _with_blocks(method: str) -> tuple[Contestant, ...]:
    return tuple(Contestant(f"{method} {side}x{side}", method, options={"block": side}) for side in _BLOCKS)


_GPU = "the laboratory's GPU"
_NOT_COUNTED = "One side of it is a program of the CPU, whose memory accesses are not counted."


def _evidence(*counts: str, over: str, under: str) -> tuple[Evidence, ...]:
    return tuple(Evidence(count, over, under) for count in counts)


_BASIC_TABLE = Series(
    name="basic",
    title="Sections 3.1 and 3.2: the basic kernel, by size and block",
    axis="vertices",
    cases=_CASES,
    contestants=(_CPU, *_with_blocks("lab-fw")),
    baseline="fw-sequential",
    printed=_printed("lab-fw", _BASIC),
    claims=(
        Claim(
            "blocks of 8 x 8 are 11.4 to 12.9 times faster than sequential", "lab-fw 8x8", "fw-sequential", 11.4, 12.9,
            because=_NOT_COUNTED,
        ),
        Claim(
            "blocks of 8 x 8 are faster than of 32 x 32, by 1.7 to 2.0", "lab-fw 8x8", "lab-fw 32x32", 1.71, 1.97,
            evidence=_evidence("sectors", "requests", "transactions_cc10", over="lab-fw 32x32", under="lab-fw 8x8"),
            because="threadIdx.x counts rows, so that a warp of a 32 x 32 block touches 32 rows with one value of each "
            "sector, and a warp of an 8 x 8 block 8 rows with 4 values. Warps of 4 x 4 blocks are half empty.",
        ),
        Claim(
            "blocks of 8 x 8 are faster than of 4 x 4, by 2.0 to 2.3", "lab-fw 8x8", "lab-fw 4x4", 1.96, 2.25,
            evidence=_evidence("requests", "sectors", over="lab-fw 4x4", under="lab-fw 8x8"),
            because="A block of 16 threads fills half a warp, so that twice as many warps do the same work.",
        ),
    ),
    gpu=_GPU,
    count="sectors",
    note="The report does not say how dense its matrices are; here 16 arcs leave a vertex.",
)  # fmt: skip

_OPTIMIZED_TABLE = Series(
    name="optimized",
    title="Sections 4.1 and 4.2: the kernel with shared memory, by size and block",
    axis="vertices",
    cases=_CASES,
    contestants=(_CPU, *_with_blocks("lab-fw"), *_with_blocks("lab-fw-shared")),
    baseline="fw-sequential",
    printed=_printed("lab-fw-shared", _OPTIMIZED) | _printed("lab-fw", _BASIC),
    claims=(
        Claim(
            "blocks of 8 x 8 are 12.8 to 14.8 times faster than sequential",
            "lab-fw-shared 8x8",
            "fw-sequential",
            12.8,
            14.8,
            because=_NOT_COUNTED,
        ),
        Claim(
            "shared memory gives about 1.1 to 1.2 (8 x 8: 1.11 to 1.14)", "lab-fw-shared 8x8", "lab-fw 8x8", 1.11, 1.14,
            evidence=_evidence("sectors", "requests", "accesses", over="lab-fw 8x8", under="lab-fw-shared 8x8"),
            because="Row k and column k are read once for each block instead of once for each thread.",
        ),
        Claim(
            "shared memory gives 1.41 to 1.54 with 16 x 16", "lab-fw-shared 16x16", "lab-fw 16x16", 1.41, 1.54,
            evidence=_evidence("sectors", "requests", "accesses", over="lab-fw 16x16", under="lab-fw-shared 16x16"),
        ),
        Claim(
            "with shared memory 16 x 16 comes close to 8 x 8 (1.01 to 1.05)", "lab-fw-shared 8x8",
            "lab-fw-shared 16x16", 1.01, 1.05,
            evidence=_evidence(
                "sectors", "requests", over="lab-fw-shared 16x16", under="lab-fw-shared 8x8"
            ),
        ),
    ),
    gpu=_GPU,
    count="sectors",
    note=_BASIC_TABLE.note,
)  # fmt: skip

PAPER = Paper(
    name="lab",
    title="All Pairs Shortest Path Problem in CUDA",
    authors="C. Belinguier, O. Grahn",
    where="Laboratory report 3, sections 3 and 4",
    hardware=(
        "a GPU of compute capability 5.x (the report names no model; 26 GB/s from device to device)",
        "sequential: the CPU of the same computer",
    ),
    series=(_BASIC_TABLE, _OPTIMIZED_TABLE),
)
