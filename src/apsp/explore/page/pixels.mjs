// The streets without WebGL, in the colours of `streets.mjs`. Where the processor emulates WebGL, a picture takes longer
// than a screen waits for the next one, since each pixel of the window is computed. Here those of streets are.

export class Pixels {
  // covered: four numbers per pixel, of which the first two are those of `streets.mjs`, from the lowest row.
  constructor(covered, width, height, { n, points, ends, joined }) {
    let count = 0, whole = 0;
    for (let at = 0; at < covered.length; at += 4) {
      if (!covered[at]) continue;
      count++;
      if (isWhole(covered[at + 1])) whole++;
    }
    this.words = new Int32Array(width * height); // the picture: bytes of red, green, blue and 255, from the top
    for (const name of ["at", "tails", "heads"]) this[name] = new Int32Array(count);
    this.shares = new Float32Array(count);
    this.parts = new Float32Array(count - whole); // of the pixels that a street covers in part, which are the last ones
    const next = [0, whole];
    for (let from = 0; from < covered.length; from += 4) {
      if (!covered[from]) continue;
      const packed = covered[from + 1], pixel = next[isWhole(packed) ? 0 : 1]++;
      const one = joined[2 * covered[from] - 2], two = joined[2 * covered[from] - 1], row = Math.floor(from / 4 / width);
      const bend = one >= n ? one : two, isBend = bend >= n; // both points are of one street
      const first = one >= n ? points[3 * one + 2] : 0, last = two >= n ? points[3 * two + 2] : 1;
      this.at[pixel] = (height - 1 - 2 * row) * width + from / 4;
      this.tails[pixel] = isBend ? ends[2 * (bend - n)] : one;
      this.heads[pixel] = isBend ? ends[2 * (bend - n) + 1] : two;
      this.shares[pixel] = first + ((last - first) * (packed >>> 16)) / WHOLE;
      if (pixel >= whole) this.parts[pixel - whole] = (packed & WHOLE) / WHOLE;
    }
  }

  // Colours (256 of four bytes), and the style of `Streets.draw`.
  colour(distances, { top, low, limit, bands, faint, page }, colours) {
    const { words, at, tails, heads, shares, parts } = this, whole = at.length - parts.length, scale = 255 / top;
    const own = new Int32Array(colours.buffer, colours.byteOffset, 256), beyond = wordOf(faint), empty = wordOf(page);
    if (this.empty !== empty) words.fill(empty);
    this.empty = empty;
    for (let pixel = 0; pixel < at.length; pixel++) {
      const share = shares[pixel]; // in two products, as in WebGL
      const distance = distances[tails[pixel]] * (1 - share) + distances[heads[pixel]] * share;
      let word = beyond;
      if (distance >= low && distance <= limit) {
        let place = distance * scale;
        place = place > 255 ? 255 : place > 0 ? place : 0;
        if (bands > 0) place = ((Math.min(Math.floor((place / 255) * bands), bands - 1) + 0.5) / bands) * 255;
        word = own[(place + 0.5) | 0];
      }
      words[at[pixel]] = pixel < whole ? word : mixed(empty, word, parts[pixel - whole]);
    }
  }
}

const WHOLE = 65535;

function isWhole(packed) {
  return (packed & WHOLE) === WHOLE;
}

// Three shares as the bytes of a pixel.
function wordOf([red, green, blue]) {
  return 0xff000000 | (Math.round(255 * blue) << 16) | (Math.round(255 * green) << 8) | Math.round(255 * red);
}

function mixed(one, two, part) {
  let word = 0xff000000;
  for (let shift = 0; shift < 24; shift += 8) {
    const from = (one >>> shift) & 255, to = (two >>> shift) & 255;
    word |= ((from + (to - from) * part + 0.5) | 0) << shift;
  }
  return word;
}
