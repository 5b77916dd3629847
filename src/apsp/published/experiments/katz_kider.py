"""Katz, Kider 2008: section 5. Figures 5 to 8, table 1 and the AS graph.

The points of the figures cannot be read as numbers. The printed numbers are the AS graph and the ratios of the text;
two times of the method (13.7 s, 354 s) and one of its CPU rival (30 s) are quoted from Okuyama et al., section 2.
"""

from __future__ import annotations

from apsp.published.experiments.model import Case, Claim, Contestant, Evidence, Input, Paper, Series

__all__ = ["PAPER"]

_HARISH = Contestant("harish-fw", "harish-fw")
_KATZ = Contestant("katz-kider", "katz-kider")
_SEQUENTIAL = Contestant("fw-sequential", "fw-sequential", "cpu", threads=1)
_BLOCKED = Contestant("fw-blocked", "fw-blocked", "cpu", threads=1)
_SEVERAL = Contestant("katz-kider, all GPUs", "katz-kider", "gpus")


_QUADRO = "Quadro FX 5600"
_NOT_COUNTED = "One side of it is a program of the CPU, whose memory accesses are not counted."


def _global(under: str) -> tuple[Evidence, ...]:
    """Global memory of the plain kernel over that of blocks in shared memory."""
    counts = ("transactions_cc10", "requests", "bytes_cc10", "sectors")
    return tuple(Evidence(count, "harish-fw", under) for count in counts)


_BLOCKS_SAVE = (
    "A block of 18 x 18 cells stays in shared memory for 18 pivots. But a row of 18 cells of 8 bytes begins at no "
    "multiple of 128 bytes, so that by the rules of 1.0 most half-warps of the blocks are not coalesced."
)


def _cases(*sizes: int) -> tuple[Case, ...]:
    return tuple(Case(f"n = {n:,}", Input("random", n, 16 * n), n) for n in sizes)


_CPU = Series(
    name="figure5",
    title="Figure 5: beside the CPU, plain and blocked",
    axis="vertices",
    cases=_cases(512, 1024, 2048, 4096),
    contestants=(_SEQUENTIAL, _BLOCKED, _KATZ),
    baseline="fw-sequential",
    printed={("n = 4,096", "katz-kider"): 13.7},
    claims=(
        Claim(
            "60 to 130 times faster than a standard CPU implementation", "katz-kider", "fw-sequential", 60, 130,
            because=_NOT_COUNTED,
        ),
        Claim("45 to 100 times faster than a blocked one", "katz-kider", "fw-blocked", 45, 100, because=_NOT_COUNTED),
        Claim(
            "blocks make the CPU 1.6 to 1.9 times faster", "fw-blocked", "fw-sequential", 1.6, 1.9,
            because="Both are programs of the CPU.",
        ),
    ),
    gpu=_QUADRO,
    note="Sizes and density (16 arcs per vertex) are ours: the axis cannot be read and the text names none. The 13.7 s "
    "are quoted by Okuyama et al., section 2.",
)  # fmt: skip

_GPU = Series(
    name="figure6",
    title="Figure 6: beside the Floyd-Warshall of Harish and Narayanan",
    axis="vertices",
    cases=_cases(512, 1024, 2048, 4096, 8192),
    contestants=(_HARISH, _KATZ),
    baseline="harish-fw",
    printed={("n = 4,096", "katz-kider"): 13.7},
    claims=(
        Claim(
            "5.0 to 6.5 times faster", "katz-kider", "harish-fw", 5.0, 6.5,
            evidence=_global("katz-kider"), because=_BLOCKS_SAVE,
        ),
        Claim(
            "skip-centre indexing: the primary block, and in pass 3 its row and column, are not launched again",
            "katz-kider", "katz-kider",
            evidence=(
                Evidence("blocks", "katz-kider", kernels="primary", per_source=False),
                Evidence("blocks", "katz-kider", kernels="singly", per_source=False),
                Evidence("blocks", "katz-kider", kernels="doubly", per_source=False),
            ),
            because="Without it passes 2 and 3 of b primary blocks launch 2 b and b^2 blocks each instead of 2 (b - 1) "
            "and (b - 1)^2: 2 b + 1 of b^2 + 2 b blocks are saved, and no block is written that others read.",
        ),
    ),
    gpu=_QUADRO,
    note="Sizes and density (16 arcs per vertex) are ours.",
)  # fmt: skip

_CLOSURE = Series(
    name="figure7",
    title="Figure 7: transitive closure",
    axis="vertices",
    cases=tuple(Case(f"n = {n:,}", Input("random", n, 4 * n, None), n) for n in (512, 1024, 2048, 4096, 8192)),
    contestants=(
        Contestant("harish-fw", "harish-fw"),
        Contestant("katz-kider-closure", "katz-kider-closure"),
    ),
    baseline="harish-fw",
    claims=(
        Claim(
            "7.5 to 8.5 times faster than the standard GPU version", "katz-kider-closure", "harish-fw", 7.5, 8.5,
            evidence=_global("katz-kider-closure"),
            because="Cells are ints here, half as many bytes as cells with a vertex between, in blocks of 22 x 22.",
        ),
    ),
    gpu=_QUADRO,
    problem="closure",
    note="The standard GPU version is harish-fw, which computes distances: the paper's own closure baseline is not "
    "described.",
)  # fmt: skip

_AS = Series(
    name="caida",
    title="Section 5.3: the first 1,000 AS nodes of a CAIDA graph, customer to provider",
    axis="graph",
    cases=(Case("CAIDA, 1,000 nodes", Input("caida", 1000, None, None)),),
    contestants=(_HARISH, _KATZ),
    baseline="harish-fw",
    printed={("CAIDA, 1,000 nodes", "harish-fw"): 1.37195, ("CAIDA, 1,000 nodes", "katz-kider"): 0.18929},
    claims=(
        Claim(
            "7.26 times faster", "katz-kider", "harish-fw", 7.26, 7.26,
            evidence=_global("katz-kider"), because=_BLOCKS_SAVE,
        ),
    ),
    gpu=_QUADRO,
    note="Needs a file of AS relationships: --caida FILE.",
)  # fmt: skip

_LARGE = Series(
    name="figure8",
    title="Figure 8 and table 1: large graphs, several GPUs",
    axis="vertices",
    cases=_cases(4096, 8192, 11264),
    contestants=(_KATZ, _SEVERAL),
    baseline="katz-kider",
    printed={("n = 4,096", "katz-kider"): 13.7, ("n = 11,264", "katz-kider, all GPUs"): 354.0},
    claims=(
        Claim(
            "two GPUs nearly halve the time", "katz-kider, all GPUs", "katz-kider", 1.5, 2.0,
            evidence=(
                Evidence("bus", "katz-kider, all GPUs", "katz-kider"),
                Evidence("blocks", "katz-kider, all GPUs", "katz-kider"),
            ),
            because="Both GPUs together do little more work than one, but pages travel to every GPU that needs them, "
            "for every primary page. The model takes one Quadro FX 5600 beside two GeForce 8800 GT, as the paper did.",
            by_model=True,
        ),
    ),
    gpu=_QUADRO,
    gpus={"katz-kider, all GPUs": ("GeForce 8800 GT", 2)},
    note="Table 1 itself cannot be read; 13.7 s and 354 s (two GeForce 8800 GT) are quoted by Okuyama et al., section "
    "2, as are 30 s for n = 4,096 by the generated CPU code of Han et al. on a Pentium 4 at 3.6 GHz. The paper claims "
    "to be 2 to 4 times faster than that code, which is not run here.",
)  # fmt: skip

PAPER = Paper(
    name="katz-kider",
    title="All-Pairs Shortest-Paths for Large Graphs on the GPU",
    authors="G. J. Katz, J. T. Kider",
    where="Graphics Hardware 2008, section 5",
    hardware=(
        "one GPU: NVIDIA Quadro FX 5600",
        "several GPUs: two NVIDIA GeForce 8800 GT",
        "CPU: Intel Xeon at 2.8 GHz, 2 GB",
    ),
    series=(_CPU, _GPU, _CLOSURE, _AS, _LARGE),
)
