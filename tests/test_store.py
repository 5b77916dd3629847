"""The file of a result: atomic, mapped, and honest about damage."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from apsp.errors import FileFormatError
from apsp.system.checksums import check_all
from apsp.system.store import load_arrays, save_arrays

ARRAYS = {
    "square": np.arange(600, dtype=np.uint16).reshape(20, 30),
    "empty": np.empty((0, 7), dtype=np.float64),
    "words": np.asarray(["a", "Zürich", ""]),
    "strided": np.arange(100, dtype=np.int64).reshape(10, 10)[::2, ::3],
    "number": np.float32(2.5) * np.ones((), dtype=np.float32),
}


@pytest.mark.parametrize("mapped", [True, False])
def test_arrays_come_back(tmp_path: Path, mapped: bool) -> None:
    path = tmp_path / "result.npz"
    save_arrays(path, ARRAYS, {"note": [1, None, "x"]})
    archive = load_arrays(path, mapped=ARRAYS if mapped else ())
    arrays, meta = archive.arrays, archive.meta
    assert meta["note"] == [1, None, "x"]
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(arrays[name], array)
    assert isinstance(arrays["square"], np.memmap) is mapped


def test_numpy_reads_it_too(tmp_path: Path) -> None:
    path = tmp_path / "result.npz"
    save_arrays(path, ARRAYS, {})
    with np.load(path, allow_pickle=False) as file:
        np.testing.assert_array_equal(file["square"], ARRAYS["square"])


def test_every_cut_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "result.npz"
    save_arrays(path, ARRAYS, {})
    whole = path.read_bytes()
    for keep in range(0, len(whole), 97):
        path.write_bytes(whole[:keep])
        with pytest.raises(FileFormatError, match=r"not a result of apsp, or cut short|is damaged"):
            load_arrays(path)


def test_a_flipped_byte_is_noticed_where_and_when_it_is_read(tmp_path: Path) -> None:
    path, large = tmp_path / "result.npz", np.arange(600_000, dtype=np.int32)
    save_arrays(path, {"large": large, "small": large[:1000]}, {})
    whole = bytearray(path.read_bytes())
    place = whole.index(large[500_000:500_010].tobytes())
    whole[place + 1] ^= 4
    path.write_bytes(whole)
    archive = load_arrays(path, mapped=["large"])
    assert archive.arrays["large"][500_000] != 500_000
    with pytest.raises(FileFormatError, match=r"large\.npy is damaged, at its element 262144 or soon after"):
        check_all(archive.unchecked)
    with pytest.raises(FileFormatError, match=r"large\.npy is damaged \(its bytes differ from their checksum\)"):
        load_arrays(path)
    whole[place + 1] ^= 4
    whole[whole.index(large[:1000].tobytes(), whole.index(b"small.npy")) + 7] ^= 1
    path.write_bytes(whole)
    with pytest.raises(FileFormatError, match=r"small\.npy is damaged"):
        load_arrays(path, mapped=["large"])


def test_files_of_format_1(tmp_path: Path) -> None:
    """They have no contents.json; the checksums of the archive still tell."""
    path, old = tmp_path / "result.npz", tmp_path / "old.npz"
    save_arrays(path, ARRAYS, {"note": "x"})
    with zipfile.ZipFile(path) as new, zipfile.ZipFile(old, "w") as archive:
        for name in new.namelist():
            if name == "meta.json":
                archive.writestr(name, json.dumps(json.loads(new.read(name)) | {"version": 1}))
            elif name != "contents.json":
                archive.writestr(name, new.read(name))
    found = load_arrays(old, mapped=["square"])
    check_all(found.unchecked)
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(found.arrays[name], array)
    whole = bytearray(old.read_bytes())
    whole[whole.index(ARRAYS["square"].tobytes()) + 100] ^= 1
    old.write_bytes(whole)
    with pytest.raises(FileFormatError, match=r"square\.npy is damaged"):
        check_all(load_arrays(old, mapped=["square"]).unchecked)


def test_another_npz_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.npz"
    np.savez(path, a=np.ones(3))
    with pytest.raises(FileFormatError, match="not a result of apsp"):
        load_arrays(path)


def test_python_objects_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "result.npz"
    with pytest.raises(ValueError, match="Python objects"):
        save_arrays(path, {"objects": np.array([{}], dtype=object)}, {})
    assert list(tmp_path.iterdir()) == []


def test_interruption_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "result.npz"
    save_arrays(path, {"old": np.arange(3)}, {})

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save_arrays(path, {"new": np.arange(3)}, {}, interrupt)
    assert list(load_arrays(path).arrays) == ["old"]
    assert list(tmp_path.iterdir()) == [path]


FULL_DISK = """
import resource, signal, sys
import numpy as np
from apsp.errors import OutputError
from apsp.system.store import save_arrays
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    save_arrays(sys.argv[1], {"new": np.zeros((1000, 1000))}, {})
except OutputError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of file size are POSIX")
def test_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "result.npz"
    save_arrays(path, {"old": np.arange(3)}, {})
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True, check=True, timeout=60
    )
    assert "cannot write" in done.stdout
    assert "is as it was before" in done.stdout
    assert list(load_arrays(path).arrays) == ["old"]
    assert list(tmp_path.iterdir()) == [path]
