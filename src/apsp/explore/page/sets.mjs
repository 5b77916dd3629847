// Several weights of one network. The factor of a set is computed when it is first shown; as many are kept as fit.

import { decoded, inflated } from "./data.mjs";
import { Engine } from "./engine.mjs";
import { Routes } from "./routes.mjs";
import { NO_PATH } from "./streets.mjs";

export class Sets {
  static async of(data, text) {
    return new Sets(data, await inflated(text), await WebAssembly.compile(data.module));
  }

  constructor(data, bytes, module) {
    Object.assign(this, { data, bytes, module, known: new Map() });
  }

  has(number) {
    return this.known.has(number);
  }

  // The name of a set, its engine and its routes; the sets `beside` it are kept.
  async get(number, beside = []) {
    let found = this.known.get(number);
    if (!found) {
      for (const old of [...this.known.keys()])
        if (this.known.size >= this.data.sets.held && !beside.includes(old)) this.known.delete(old);
      found = await this.#made(number);
    }
    this.known.delete(number);
    this.known.set(number, found); // behind those that were used before
    return found;
  }

  async #made(number) {
    const { names, kinds } = this.data.sets;
    const data = Object.assign(Object.create(this.data), { dtype: kinds[number], weights: this.weightsOf(number) });
    const engine = new Engine((await WebAssembly.instantiate(this.module, {})).exports, data);
    return { number, name: names[number], engine, routes: new Routes(data, engine) };
  }

  // The file has the weights of the first set; of the others it has, if both are integers, the differences to these.
  weightsOf(number) {
    const { data } = this, { kinds, sections } = data.sets;
    if (number === 0) return data.weights;
    const stored = decoded(this.bytes, sections[number]), found = data.mirrored ? bothWays(data, stored) : stored;
    if (kinds[0] === "int32" && kinds[number] === "int32")
      for (let arc = 0; arc < found.length; arc++) found[arc] += data.weights[arc];
    return found;
  }
}

// The weights of edges for the arcs of `mirror`.
export function bothWays({ n, arcStart, heads, drawn }, weights) {
  const found = new weights.constructor(heads.length), next = arcStart.slice();
  for (let i = 0, edge = 0; i < n; i++)
    for (let arc = arcStart[i]; arc < arcStart[i + 1]; arc++)
      if (drawn[arc]) found[arc] = found[next[heads[arc]]++] = weights[edge++];
  return found;
}

// What is shown of the sets, as an engine: the distances of one, or with `other` the differences to another.
export class Shown {
  constructor(n, chosen) {
    Object.assign(this, { chosen, other: null, reach: 1, shades: new Float32Array(n) });
  }

  sweep(sources) {
    this.chosen.engine.sweep(sources);
    if (this.other && this.other !== this.chosen) this.other.engine.sweep(sources);
    this.shade();
  }

  get shaded() {
    return this.other ? this.shades : this.chosen.engine.shaded;
  }

  at(place) {
    return this.chosen.engine.at(place);
  }

  // NaN unless both sets have a path.
  difference(place) {
    const one = this.chosen.engine.at(place), two = this.other.engine.at(place);
    return one === Infinity || two === Infinity ? NaN : one - two;
  }

  // From 0 to 2: a difference of 0 is 1, and that of `reach` 2.
  shade() {
    if (!this.other) return;
    for (let place = 0; place < this.shades.length; place++) {
      const value = this.difference(place);
      this.shades[place] = Number.isNaN(value) ? NO_PATH : 1 + value / this.reach;
    }
  }

  // The largest difference, and how many are above, below and at 0.
  differences() {
    let largest = 0, more = 0, less = 0, equal = 0;
    for (let place = 0; place < this.shades.length; place++) {
      const value = this.difference(place);
      if (value > 0) more++;
      else if (value < 0) less++;
      else if (value === 0) equal++;
      if (Math.abs(value) > largest) largest = Math.abs(value);
    }
    return { largest, more, less, equal };
  }
}
