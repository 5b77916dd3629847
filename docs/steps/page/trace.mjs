// What a trace holds after some of its steps: steps store changes only, so they are replayed from the start.

export function stateAt(trace, at) {
  const n = trace.start.length, values = trace.start.flat(), step = at > 0 ? trace.steps[at - 1] : null;
  let lengths = trace.arcs.map(arc => arc[2]), fill = [], table = null, label = null;
  for (const each of trace.steps.slice(0, at)) {
    for (const [cell, value] of pairs(each.set)) values[cell] = value;
    lengths = each.lengths ?? lengths;
    fill = fill.concat(each.fill ?? []);
  }
  if (step?.table) [table, label] = [step.table, step.label === undefined ? null : step.table[step.label]];
  return {
    n, values, lengths, fill, table, label, step, changed: new Set(pairs(step?.set).map(([cell]) => cell)),
    pending: new Map(pairs(step?.pending)), marks: new Set(step?.marks ?? []),
  };
}

// The vertices at work: those of the step, or the marked ones of a row.
export function activeIn(state, source) {
  if (state.step?.active) return new Set(state.step.active);
  return new Set([...state.marks].filter(cell => Math.floor(cell / state.n) === source).map(cell => cell % state.n));
}

// Whether an arc is followed in the step.
export function isFollowed([tail, head], step, active) {
  if (step?.arcs === "out") return active.has(tail);
  return step?.arcs === "through" && (active.has(tail) || active.has(head));
}

// How each cell is used: the classes of rectangles that it lies in.
export function rolesOf(state) {
  const roles = Array.from({ length: state.n * state.n }, () => new Set()), { read, write, gpus, sent } = state.step ?? {};
  const cover = (name, [row, column, height, width]) => {
    for (let i = row; i < row + height; i++)
      for (let j = column; j < column + width; j++) roles[i * state.n + j].add(name);
  };
  for (const each of read ?? []) cover("read", each);
  for (const each of write ?? []) cover("write", each);
  for (const each of sent ?? []) cover("sent", each);
  for (const [gpu, each] of gpus ?? []) cover(`gpu${gpu}`, each);
  return roles;
}

// The part that a step belongs to.
export function stageOf(trace, at) {
  return Math.max(0, trace.stages.findLastIndex(([first]) => first < at));
}

function pairs(list) {
  return Array.from({ length: (list?.length ?? 0) / 2 }, (_, at) => [list[2 * at], list[2 * at + 1]]);
}
