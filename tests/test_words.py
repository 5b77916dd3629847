"""Words that this project avoids: phrases in prose, which is plain technical English, and parts of names."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLACES = ["src/apsp", "cpp", "benchmarks", "scripts", "tests", "docs", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
SUFFIXES = {".py", ".md", ".cpp", ".hpp", ".cu", ".cuh"}
# records of runs, what the build of the site writes, and this list
NOT_PROSE = ("docs/published/", "docs/gallery/", "docs/reference/generated/", "tests/test_words.py")

UNITS = "pair|row|source|thread|vertex|graph|block|level|round|launch|pivot|batch|word|lane|page"
BANNED = {
    r"\b(whoever|nobody|somebody|no one)\b": "name the subject, or use the passive",
    r"\b(sounded|mended)\b": "measured, corrected",
    r"\b(is|are|was|were|been|as|not|be) asked\b|\basked (for|of)\b|\bthe asked\b|\basks for\b": "requested",
    r"\b(is|are|was|were|been) told\b|\bTold (how|after|as|in|of|which|the)\b": "called with, passed, reported",
    r"\b(is|are|was|were|been) fed\b|\bfed (with|to|twice)\b": "added, loaded",
    r"\b(hears|is heard)\b|\bwill be done soon\b|\bsaid back\b|\bgot the better\b": "handled, short, passed, lost",
    r"\brefuses:|\bin the way\b": "cannot be used:, prevents",
    r"\bhand(s|ed|ing)? (out|over)\b": "return, yield, copy",
    r"(?<!there )\b(is|are) no "
    r"(vertex|graph|number|array|length|distance|result|file|error|node|dtype)s?\b": "is not a",
    rf"\b(bytes|values|pairs|bits|operations|threads|columns|rows) an? ({UNITS})\b": "per",
    r"\b(thereof|lest|anew|whence|hitherto)\b": "again, so that not, ...",
    r"\bwhat (becomes|became) of\b": "the status of, the treatment of",
    r"\b(sees|see|saw) to (it|that)\b": "ensures",
    r"\b(in circles|in a circle|round in a)\b": "form a cycle",
    r"\ban? (thread|bit|lane|word|line|block|source|row|plane) an? "
    r"(vertex|source|pair|lane|row|plane|word|line|entry|graph)\b": "one ... per ...",
    r"\b(does|do) no harm\b|\bfor good\b|\bmeans? nothing\b": "does not change, permanently, is undefined",
    r"\bworth (its|their) (time|memory)\b": "saves more than it takes",
    r"\b(are|is) given out\b|\bread off (it|them|the)\b|\bspeaks? labels\b": "assigned, found from, uses labels",
    r'"""See `[\w.]+`\."""': "a sentence that makes sense alone",
}


def prose(place: str) -> list[Path]:
    path = ROOT / place
    files = [path] if path.is_file() else sorted(path.rglob("*"))
    return [
        file
        for file in files
        if file.suffix in SUFFIXES and not file.relative_to(ROOT).as_posix().startswith(NOT_PROSE)
    ]


@pytest.mark.parametrize("place", PLACES)
def test_plain_words(place: str) -> None:
    banned = [(re.compile(pattern), instead) for pattern, instead in BANNED.items()]
    found = [
        f"{path.relative_to(ROOT)}: {match.group()!r}; better: {instead}"
        for path in prose(place)
        for text in [path.read_text(encoding="utf-8")]
        for pattern, instead in banned
        for match in pattern.finditer(text)
    ]
    assert not found, "\n".join(found)


NAMED_PLACES = ["running", "measures", "planning", "api"]
NAME_PARTS = {
    "asked": "requested, or what the request is of",
    "begun": "opened, stored, prepared",
    "decided": "plan",
    "front": "the name of the public function",
    "kept": "stored, cached, selected",
    "made": "prepared",
    "room": "free bytes, an empty array",
    "spread": "distribution, workers",
    "ticket": "reference",
    "told": "progress, identity, attributes",
    "wanted": "requested",
}
# of errors that users catch, and of functions of other packages
NAMES_ELSEWHERE = {"PathsNotKeptError", "kept_links", "kept_statistics", "_made"}


def identifiers(path: Path) -> Iterator[tuple[int, str]]:
    """The name of a module, in line 0, and all names in it; those in f-strings from Python 3.12 on."""
    yield 0, path.stem
    for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
        if token.type == tokenize.NAME and token.string not in NAMES_ELSEWHERE:
            yield token.start[0], token.string


def parts_of(name: str) -> set[str]:
    """The words of a name with underscores or capitals, in lower case."""
    return {part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


@pytest.mark.parametrize(
    ("name", "parts"),
    [("_NotWantedError", {"not", "wanted", "error"}), ("told_of_bins", {"told", "of", "bins"}), ("TOLD", {"told"})],
)
def test_parts_of_names(name: str, parts: set[str]) -> None:
    assert parts_of(name) == parts


@pytest.mark.parametrize("place", NAMED_PLACES)
def test_plain_names(place: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}; better: {NAME_PARTS[part]}"
        for path in sorted((ROOT / "src/apsp" / place).rglob("*.py"))
        for line, name in identifiers(path)
        for part in parts_of(name) & NAME_PARTS.keys()
    ]
    assert not found, "\n".join(found)
