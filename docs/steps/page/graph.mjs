// The graph: arcs with their lengths, vertices with the distances of one row.

import { activeIn, isFollowed } from "./trace.mjs";

const RADIUS = 15, SPACE = "http://www.w3.org/2000/svg";

export function drawGraph(svg, places, trace, state, source) {
  const active = activeIn(state, source), { step } = state, twins = new Set(trace.arcs.map(([u, v]) => `${u} ${v}`));
  const shapes = [];
  for (const [tail, head] of state.fill) shapes.push(element("path", { class: "fill", d: curve(places, tail, head, 34).line }));
  trace.arcs.forEach(([tail, head], at) => {
    const on = isFollowed([tail, head], step, active) ? " on" : "";
    const { line, tip, middle } = curve(places, tail, head, twins.has(`${head} ${tail}`) ? 16 : 0);
    shapes.push(element("path", { class: `arc${on}`, d: line }), element("path", { class: `arrow${on}`, d: tip }));
    shapes.push(element("text", { class: `length${on}`, x: middle[0], y: middle[1] }, state.lengths[at]));
  });
  places.forEach((_, v) => shapes.push(vertex(places, state, source, active, v)));
  svg.replaceChildren(...shapes);
  const busy = [...active].join(", ");
  svg.setAttribute("aria-label", `The graph: ${places.length} vertices, ${trace.arcs.length} arcs. Active: ${busy || "none"}.`);
}

// What stands at a vertex: the row of the method that is shown there, or that of the matrix.
export function valueAt(state, source, v) {
  return state.label ? state.label[1][v] : state.values[source * state.n + v];
}

function vertex(places, state, source, active, v) {
  const [x, y] = spotOf(places, v), { step } = state, value = valueAt(state, source, v);
  const names = ["vertex"];
  if (active.has(v)) names.push("active");
  if (step?.now?.includes(v)) names.push("now");
  if (step?.done?.includes(v)) names.push("done");
  if (state.changed.has(source * state.n + v)) names.push("set");
  const group = element("g", { class: names.join(" ") });
  group.append(
    element("circle", { cx: x, cy: y, r: RADIUS }), element("text", { class: "name", x, y }, v),
    element("text", { class: "value", x: x - RADIUS - 7, y: y - RADIUS - 3 }, value ?? "\u221e"));
  return group;
}

// A line between two circles, bent to its right, with its arrow and its middle.
function curve(places, tail, head, bend) {
  const [x, y] = spotOf(places, tail), [u, v] = spotOf(places, head), long = Math.hypot(u - x, v - y);
  const across = [-(v - y) / long, (u - x) / long], middle = [(x + u) / 2 + bend * across[0], (y + v) / 2 + bend * across[1]];
  const from = towards([x, y], middle, RADIUS), to = towards([u, v], middle, RADIUS + 7), tip = towards([u, v], middle, RADIUS + 1);
  const side = [(tip[1] - to[1]) * 0.7, (to[0] - tip[0]) * 0.7];
  const points = [tip, [to[0] + side[0], to[1] + side[1]], [to[0] - side[0], to[1] - side[1]]];
  const shown = bend ? [(from[0] + to[0]) / 4 + middle[0] / 2, (from[1] + to[1]) / 4 + middle[1] / 2] : middle;
  return { line: `M${from}Q${middle} ${to}`, tip: `M${points.join("L")}Z`, middle: shown };
}

function towards([x, y], [u, v], distance) {
  const long = Math.hypot(u - x, v - y);
  return [x + (distance * (u - x)) / long, y + (distance * (v - y)) / long];
}

function spotOf(places, v) {
  return [40 + 112 * places[v][0], 44 + 106 * places[v][1]];
}

function element(name, attributes, text) {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}
