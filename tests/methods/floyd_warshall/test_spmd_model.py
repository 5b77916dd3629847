"""The model of the time over many GPUs: the closed form against the program itself with clocks."""

import pytest

model = pytest.importorskip("benchmarks.spmd_model")


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("n", "gpus", "block", "between"),
    [
        (65_536, 1, 1024, 50e9), (65_536, 4, 1024, 50e9), (65_536, 8, 512, 50e9), (131_072, 16, 1024, 50e9),
        (65_536, 16, 1024, 2e9), (32_768, 36, 512, 50e9),
    ],
)  # fmt: skip
def test_the_closed_form(n, gpus, block, between):
    device, links = model.H200(), model.Links(between=between)
    found = model.predicted(n, gpus, block, device, links)
    assert model.simulated(n, gpus, block, device, links) == pytest.approx(found.seconds, rel=0.25)


def test_one_gpu_is_what_was_measured():
    # benchmarks/results/gpu_dense.json: 2.22 s for n = 32,768
    assert model.predicted(32_768, 1, 512, model.H200(), model.Links()).seconds == pytest.approx(2.22, rel=0.1)


def test_more_gpus_are_faster_and_less_efficient():
    device, links = model.H200(), model.Links()
    found = [model.best(65_536, gpus, device, links) for gpus in (8, 64, 256)]
    assert [row.seconds for row in found] == sorted((row.seconds for row in found), reverse=True)
    assert [row.efficiency for row in found] == sorted((row.efficiency for row in found), reverse=True)
    assert all(0 < row.efficiency <= 1 for row in found)
    slow = model.best(65_536, 64, device, model.Links(between=1e9))
    assert slow.seconds > 5 * found[1].seconds
