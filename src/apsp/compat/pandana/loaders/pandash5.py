"""Networks in HDF5 files of pandas, as `pandana.loaders.pandash5`; PyTables is needed."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

from apsp.errors import FileFormatError, MissingDependencyError, MissingFileError

__all__ = [
    "migrate_legacy_hdf",
    "network_from_pandas_hdf5",
    "network_to_pandas_hdf5",
    "open_hdf_store",
    "remove_nodes",
]

_KEYS = ("/nodes", "/edges", "/two_way", "/impedance_names")


def remove_nodes(network: Any, rm_nodes: Any) -> tuple[Any, Any]:
    """Return the tables of nodes and edges without some nodes, and without the edges at them."""
    nodes, edges = network.nodes_df, network.edges_df
    gone = list(rm_nodes)
    at_gone = edges["from"].isin(gone) | edges["to"].isin(gone)
    return nodes[~nodes.index.isin(gone)], edges[~at_gone]


def network_to_pandas_hdf5(network: Any, filename: Any, rm_nodes: Any = None) -> None:
    """Write a network to a new file, without some nodes."""
    nodes, edges = remove_nodes(network, () if rm_nodes is None else rm_nodes)
    _tables()
    with pd.HDFStore(os.fspath(filename), mode="w") as store:
        store.put("nodes", nodes, track_times=False)
        store.put("edges", edges, track_times=False)
        store.put("two_way", pd.Series([network._twoway]), track_times=False)
        store.put("impedance_names", pd.Series(network.impedance_names), track_times=False)


def network_from_pandas_hdf5(cls: Any, filename: Any, migrate_legacy: bool = False) -> Any:
    """Read a network, an instance of a class such as `Network`, from a file."""
    with open_hdf_store(filename, migrate_legacy=migrate_legacy) as store:
        missing = [key for key in _KEYS if key not in store.keys()]  # noqa: SIM118 - a store is no mapping
        if missing:
            raise FileFormatError(filename, f"no table {missing[0][1:]!r}: it was not written by save_hdf5")
        nodes, edges, twoway, names = (store.get(key) for key in _KEYS)
    impedances = edges[names.tolist()]
    return cls(nodes["x"], nodes["y"], edges["from"], edges["to"], impedances, twoway=bool(twoway.iloc[0]))


@contextmanager
def open_hdf_store(filename: Any, mode: str = "r", migrate_legacy: bool = False) -> Iterator[Any]:
    """Open a file of pandas; with `migrate_legacy`, a converted copy of a file that only an old pandas can read."""
    _tables()
    path = Path(filename)
    if mode == "r" and not path.exists():
        raise MissingFileError(path)
    with tempfile.TemporaryDirectory() as folder:
        if mode == "r" and not _pandas_can_read(path):
            if not (migrate_legacy and _has_legacy_pandas_attrs(path)):
                raise FileFormatError(
                    path,
                    "pandas cannot read it: if an old version of pandas wrote it, pass migrate_legacy=True, or "
                    "convert it once with pandash5.migrate_legacy_hdf",
                )
            path = Path(migrate_legacy_hdf(path, Path(folder) / "converted.h5"))
        with pd.HDFStore(os.fspath(path), mode=mode) as store:
            yield store


def migrate_legacy_hdf(filename: Any, output_filename: Any = None) -> Any:
    """Convert attributes that an old pandas wrote as bytes to text, in place or in a copy; return the file's name."""
    target = filename if output_filename is None else output_filename
    if output_filename is not None:
        shutil.copyfile(filename, output_filename)
    with _tables().open_file(os.fspath(target), mode="a") as file:
        for attributes, name, value in _bytes_attributes(file):
            setattr(attributes, name, value.decode())
    return target


def _has_legacy_pandas_attrs(filename: Any) -> bool:
    with _tables().open_file(os.fspath(filename), mode="r") as file:
        return any(True for _ in _bytes_attributes(file))


def _bytes_attributes(file: Any) -> Iterator[tuple[Any, str, bytes]]:
    for node in file.walk_nodes("/"):
        attributes = node._v_attrs
        for name in list(attributes._v_attrnames):
            value = getattr(attributes, name)
            if isinstance(value, bytes):  # NumPy's bytes are a kind of them
                yield attributes, name, value


def _pandas_can_read(path: Path) -> bool:
    try:
        with pd.HDFStore(os.fspath(path), mode="r") as store:
            for key in store.keys():  # noqa: SIM118 - a store is no mapping
                store.get_storer(key)
    except Exception:
        return False
    return True


def _tables() -> Any:
    try:
        import tables
    except ModuleNotFoundError as error:
        raise MissingDependencyError("PyTables", "an HDF5 file of pandas", "pandana") from error
    return tables
