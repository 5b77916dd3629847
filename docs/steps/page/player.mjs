// The controls: choose a method, step, play. The address says which step is shown, so that it can be sent.

import { drawGraph } from "./graph.mjs";
import { drawArrays, drawLegend, drawMatrix } from "./matrix.mjs";
import { stageOf, stateAt } from "./trace.mjs";

const PAUSE = 1600;

export class Player {
  constructor(parts, { places, traces }) {
    Object.assign(this, { parts, places, traces, at: 0, source: 0, timer: null });
    parts.method.replaceChildren(...traces.map(trace => option(trace.title, trace.name)));
    parts.method.addEventListener("change", () => {
      this.choose(parts.method.value);
      this.go(0);
    });
    parts.stage.addEventListener("change", () => this.go(this.trace.stages[parts.stage.value][0] + 1));
    parts.range.addEventListener("input", () => this.go(Number(parts.range.value)));
    parts.first.addEventListener("click", () => this.go(0));
    parts.back.addEventListener("click", () => this.go(this.at - 1));
    parts.forward.addEventListener("click", () => this.go(this.at + 1));
    parts.last.addEventListener("click", () => this.go(this.trace.steps.length));
    parts.play.addEventListener("click", () => this.play(this.timer === null));
    parts.root.addEventListener("keydown", event => this.#key(event));
  }

  // What an address names, as in #katz-kider/5; other anchors belong to the rest of the page.
  open(hash) {
    const [name, at] = hash.slice(1).split("/");
    if (this.traces.some(trace => trace.name === name)) this.choose(name, Number(at));
  }

  // By name, at a step; the address stays as it is.
  choose(name, at = 0) {
    this.play(false);
    this.trace = this.traces.find(trace => trace.name === name);
    this.parts.method.value = name;
    this.parts.stage.replaceChildren(...this.trace.stages.map(([, words], number) => option(words, number)));
    this.parts.range.max = this.trace.steps.length;
    this.parts.paper.textContent = this.trace.paper;
    this.#show(at);
  }

  // To a step, 0 before the first; a step that the reader chooses ends the playing.
  go(at) {
    this.play(false);
    this.#show(at);
    try {
      history.replaceState(null, "", `#${this.trace.name}/${this.at}`);
    } catch {
      // Browsers limit how often an address changes, as while a key is held down; the next step writes it.
    }
  }

  play(on) {
    clearInterval(this.timer);
    this.timer = null;
    if (on) {
      if (this.at === this.trace.steps.length) this.#show(0);
      this.timer = setInterval(() => {
        this.#show(this.at + 1);
        if (this.at === this.trace.steps.length) this.play(false);
      }, PAUSE);
    }
    this.parts.said.setAttribute("aria-live", on ? "off" : "polite");
    this.parts.play.setAttribute("aria-pressed", on);
    this.parts.play.textContent = on ? "II" : "\u25b6\ufe0e\u25b6\ufe0e";
  }

  #show(at) {
    const { parts, trace } = this, most = trace.steps.length;
    this.at = Math.min(Math.max(Number.isInteger(at) ? at : 0, 0), most);
    const state = stateAt(trace, this.at), { step } = state, source = step?.source ?? this.source;
    parts.say.textContent = step?.say ?? "Before the first step. The graph has the lengths of its arcs; each vertex shows its distance from one source.";
    parts.where.textContent = step ? `${step.where}. ${step.launch}.` : "";
    parts.count.textContent = `${this.at} of ${most}`;
    parts.range.value = this.at;
    parts.range.setAttribute("aria-valuetext", `step ${this.at} of ${most}`);
    parts.stage.value = stageOf(trace, this.at);
    parts.first.disabled = parts.back.disabled = this.at === 0;
    parts.last.disabled = parts.forward.disabled = this.at === most;
    parts.shown.textContent = state.label ? `At the vertices: ${state.label[0]}.` : `At the vertices: row ${source} of the matrix.`;
    drawGraph(parts.graph, this.places, trace, state, source);
    drawMatrix(parts.matrix, trace, state, source, row => this.#choose(row));
    drawLegend(parts.legend, trace, state);
    drawArrays(parts.table, state);
  }

  // The row in the graph; its button keeps the focus.
  #choose(row) {
    this.source = row;
    this.#show(this.at);
    this.parts.matrix.querySelectorAll("button")[row].focus();
  }

  #key(event) {
    const kind = event.target.tagName, stage = stageOf(this.trace, this.at);
    if (event.ctrlKey || event.metaKey || event.altKey || /SELECT|INPUT/.test(kind) || event.target.matches(".steps-scroll")) return;
    if (event.key === "ArrowRight") this.go(this.at + 1);
    else if (event.key === "ArrowLeft") this.go(this.at - 1);
    else if (event.key === "Home") this.go(0);
    else if (event.key === "End") this.go(this.trace.steps.length);
    else if (event.key === "PageDown") this.go((this.trace.stages[stage + (this.at > 0)]?.[0] ?? this.trace.steps.length - 1) + 1);
    else if (event.key === "PageUp") this.go((this.trace.stages[stage - 1]?.[0] ?? -1) + 1);
    else if (event.key === " " && kind !== "BUTTON") this.play(this.timer === null);
    else return;
    event.preventDefault();
  }
}

function option(words, value) {
  const made = document.createElement("option");
  made.textContent = words;
  made.value = value;
  return made;
}
