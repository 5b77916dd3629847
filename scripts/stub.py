"""Compare src/apsp/_cpu.pyi with the stub that nanobind generates from the built extension; --fix writes it."""

import pathlib
import subprocess
import sys

from nanobind.stubgen import StubGen

from apsp import _cpu

STUB = pathlib.Path(__file__).parent.parent / "src/apsp/_cpu.pyi"


def generated() -> str:
    """Return the text of the stub, formatted as the rest of the code."""
    generator = StubGen(module=_cpu, quiet=True)
    generator.put(_cpu)
    text = "# Generated from the extension by scripts/stub.py --fix.\n" + generator.get()
    run = subprocess.run(
        ["ruff", "format", "--stdin-filename", str(STUB), "-"], input=text.encode(), capture_output=True, check=True
    )
    return run.stdout.decode()


text = generated()
if "--fix" in sys.argv:
    STUB.write_text(text)
elif text != STUB.read_text():
    sys.exit(f"{STUB} is not what the extension is: run scripts/check --fix")
