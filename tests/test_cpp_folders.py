"""The rooms of the C++ sources: what one folder includes of another, and what is compiled once per instruction set."""

import re
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

CPP = Path(__file__).parent.parent / "cpp"
FOLDERS = {folder.name for folder in CPP.iterdir() if folder.is_dir()}
SOURCES = [path for path in sorted(CPP.rglob("*.?pp")) if path.suffix in {".cpp", ".hpp"}]
TEXT = {".py", ".cu", ".cuh", ".md"}
KERNELS = [path for path in SOURCES if path.parent.name not in {"bindings", "tests"} and "emulated" not in path.parts]


def includes(path: Path) -> list[str]:
    return re.findall(r'^#include "([^"]+)"', path.read_text(), re.MULTILINE)


def folder_of(path: Path) -> str:
    return path.relative_to(CPP).parts[0]


def cycle_of(edges: dict[str, set[str]]) -> list[str] | None:
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return list(error.args[1])
    return None


def test_a_circle_would_be_found():
    assert cycle_of({"a": {"b"}, "b": {"c"}, "c": {"a"}})
    assert not cycle_of({"a": {"b", "c"}, "b": {"c"}})


def test_folders_include_each_other_in_one_direction():
    edges = defaultdict(set)
    for path in SOURCES:
        for name in includes(path):
            folder = name.split("/")[0]
            if folder in FOLDERS and folder != folder_of(path):
                edges[folder_of(path)].add(folder)
    assert {"label_correcting", "graph", "runtime"} <= edges["bindings"]
    assert cycle_of(edges) is None


def test_a_folder_is_a_namespace():
    for path in KERNELS:
        wanted = "apsp" if folder_of(path) == "runtime" else f"apsp::{folder_of(path)}"
        found = set(re.findall(r"^namespace (apsp[\w:]*)", path.read_text(), re.MULTILINE))
        assert wanted in {name.removesuffix("::APSP_SIMD") for name in found} or not found, path


def test_what_is_compiled_for_several_instruction_sets_names_its_namespace():
    # Otherwise the linker keeps the function of one instruction set for all.
    several = {path for path in KERNELS if path.name == "kernels_simd.cpp"}
    assert len(several) >= 8
    several |= {path for path in KERNELS if "::APSP_SIMD {" in path.read_text()}
    for path in several:
        namespaces = re.findall(r"^namespace (apsp[\w:]*)", path.read_text(), re.MULTILINE)
        assert namespaces, path
        assert all(name.endswith("::APSP_SIMD") for name in namespaces), path
    for path in KERNELS:
        if path not in several:
            assert not {CPP / name for name in includes(path)} & several, path


def test_no_kernel_has_streams():
    """Their locale is not that of the library that is loaded, beside packages with a C++ library of their own."""
    streams = re.compile(r"^#include <(?:\w*stream|locale|regex|iomanip)>", re.MULTILINE)
    assert not [str(path) for path in SOURCES if path.parent.name != "tests" and streams.search(path.read_text())]


def test_files_that_others_name_exist():
    root = CPP.parent
    texts = [path for folder in ("src/apsp", "docs") for path in (root / folder).rglob("*") if path.suffix in TEXT]
    named = {(path, name) for path in texts for name in re.findall(r"\bcpp/[\w/]+\.[ch]pp\b", path.read_text())}
    assert named
    assert not {(path, name) for path, name in named if not (root / name).exists()}


_TYPE = re.compile(r"^(?:class|struct|enum class|union) (\w+)(?: final)?(?: : [^;{]*)? \{", re.MULTILINE)
_OWN = re.compile(r"^namespace \{$.*?^\}  // namespace$", re.MULTILINE | re.DOTALL)


def types_of(text: str) -> set[str]:
    """The types that other files can see: not those in unnamed namespaces or in types, and no specialisations."""
    return set(_TYPE.findall(_OWN.sub("", text)))


def test_types_of_a_file_are_found():
    own = "namespace {\nstruct Own {\n};\n}  // namespace\n"
    text = f"struct One {{\n}};\n{own}template <class T>\nclass Two final : Base {{\n}};\nstruct Later;\n"
    assert types_of(text) == {"One", "Two"}


def test_no_folder_has_two_types_of_one_name():
    """The linker would keep the functions of one of them for both."""
    places = defaultdict(set)
    for path in KERNELS:
        for name in types_of(path.read_text()):
            places[folder_of(path), name].add(path.name)
    twice = {where: files for where, files in places.items() if len(files) > 1}
    assert twice == {}


ELSEWHERE = {
    r"std::aligned_alloc|posix_memalign": "Windows has neither: runtime/aligned.hpp",
    r"\b(?<!long )long(?! long| double)\b": "it has 32 bits under Windows: std::int64_t",
    r"%l?[ul]?[zl][du]\b(?<!%lld)(?<!%llu)": "sizes and long numbers are printed as %lld, with a cast",
    r"std::(execution|jthread|stop_token)\b": "libc++ has none",
    r"atomic<(?:double|float)>&? (\w+)(?s:.*?)\b\1(?:\.fetch_add\(| [-+]=)": "libc++ before LLVM 18 lacks it",
}


def code_of(path: Path) -> str:
    """The text without comments."""
    words = re.compile(r"//.*|\"(?:[^\"\\\n]|\\.)*\"")
    return words.sub(lambda found: found[0] if found[0][0] == '"' else "", path.read_text())


def test_what_other_systems_lack_is_not_used():
    for path in KERNELS:
        text = code_of(path)
        for pattern, why in ELSEWHERE.items():
            if path.name != "aligned.hpp":
                found = re.search(pattern, text)
                assert not found, f"{path}: {found and found[0][:80]!r}: {why}"


def test_what_other_systems_lack_would_be_found():
    for text in (
        "std::aligned_alloc(64, n)",
        "unsigned long size;",
        '"%zu"',
        '"%ld"',
        "std::jthread one;",
        "atomic<double> a; a += 1;",
    ):
        assert any(re.search(pattern, text) for pattern in ELSEWHERE), text
    for text in ("long long size;", "long double", '"%lld"', "belong", "std::thread one;"):
        assert not any(re.search(pattern, text) for pattern in ELSEWHERE), text
