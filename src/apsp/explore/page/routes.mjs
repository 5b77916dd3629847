// A shortest path, read off the distances: back from its end along arcs that are tight.

const ROUNDING = { int32: 0, float32: 1e-5, float64: 1e-12 };

export class Routes {
  constructor(data, engine) {
    Object.assign(this, { data, engine });
  }

  // The places from one of the sources of the last sweep to `target`, both included; null without a path.
  to(target, sources) {
    if (this.engine.at(target) === Infinity) return null;
    this.#reverse();
    const ends = new Set(sources), seen = new Set([target]), path = [[target, this.#before(target, ends)]];
    while (path.length) {
      const [vertex, tails] = path[path.length - 1];
      if (ends.has(vertex)) return path.map(step => step[0]).reverse();
      const tail = tails.pop();
      if (tail === undefined) path.pop();
      else if (!seen.has(tail)) {
        seen.add(tail);
        path.push([tail, this.#before(tail, ends)]);
      }
    }
    return null;
  }

  // The places that an arc joins to this one, in any direction.
  neighbours(place) {
    this.#reverse();
    const { arcStart, heads } = this.data;
    const ahead = heads.subarray(arcStart[place], arcStart[place + 1]);
    return new Set([...ahead, ...this.tails.subarray(this.inStart[place], this.inStart[place + 1])]);
  }

  // The tails of tight arcs to a vertex, the tightest last.
  #before(vertex, ends) {
    const distance = this.engine.at(vertex), allowed = ROUNDING[this.data.dtype] * distance, found = [];
    for (let at = this.inStart[vertex]; at < this.inStart[vertex + 1]; at++) {
      const tail = this.tails[at];
      if (this.data.zones?.[tail] && !ends.has(tail)) continue;
      const slack = Math.abs(this.engine.at(tail) + this.data.weights[this.arcs[at]] - distance);
      if (slack <= allowed) found.push([slack, tail]);
    }
    return found.sort((a, b) => b[0] - a[0]).map(each => each[1]);
  }

  #reverse() {
    if (this.tails) return;
    const { n, arcStart, heads } = this.data;
    this.inStart = new Int32Array(n + 1);
    for (const head of heads) this.inStart[head + 1]++;
    for (let i = 0; i < n; i++) this.inStart[i + 1] += this.inStart[i];
    const next = this.inStart.slice();
    this.tails = new Int32Array(heads.length);
    this.arcs = new Int32Array(heads.length);
    for (let i = 0; i < n; i++)
      for (let arc = arcStart[i]; arc < arcStart[i + 1]; arc++) {
        const at = next[heads[arc]]++;
        this.tails[at] = i;
        this.arcs[at] = arc;
      }
  }
}
