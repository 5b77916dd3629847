// The matrix as a table, its legend, and the arrays of a step.

import { rolesOf } from "./trace.mjs";

const WORDS = {
  read: "read", write: "computed", gpu0: "GPU 0", gpu1: "GPU 1", gpu2: "GPU 2", gpu3: "GPU 3", sent: "sent", set: "changed", pending: "updated cost",
  mark: "marked",
};

export function drawMatrix(table, trace, state, source, choose) {
  const { n } = state, roles = rolesOf(state), head = row();
  head.append(cell("th", ""), ...Array.from({ length: n }, (_, v) => heading(v, "col")));
  const body = Array.from({ length: n }, (_, i) => {
    const made = row(), first = heading("", "row"), button = document.createElement("button");
    button.type = "button";
    button.textContent = i;
    button.ariaLabel = `Show row ${i} in the graph`;
    button.setAttribute("aria-pressed", i === source);
    button.addEventListener("click", () => choose(i));
    first.append(button);
    made.append(first, ...Array.from({ length: n }, (_, j) => entry(trace, state, roles, i, j)));
    return made;
  });
  const caption = document.createElement("caption");
  caption.className = "steps-hidden";
  caption.textContent = "The matrix: rows are sources, columns are targets";
  table.replaceChildren(caption, head, ...body);
}

export function drawLegend(legend, trace, state) {
  const roles = new Set(rolesOf(state).flatMap(each => [...each]));
  if (state.changed.size) roles.add("set");
  if (state.pending.size) roles.add("pending");
  if (state.marks.size) roles.add("mark");
  legend.replaceChildren(...Object.keys(WORDS).filter(name => roles.has(name)).map(name => {
    const made = cell("span", WORDS[name]);
    made.className = name;
    return made;
  }));
}

// Arrays with a value per vertex, or lines of words.
export function drawArrays(table, state) {
  const rows = (state.table ?? []).map(([name, values]) => {
    const made = row();
    made.append(heading(name, "row"));
    if (typeof values === "string") {
      const words = cell("td", values);
      words.className = "words";
      made.append(words);
    } else made.append(...values.map(value => cell("td", value ?? "\u221e")));
    return made;
  });
  if (rows.length && typeof state.table[0][1] !== "string") {
    const head = row();
    head.append(heading("vertex", "row"), ...Array.from({ length: state.n }, (_, v) => heading(v, "col")));
    rows.unshift(head);
  }
  table.replaceChildren(...rows);
}

function entry(trace, state, roles, i, j) {
  const at = i * state.n + j, value = state.pending.has(at) ? state.pending.get(at) : state.values[at];
  const made = cell("td", value ?? trace.none), names = [...roles[at]];
  if (value === null) names.push("none");
  if (state.changed.has(at)) names.push("set");
  if (state.pending.has(at)) names.push("pending");
  if (state.marks.has(at)) names.push("mark");
  if (trace.tile && i % trace.tile === 0) names.push("above");
  if (trace.tile && j % trace.tile === 0) names.push("left");
  if (trace.tile && i === state.n - 1) names.push("below");
  if (trace.tile && j === state.n - 1) names.push("right");
  made.className = names.join(" ");
  return made;
}

function row() {
  return document.createElement("tr");
}

function cell(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function heading(text, scope) {
  const made = cell("th", text);
  made.scope = scope;
  return made;
}
