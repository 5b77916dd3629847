"""Batool, Mehdi: Sequential Johnson's APSP Algorithm on GPU, section 8. Figures 8 and 9.

The figures, and so the sizes of the eight graphs, cannot be read as numbers; the printed numbers are the claims of the
text.
"""

from __future__ import annotations

from apsp.published.experiments.model import Case, Claim, Contestant, Evidence, Input, Paper, Series

__all__ = ["PAPER"]

_SIZES = (256, 512, 1024, 1536, 2048, 3072, 4096, 6144)

_TIMES = Series(
    name="figure8",
    title="Figures 8 and 9: execution times and speed-ups, eight graphs with negative arcs",
    axis="arcs",
    cases=tuple(Case(f"n = {n:,}, m = {8 * n:,}", Input("negative", n, 8 * n), 8 * n) for n in _SIZES),
    contestants=(
        Contestant("johnson, 1 thread", "johnson", "cpu", threads=1),
        Contestant("johnson-flag", "johnson-flag"),
        Contestant("johnson-queue", "johnson-queue"),
        Contestant("johnson-prefix", "johnson-prefix"),
    ),
    baseline="johnson, 1 thread",
    claims=(
        Claim(
            "up to about 4.5 times faster than sequential, from 15,000 arcs on", "johnson-queue", "johnson, 1 thread",
            because="One side of it is a program of the CPU, whose memory accesses are not counted. Launches of a "
            "handful of vertices each are what a source consists of.",
        ),
        Claim(
            "the queue is faster than the flag: divergence costs more than atomics", "johnson-queue", "johnson-flag",
            evidence=(
                Evidence("divergent_branches", "johnson-flag", "johnson-queue"),
                Evidence("atomics", "johnson-queue", "johnson-flag"),
                Evidence("requests", "johnson-flag", "johnson-queue"),
                Evidence("divergent_branches", "johnson-flag", "johnson-queue", kernels="relax_"),
            ),
            because="Divergence stays: it moves from relaxing to the kernel that fills the queue, where each vertex of "
            "the frontier leaves its warp as well. What the queue saves is accesses to global memory, since a thread "
            "is started for its entries alone, and what it pays is an atomic for each.",
        ),
        Claim(
            "the queue is faster than the prefix sum on graphs of these sizes", "johnson-queue", "johnson-prefix",
            evidence=(
                Evidence("launches", "johnson-prefix", "johnson-queue"),
                Evidence("requests", "johnson-prefix", "johnson-queue"),
                Evidence("atomics", "johnson-queue", "johnson-prefix"),
            ),
            because="Prefix sums replace the atomics by further launches; those inside the library's own prefix sum "
            "are not counted.",
        ),
    ),
    sources=4,
    gpu="GeForce GTX 1050",
    count="requests",
    note="Sizes are ours: eight graphs on both sides of the 15,000 arcs that the text names, 8 arcs per vertex. The "
    "sequential baseline is this package's johnson with one thread, which is faster than a plain one.",
)  # fmt: skip

PAPER = Paper(
    name="batool",
    title="Sequential Johnson's APSP Algorithm on GPU",
    authors="A. Batool, M. Mehdi",
    where="section 8",
    hardware=("NVIDIA GeForce GTX 1050, 2 GB", "sequential: Intel Core i5-3470 at 3.2 GHz, 12 GB"),
    series=(_TIMES,),
)
