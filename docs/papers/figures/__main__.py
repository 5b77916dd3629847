"""Draws the figures of docs/papers and fills in their tables of counts: `python -m docs.papers.figures`.

Needs matplotlib and the emulated GPU.
"""

from __future__ import annotations

from . import counts, draw_batool, draw_katz_kider, draw_lab, draw_okuyama, draw_okuyama_short

if __name__ == "__main__":
    for page in (draw_katz_kider, draw_okuyama, draw_okuyama_short, draw_lab, draw_batool):
        page.draw()
    counts.fill_in()
