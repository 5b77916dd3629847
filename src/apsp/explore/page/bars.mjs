// The bars of a histogram.

export const BARS = 64;

// Of the values that are below `none`. The ends have what is beyond them, as the colours do.
export function countsOf(values, none, top) {
  const counts = new Uint32Array(BARS), scale = BARS / top, { length } = values;
  for (let i = 0; i < length; i++) {
    const value = values[i];
    if (!(value < none)) continue;
    let bar = Math.floor(value * scale); // which rounding may have moved over an end
    if (value < (bar / BARS) * top) bar--;
    else if (value >= ((bar + 1) / BARS) * top) bar++;
    counts[Math.max(0, Math.min(BARS - 1, bar))]++;
  }
  return counts;
}

// From and below which values a range of bars lies: of all sizes at its ends.
export function boundsOf([first, last], top) {
  return [first === 0 ? -Infinity : (first / BARS) * top, last === BARS - 1 ? Infinity : ((last + 1) / BARS) * top];
}
