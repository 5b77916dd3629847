// The factor and the sweeps, in WebAssembly: cpp/explore/wasm/module.cpp.

const ARRAYS = { int32: Int32Array, float32: Float32Array, float64: Float64Array };

export class Engine {
  // Computes the factor of the graph.
  static async of(data) {
    const { instance } = await WebAssembly.instantiate(data.module, {});
    return new Engine(instance.exports, data);
  }

  constructor(wasm, data) {
    this.wasm = wasm;
    this.data = data;
    this.kind = data.dtype;
    this.none = data.dtype === "int32" ? (2 ** 31 - 1 - 1) / 2 : Infinity;
    this.end = wasm.__heap_base.value;
    const Numbers = ARRAYS[this.kind], { n } = data, nodes = data.first.length - 1;
    const [first, rowStart, rows] = [data.first, data.rowStart, data.rows].map(array => this.#kept(array));
    const derived = [n, nodes, nodes].map(count => this.#space(4 * count));
    this.tree = this.#kept(Int32Array.of(n, nodes, first, rowStart, rows, ...derived));
    this.entries = wasm.lay_out(this.tree, ...derived);
    const size = Numbers.BYTES_PER_ELEMENT, most = Math.max(1, wasm.most_rows(this.tree));
    this.values = this.#space(size * this.entries);
    this.line = this.#space(size * n);
    this.above = this.#space(size * most);
    this.met = this.#space(nodes);
    this.shades = this.#space(4 * n);
    const seeds = n + (data.zones ? data.heads.length : 0); // all vertices, and the arcs of zones
    this.seedPlaces = this.#space(4 * seeds);
    this.seedValues = this.#space(size * seeds);
    const kept = this.end;
    const [start, heads] = [data.arcStart, data.heads].map(array => this.#kept(array));
    const weights = this.#kept(data.weights instanceof Numbers ? data.weights : Numbers.from(data.weights));
    const arcs = this.#kept(Int32Array.of(start, heads, weights, data.zones ? this.#kept(data.zones) : 0));
    const scratch = this.#space(size * wasm.factor_scratch(this.tree)), position = this.#space(4 * most);
    wasm[`factorise_${this.kind}`](this.tree, arcs, this.values, this.entries, scratch, position);
    this.end = kept;
    this.distances = new Numbers(wasm.memory.buffer, this.line, n);
    this.shaded = new Float32Array(wasm.memory.buffer, this.shades, n);
    this.places = new Int32Array(wasm.memory.buffer, this.seedPlaces, seeds);
    this.starts = new Numbers(wasm.memory.buffer, this.seedValues, seeds);
  }

  // Computes all distances from the nearest of some places, which differ; then `distances` and `shaded` are of these.
  sweep(sources) {
    let count = 0;
    const seed = (place, value) => {
      this.places[count] = place;
      this.starts[count++] = value;
    };
    for (const source of sources) {
      seed(source, 0);
      if (!this.data.zones?.[source]) continue; // the arcs of a zone are not in the factor
      for (let arc = this.data.arcStart[source]; arc < this.data.arcStart[source + 1]; arc++)
        seed(this.data.heads[arc], this.data.weights[arc]);
    }
    const { wasm } = this;
    wasm[`sweep_${this.kind}`](
      this.tree, this.values, this.seedPlaces, this.seedValues, count, this.line, this.met, this.above);
    wasm[`shade_${this.kind}`](this.line, this.data.n, this.shades);
  }

  // The distance of a place; infinite without a path.
  at(place) {
    const value = this.distances[place];
    return value < this.none ? value : Infinity;
  }

  #space(bytes) {
    const at = this.end;
    this.end = Math.ceil((at + bytes) / 16) * 16;
    const more = this.end - this.wasm.memory.buffer.byteLength;
    if (more > 0) this.wasm.memory.grow(Math.ceil(more / 65536));
    return at;
  }

  #kept(array) {
    const at = this.#space(array.byteLength);
    new Uint8Array(this.wasm.memory.buffer, at, array.byteLength).set(
      new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return at;
  }
}
