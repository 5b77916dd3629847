// The bars of a histogram.

export const BARS = 64;

// Where bars begin, from 0 to the number of bars.
export function beginOf(bar, top) {
  return (bar / BARS) * top;
}

// Of the values that are below `none`. The ends have what is beyond them, as the colours do.
export function countsOf(values, none, top) {
  const counts = new Uint32Array(BARS), scale = BARS / top, { length } = values, last = BARS - 1;
  const ends = Float64Array.from({ length: BARS + 1 }, (_, bar) => beginOf(bar, top));
  for (let i = 0; i < length; i++) {
    const value = values[i], at = value * scale;
    if (!(value < none)) continue;
    let bar = at >= last ? last : at > 0 ? at | 0 : 0; // which rounding may have moved over an end
    if (bar > 0 && value < ends[bar]) bar--;
    else if (bar < last && value >= ends[bar + 1]) bar++;
    counts[bar]++;
  }
  return counts;
}

// From and below which values a range of bars lies: of all sizes at its ends.
export function boundsOf([first, last], top) {
  return [first === 0 ? -Infinity : beginOf(first, top), last === BARS - 1 ? Infinity : beginOf(last + 1, top)];
}
