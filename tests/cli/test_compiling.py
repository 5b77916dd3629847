"""Kernels that are compiled before they are needed."""

import pytest

import apsp
from apsp import DeviceError
from apsp.cli import compiling
from apsp.gpu import jit
from apsp.gpu.emulated import kernels


def test_every_kind_of_call(monkeypatch):
    used, launched = set(), kernels.kernels

    def listed(expressions, **options):
        used.update(expressions)
        return launched(expressions, **options)

    monkeypatch.setattr(kernels, "kernels", listed)
    told = []
    calls = compiling.compile_kernels(lambda *what: told.append(what), "emulated", (24,))
    assert told[-1] == ("compile", calls, calls)
    names = {name.partition("<")[0].removeprefix("apsp::") for name in used}
    assert names >= {"climb", "descend", "relax_pairs", "search", "update", "fill"} & names
    for value in ("unsigned short", "int", "long long", "float", "double"):
        assert any(f"<{value}>" in name for name in used), value


@pytest.mark.skipif(jit.why_no_gpu() is None, reason="there is a GPU")
def test_without_a_gpu():
    with pytest.raises(DeviceError, match="device='cuda'"):
        compiling.compile_kernels()


@pytest.mark.gpu
@pytest.mark.usefixtures("cupy")
def test_on_a_gpu(monkeypatch, tmp_path):
    monkeypatch.setenv("CUPY_CACHE_DIR", str(tmp_path))
    jit._kernels.cache_clear()
    compiling.compile_kernels()
    before = set(tmp_path.iterdir())
    assert {path.suffix for path in before} >= {".cubin", ".json"}
    jit._kernels.cache_clear()
    graph = apsp.generate("grid", 900, seed=1)
    apsp.closeness_centrality(graph, device="cuda", method="elimination")
    apsp.solve(graph, device="cuda", method="floyd-warshall", paths=True)
    assert {path for path in tmp_path.iterdir() if path.suffix == ".json"} <= before
