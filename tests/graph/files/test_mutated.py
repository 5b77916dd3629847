"""Damaged files of every format: only this package's errors may come out, without warnings and without delay."""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import subprocess
import sys
import warnings
from datetime import timedelta

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from apsp.errors import ApspError, ApspWarning
from apsp.graph.convert import from_edges
from apsp.graph.files import read, write
from apsp.graph.files.formats import known_formats
from apsp.graph.model import Graph
from examples import examples

TEXTS = {
    "a.gr": b"c apsp hops\np sp 5 4\na 1 2 5\na 2 3 -1\nc x\na 1 2 4\na 5 1 1.5\n",
    "tw.gr": b"p tw 4 2\n1 2\n3 4\n",
    "a.mtx": b"%%MatrixMarket matrix coordinate real general\n% c\n3 3 2\n1 2 0.5\n3 1 2\n",
    "array.mtx": b"%%MatrixMarket matrix array integer skew-symmetric\n3 3\n1\n2\n3\n",
    "snap.txt": b"# Undirected graph\n# Nodes: 9 Edges: 3\n0\t1\n1\t2\n5 7\n",
    "a.csv": b'source,target,weight\n"a, b",c,5\nd,e,1e3\nc,d,2\n',
    "ids.csv": b"-4,77777777777,0.5\n5,6,2\n",
    "algs4.txt": b"3\n2\n0 1 0.5\n1 2 0.25\n",
    "a.cedge": b"0 0 1 0.5\n1 1 2 0.25\n2 2 3 0.125\n",
    "names.intra": b"Perth,+WA1 Sydney,+NSW2 4\nSydney,+NSW2 Perth,+WA1 4.5\n",
    "a.graph": b"% c\n3 2 011 1\n9 2 5\n9 1 5 3 6\n9 2 6\n",
    "a.gml": b'graph [ directed 1 node [ id 7 label "A" graphics [ x 1 y 2 ] ] node [ id 3 ]\n'
    b" edge [ source 7 target 3 value 4 ] ]\n",
    "a.graphml": b'<?xml version="1.0"?><graphml><key id="k" for="edge" attr.name="weight" attr.type="int"/>'
    b'<graph edgedefault="directed">'
    b'<node id="a"/><node id="b"/><edge source="a" target="b"><data key="k">3</data></edge></graph></graphml>',
    "osmnx.graphml": b'<graphml><key id="k" for="edge" attr.name="length" attr.type="string"/>\n'
    b'<key id="x" for="node" attr.name="x"/><key id="y" for="node" attr.name="y"/><graph>\n'
    b'<node id="7"><data key="x">1</data><data key="y">2.5</data></node><node id="8"/>\n'
    b'<edge source="7" target="8"><data key="k">3.5</data></edge></graph></graphml>',
    "serial.txt": b"# c\n1|2|-1\n2|3|0|bgp\n",
    "caida.txt": b"# Relationships:\t-1 (<FromNodeId> is a customer of <ToNodeId>)\n2\t1\t-1\n1\t2\t1\n",
    "a_net.tntp": b"<NUMBER OF NODES> 3\n<FIRST THRU NODE> 2\n<NUMBER OF LINKS> 2\n<END OF METADATA>\n~ x\n"
    b"1 2 100 7 2.5 0.15 4 0 1 1 ;\n2 3 100 8 0 0.15 4 0 2 1;\n",
    "a.net": b'*Vertices 3\n1 "a b" 0.5 0.5\n*Arcs :1 "r"\n1 2 5\n*Edges\n2 3\n*Arcslist\n1 2 3\n*Matrix\n'
    b"0 1 2\n0 0 0\n1 1.5 0\n",
    "a.paj": b"*Network\n*Vertices 3 1\n*Matrix :1\n1 2\n*Partition p\n*Vertices 3\n1\n2\n3\n",
    "counted.txt": b"5 3\n0 1\n1 2\n2 3\n",
    "counted.csv": b"3\n0,1,5\n1,2,6\n",
    "pmed1.txt": b" 3 3 1 \n 1 2 30 \n 2 3 46 \n 1 2 40 \n",
}


def binaries() -> dict[str, bytes]:
    found = {}
    stream = io.BytesIO()
    np.save(stream, np.array([[0.0, 2.0], [np.inf, 0.0]]))
    found["a.npy"] = stream.getvalue()
    stream = io.BytesIO()
    sp.save_npz(stream, sp.csr_array(np.eye(3)), compressed=False)
    found["sparse.npz"] = stream.getvalue()
    return found


def written(folder) -> dict[str, bytes]:
    graph = from_edges([0, 1], [1, 2], [1.5, 2.5], labels=["a", "b", "c"], zones=[True, False, False])
    write(graph, folder / "w.npz")
    write(graph._with(zones=None), folder / "w.parquet")
    write(graph._with(zones=None), folder / "w.feather")
    write(graph._with(zones=None, labels=None), folder / "w.gr.gz")
    write(graph._with(zones=None, labels=None), folder / "w.gr.xz")
    return {path.name: path.read_bytes() for path in folder.iterdir()}


class Samples(dict):
    def __repr__(self):  # keeps failure reports short
        return "samples"


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    return Samples(TEXTS | binaries() | written(tmp_path_factory.mktemp("samples")))


NAMES = [*TEXTS, "a.npy", "sparse.npz", "w.npz", "w.parquet", "w.feather", "w.gr.gz", "w.gr.xz"]
PIECES = st.one_of(
    st.binary(max_size=6),
    st.sampled_from([b"nan", b"-1", b"0", b"\n", b" ", b",", b'"', b"1e999", b"99999999999999999999", b"\xff\xfe", b"[",
                     b"]", b"<", b"inf", b"\r", b"\t", b"4000000000", b"-9223372036854775808", b"2147483647", b"|"]),
)  # fmt: skip
EDITS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 5), PIECES), min_size=1, max_size=4)


def mutated(data: bytes, edits) -> bytes:
    for place, removed, inserted in edits:
        at = int(place * len(data))
        data = data[:at] + inserted + data[at + removed :]
    return data


@settings(
    max_examples=examples(1200),
    deadline=timedelta(seconds=5),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(name=st.sampled_from(NAMES), edits=EDITS, keep_name=st.booleans())
@example(name="a.gr", edits=[(0.0, 0, b"")], keep_name=True)
def test_mutated_files(samples, tmp_path, name, edits, keep_name):
    path = tmp_path / (name if keep_name else "file")
    path.write_bytes(mutated(samples[name], edits))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ApspWarning)
            graph = read(path, absent=None)
    except ApspError:
        return
    rebuilt = Graph(graph.indptr, graph.indices, graph.weights, directed=graph.directed)  # checks everything again
    assert rebuilt.n == graph.n


@settings(
    max_examples=examples(300),
    deadline=timedelta(seconds=5),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(content=st.one_of(st.binary(max_size=300), st.text(max_size=300).map(str.encode)),
       name=st.sampled_from([*NAMES, "x"]))  # fmt: skip
def test_random_files(tmp_path, content, name):
    path = tmp_path / name
    path.write_bytes(content)
    with contextlib.suppress(ApspError, ApspWarning):
        read(path)


@settings(
    max_examples=examples(300),
    deadline=timedelta(seconds=5),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(content=st.binary(max_size=200), name=st.sampled_from(known_formats()))
def test_random_files_of_a_named_format(tmp_path, content, name):
    path = tmp_path / "x"
    path.write_bytes(content)
    with contextlib.suppress(ApspError, ApspWarning):
        read(path, format=name)


NUMBER = re.compile(rb"\d+(\.\d+)?")


@pytest.mark.few(30)
@pytest.mark.parametrize("digits", [b"9" * 5000, b"-" + b"9" * 5000, b"1" * 5000 + b".5", b"1e" + b"9" * 5000])
@pytest.mark.parametrize("name", TEXTS)
def test_numbers_of_thousands_of_digits(tmp_path, name, digits):
    path = tmp_path / name
    for found in NUMBER.finditer(TEXTS[name]):
        path.write_bytes(TEXTS[name][: found.start()] + digits + TEXTS[name][found.end() :])
        try:
            read(path)
        except ApspError as error:
            words = str(error)
        else:
            continue
        assert str(path) in words
        assert len(words) < 1000, words


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("g++"), reason="g++ on Linux makes the library")
def test_beside_a_library_with_streams_of_its_own(tmp_path):
    """As PyTorch has: the loader gives both libraries one numbering of locales, and numbers were read wrongly."""
    (tmp_path / "own.cpp").write_text(
        "#include <sstream>\n"
        'extern "C" double half() { double half; std::istringstream("0.5") >> half; return half; }\n'
    )
    made = ["g++", "-shared", "-fPIC", "-static-libstdc++", "-static-libgcc", "own.cpp", "-o", "own.so"]
    subprocess.run(made, cwd=tmp_path, check=True)
    (tmp_path / "a.gr").write_text("p sp 2 1\na 1 2 1e999\n")
    program = "import ctypes; ctypes.CDLL('./own.so').half(); import apsp; apsp.read('a.gr')"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "apsp.errors.FileFormatError: a.gr, line 2, column 7: '1e999' does not fit" in done.stderr


NODE_FILES = [
    b"Node\tX\tY\t;\n1\t-5\t6.5\t;\n3\t10\t20\t;\n",
    b"~ places\n<NODES> 3\nid,lat,lon\n1,6.5,-5\n3,20,10\n",
    b"p aux sp co 3\nv 2 10 20\nv 1 -5 6.5\n",
]


@settings(
    max_examples=examples(400),
    deadline=timedelta(seconds=5),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.sampled_from(NODE_FILES), edits=EDITS)
def test_mutated_files_of_coordinates(tmp_path, data, edits):
    (tmp_path / "a_net.tntp").write_bytes(TEXTS["a_net.tntp"])
    (tmp_path / "a.gr").write_bytes(b"p sp 3 1\na 1 2 5\n")
    for net, beside in (("a_net.tntp", "a_node.tntp"), ("a.gr", "a.co")):
        (tmp_path / beside).write_bytes(mutated(data, edits))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ApspWarning)
            graph = read(tmp_path / net)
        assert graph.n == 3
        assert graph.coordinates is None or graph.coordinates.shape == (3, 2)
        with contextlib.suppress(ApspError):
            assert read(tmp_path / net, coordinates=tmp_path / beside).coordinates is not None
