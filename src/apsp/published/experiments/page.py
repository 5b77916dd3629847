"""One HTML page per paper, which contains its style and figures: it needs neither other files nor a network."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from apsp.published.experiments import table
from apsp.published.experiments.cells import Cell
from apsp.published.experiments.counts_table import PREDICTED, count_rows, count_words, header, predicted_rows
from apsp.published.experiments.evidence import verdicts
from apsp.published.experiments.figure import EMULATED
from apsp.published.experiments.hardware import GPUS
from apsp.published.experiments.model import Paper, Series

__all__ = ["html"]

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1f2430; max-width: 78rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem; margin-bottom: 0 } h2 { font-size: 1.2rem; margin-top: 2.5rem }
.quiet { color: #5a6072 } .scroll { overflow-x: auto } img { max-width: 100%; height: auto }
table { border-collapse: collapse; font-size: 13px } th, td { padding: .25rem .7rem; text-align: right }
th, td { white-space: nowrap }
th:nth-child(-n+4):not(:nth-child(2)), td:nth-child(-n+4):not(:nth-child(2)) { text-align: left }
table.counts th:nth-child(4), table.counts td:nth-child(4) { text-align: right }
table.counts th:nth-child(3), table.counts td:nth-child(3) { text-align: right }
table.counts th:nth-child(5), table.counts td:nth-child(5) { text-align: left }
table.predicted th, table.predicted td { text-align: left }
table.counts th { white-space: normal; vertical-align: bottom } li ul { margin: .2rem 0 }
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
    cells = [cell for _, mine in measured for cell in mine]
    is_counted = any(cell.counts is not None for cell in cells)
    title = f"{paper.title} ({EMULATED})" if is_counted else paper.title
    parts = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="quiet">{escape(paper.authors)}. {escape(paper.where)}. The experiments, repeated.</p>',
        _machines(paper, head),
        _how_counted(paper) if is_counted else _TIMED,
        *(f'<p class="quiet">{escape(sentence)}</p>' for sentence in table.missing(cells)),
        *(_section(series, mine, drawn.get(series.name)) for series, mine in measured),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


_TIMED = (
    "<p>Every contestant that ran to its end was compared with Dijkstra's distances before it was timed. Times are "
    "medians from the graph in host memory to all distances, on the GPU for methods that run there; but the "
    "published Floyd-Warshalls begin and end with the matrix in host memory, as in their papers, and the column "
    "'kernels' is the part between the first launch and the end of the last. A time that begins with 'about' is of "
    "a run that was stopped, judged by how many of its sources or pivots were done. Shaded rows are the solvers of "
    "this package; the last column says how many times faster than the best published method that ran.</p>"
)


def _how_counted(paper: Paper) -> str:
    """Describe the counts and the GPUs of the model."""
    names = {name for series in paper.series for one in series.contestants for name, _ in [series.hardware(one.label)]}
    gpus = "".join(f"<li>{escape(GPUS[name].words)}</li>" for name in GPUS if name in names)
    return (
        "<p>The kernels of GPUs ran on the CPU, and what they did was counted: launches; accesses of warps to "
        "global memory, and the 32-byte sectors that they touch; transactions by the rules of capability 1.0 and "
        "1.1, which the GPUs of 2008 had; accesses to shared memory and their bank conflicts with 16 banks; "
        "atomics, and those that meet another on their address in the same warp; branches that divide a warp; "
        "barriers; bytes between host and device. Counts are exact and the same on every machine. Each run was "
        "compared with Dijkstra's distances. Graphs are as large as could be counted in the time; where 'sources' "
        "has a number, rows from so many sources were computed, the same for all. CSV and JSON hold all counts, "
        "JSON those of each kernel. Methods of the CPU have seconds, of the same graphs.</p>"
        "<p>Predicted seconds are the counts in a model of the paper's GPU: launches and copies at a fixed cost "
        "each, bytes over bandwidth, and for each kernel whatever takes longest of its memory traffic by the GPU's "
        "own rules, its instructions, its waiting for answers and its colliding atomics. Where the paper's graph is"
        " larger, launches follow from the loops of the method, and other counts grow as the work does. The "
        "constants were fixed before the errors were looked at; that colliding atomics have a part of their own is "
        "due to the first errors on complete graphs. "
        f"Errors are shown as they are.</p><ul>{gpus}</ul>"
    )


def _machines(paper: Paper, head: Mapping[str, Any]) -> str:
    """Return the descriptions of both machines."""
    then = "".join(f"<li>{escape(words)}</li>" for words in paper.hardware)
    facts = {**head["settings"], **head["facts"]}
    now = "".join(f"<li>{escape(str(name))}: {escape(str(value))}</li>" for name, value in facts.items())
    note = f"<p>{escape(paper.note)}</p>" if paper.note else ""
    return f"<p>The paper measured on</p><ul>{then}</ul><p>here</p><ul>{now}</ul>{note}"


def _section(series: Series, cells: Sequence[Cell], drawn: bytes | None) -> str:
    is_counted = any(cell.counts is not None for cell in cells)
    parts = [f"<h2>{escape(series.title)}</h2>"]
    if is_counted:
        parts.append(_counts(series, cells))
    timed = table.rows(series, cells)
    if timed or not is_counted:
        parts.append(_table(timed))
    if drawn is not None:
        coded = base64.b64encode(drawn).decode()
        parts.append(f'<p><img alt="{escape(series.title)}" src="data:image/svg+xml;base64,{coded}"></p>')
    found = _claims_counted(series, cells) if is_counted else _claims_timed(series, cells)
    if found:
        parts.append(f"<p>What the paper claims</p><ul>{''.join(found)}</ul>")
    left = [
        f"<li>{escape(label)} ({escape(table.which(series, cases))}): {escape(reason)}</li>"
        for label, reason, cases in table.skipped(cells)
    ]
    if left:
        parts.append(f'<p>Not finished</p><ul class="quiet">{"".join(left)}</ul>')
    if series.note:
        parts.append(f'<p class="quiet">{escape(series.note)}</p>')
    return "\n".join(parts)


def _claims_timed(series: Series, cells: Sequence[Cell]) -> list[str]:
    found = [
        f"<li>{escape(claim.text)}: here {escape(table.claim_words(*ratios))}</li>"
        for claim, *ratios in table.claims(series, cells)
    ]
    return found + [f"<li>{escape(words)}: {share:.1%}</li>" for words, share in table.overheads(series, cells)]


def _claims_counted(series: Series, cells: Sequence[Cell]) -> list[str]:
    found = []
    for each in verdicts(series, cells):
        ratios = "".join(f"<li>{escape(words)}</li>" for words in each.ratios)
        inner = f"<ul>{ratios}</ul>" if ratios else " "
        found.append(f"<li>{escape(each.claim.text)}{inner}<em>{escape(each.sentence)}</em></li>")
    return found


def _counts(series: Series, cells: Sequence[Cell]) -> str:
    lines, before = [], ""
    for row in count_rows(series, cells):
        lines.append((row.cell.case != before, count_words(row)))
        before = row.cell.case
    parts = [_html_table(header(series), lines, "counts")]
    predicted = predicted_rows(series, cells)
    if predicted:
        parts.append("<p>Seconds by the model of the paper's GPU, beside the printed ones</p>")
        parts.append(_html_table(PREDICTED, [(False, row) for row in predicted], "predicted"))
    return "\n".join(parts)


def _html_table(heads: Sequence[str], lines: Sequence[tuple[bool, Sequence[str]]], kind: str) -> str:
    """Each row comes with a flag that is true if a case begins."""
    first = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join(
        f'<tr class="{"first" if begins else ""}">{"".join(f"<td>{escape(value)}</td>" for value in line)}</tr>'
        for begins, line in lines
    )
    return (
        f'<div class="scroll"><table class="{kind}"><thead><tr>{first}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _table(rows: Sequence[table.Row]) -> str:
    heads = "".join(f"<th>{escape(name)}</th>" for name in table.HEADER)
    lines, before = [], ""
    for row in rows:
        kinds = [name for name, holds in (("first", row.cell.case != before), ("tuned", row.cell.is_tuned)) if holds]
        before = row.cell.case
        values = "".join(f"<td>{escape(value)}</td>" for value in table.words(row))
        lines.append(f'<tr class="{" ".join(kinds)}">{values}</tr>')
    return f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'
