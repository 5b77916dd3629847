// Numbers as text.

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

// All digits of a distance.
export function exact(value, unit) {
  if (value === Infinity) return "no path";
  const text = Number.isInteger(value) ? grouped.format(value) : String(value);
  return unit ? `${text} ${unit}` : text;
}

// A value of a legend or a slider.
export function short(value, unit) {
  const text = Number.isInteger(value) ? grouped.format(value) : String(Number(value.toPrecision(4)));
  return unit ? `${text} ${unit}` : text;
}

export function counted(count, one, many) {
  return `${grouped.format(count)} ${count === 1 ? one : many}`;
}
