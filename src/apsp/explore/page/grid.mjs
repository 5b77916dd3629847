// The vertex that is nearest to a point.

export class Grid {
  constructor(x, y, missing) {
    Object.assign(this, { x, y });
    const known = [];
    for (let i = 0; i < x.length; i++) if (!missing?.[i]) known.push(i);
    this.known = known;
    this.box = boxOf(x, y, known);
    const { left, right, low, high } = this.box;
    const area = Math.max(1, right - left) * Math.max(1, high - low);
    this.cell = Math.max(1, Math.sqrt((2 * area) / Math.max(1, known.length)), (right - left) / 4096, (high - low) / 4096);
    this.across = Math.floor((right - left) / this.cell) + 1;
    this.down = Math.floor((high - low) / this.cell) + 1;
    this.start = new Int32Array(this.across * this.down + 1);
    for (const i of known) this.start[this.#cellOf(x[i], y[i]) + 1]++;
    for (let c = 0; c < this.start.length - 1; c++) this.start[c + 1] += this.start[c];
    const next = this.start.slice();
    this.members = new Int32Array(known.length);
    for (const i of known) this.members[next[this.#cellOf(x[i], y[i])]++] = i;
  }

  // There is one: a graph without coordinates has no map.
  nearest(px, py) {
    const column = clamp(Math.floor((px - this.box.left) / this.cell), 0, this.across - 1);
    const row = clamp(Math.floor((py - this.box.low) / this.cell), 0, this.down - 1);
    let best = -1, least = Infinity;
    for (let ring = 0; ; ring++) {
      const beyond = this.#beyond(px, py, column, row, ring);
      if (beyond === Infinity || (best >= 0 && beyond ** 2 > least)) return best;
      const last = Math.min(this.down - 1, row + ring);
      for (let r = Math.max(0, row - ring); r <= last; r++) {
        const step = r === row - ring || r === row + ring ? 1 : Math.max(1, 2 * ring);
        for (let c = column - ring; c <= column + ring; c += step) {
          if (c < 0 || c >= this.across) continue;
          const cell = r * this.across + c;
          for (let at = this.start[cell]; at < this.start[cell + 1]; at++) {
            const i = this.members[at], away = (this.x[i] - px) ** 2 + (this.y[i] - py) ** 2;
            if (away < least) [best, least] = [i, away];
          }
        }
      }
    }
  }

  // No vertex in this ring of cells, or in a wider one, is nearer than this; infinite if there are no such cells.
  #beyond(px, py, column, row, ring) {
    if (ring === 0) return 0;
    const { left, low } = this.box, cell = this.cell;
    return Math.max(0, Math.min(
      column - ring >= 0 ? px - (left + (column - ring + 1) * cell) : Infinity,
      column + ring < this.across ? left + (column + ring) * cell - px : Infinity,
      row - ring >= 0 ? py - (low + (row - ring + 1) * cell) : Infinity,
      row + ring < this.down ? low + (row + ring) * cell - py : Infinity));
  }

  #cellOf(x, y) {
    return Math.floor((y - this.box.low) / this.cell) * this.across + Math.floor((x - this.box.left) / this.cell);
  }
}

export function clamp(value, low, high) {
  return Math.min(high, Math.max(low, value));
}

export function boxOf(x, y, places) {
  let left = Infinity, right = -Infinity, low = Infinity, high = -Infinity;
  for (const i of places) {
    if (x[i] < left) left = x[i];
    if (x[i] > right) right = x[i];
    if (y[i] < low) low = y[i];
    if (y[i] > high) high = y[i];
  }
  return { left, right, low, high };
}
