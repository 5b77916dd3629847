"""One HTML page a paper, with its style and figures inside: it needs no other file and no network."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from apsp.experiments import table
from apsp.experiments.cells import Cell
from apsp.experiments.model import Paper, Series

__all__ = ["html"]

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1f2430; max-width: 78rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem; margin-bottom: 0 } h2 { font-size: 1.2rem; margin-top: 2.5rem }
.quiet { color: #5a6072 } .scroll { overflow-x: auto } img { max-width: 100%; height: auto }
table { border-collapse: collapse; font-size: 13px } th, td { padding: .25rem .7rem; text-align: right }
th, td { white-space: nowrap }
th:nth-child(-n+4):not(:nth-child(2)), td:nth-child(-n+4):not(:nth-child(2)) { text-align: left }
th { border-bottom: 1px solid #8a90a0 } tr.first td { border-top: 1px solid #e0e3ea } tr.tuned { background: #f0f5f7 }
"""


def html(
    paper: Paper, measured: Sequence[tuple[Series, Sequence[Cell]]], head: Mapping[str, Any], drawn: Mapping[str, bytes]
) -> str:
    """The page.

    Parameters
    ----------
    measured : sequence of (Series, cells)
    head : mapping
        'settings' and 'facts' of the measurements.
    drawn : mapping
        Name of a series -> SVG.
    """
    parts = [
        f"<h1>{escape(paper.title)}</h1>",
        f'<p class="quiet">{escape(paper.authors)}. {escape(paper.where)}. The experiments, repeated.</p>',
        _hardware(paper, head),
        *(_section(series, cells, drawn.get(series.name)) for series, cells in measured),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(paper.title)}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _hardware(paper: Paper, head: Mapping[str, Any]) -> str:
    """Both machines, and how it was measured here."""
    then = "".join(f"<li>{escape(words)}</li>" for words in paper.hardware)
    facts = {**head["settings"], **head["facts"]}
    now = "".join(f"<li>{escape(str(name))}: {escape(str(value))}</li>" for name, value in facts.items())
    note = f"<p>{escape(paper.note)}</p>" if paper.note else ""
    return (
        f"<p>The paper measured on</p><ul>{then}</ul><p>here</p><ul>{now}</ul>{note}"
        "<p>Every contestant that ran to its end was compared with Dijkstra's distances before it was timed. Times are "
        "medians from the graph in host memory to all distances, on the GPU for methods that run there; but the "
        "published Floyd-Warshalls begin and end with the matrix in host memory, as in their papers, and the column "
        "'kernels' is the part between the first launch and the end of the last. A time that begins with 'about' is of "
        "a run that was stopped, judged by how many of its sources or pivots were done. Shaded rows are the solvers of "
        "this package; the last column says how many times faster than the best published method that ran.</p>"
    )


def _section(series: Series, cells: Sequence[Cell], drawn: bytes | None) -> str:
    parts = [f"<h2>{escape(series.title)}</h2>", _table(series, cells)]
    if drawn is not None:
        coded = base64.b64encode(drawn).decode()
        parts.append(f'<p><img alt="{escape(series.title)}" src="data:image/svg+xml;base64,{coded}"></p>')
    found = [
        f"<li>{escape(claim.text)}: here {escape(table.claim_words(*ratios))}</li>"
        for claim, *ratios in table.claims(series, cells)
    ]
    found += [f"<li>{escape(words)}: {share:.1%}</li>" for words, share in table.overheads(series, cells)]
    if found:
        parts.append(f"<p>What the paper claims</p><ul>{''.join(found)}</ul>")
    left = [
        f"<li>{escape(label)} ({escape(', '.join(cases))}): {escape(reason)}</li>"
        for label, reason, cases in table.skipped(cells)
    ]
    if left:
        parts.append(f'<p>Not finished</p><ul class="quiet">{"".join(left)}</ul>')
    if series.note:
        parts.append(f'<p class="quiet">{escape(series.note)}</p>')
    return "\n".join(parts)


def _table(series: Series, cells: Sequence[Cell]) -> str:
    heads = "".join(f"<th>{escape(name)}</th>" for name in table.HEADER)
    lines, before = [], ""
    for row in table.rows(series, cells):
        kinds = [name for name, holds in (("first", row.cell.case != before), ("tuned", row.cell.is_tuned)) if holds]
        before = row.cell.case
        values = "".join(f"<td>{escape(value)}</td>" for value in table.words(row))
        lines.append(f'<tr class="{" ".join(kinds)}">{values}</tr>')
    return f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'
