"""Phrases that the prose of this project avoids: plain technical English, as in SciPy's documents."""

from __future__ import annotations

import re
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
