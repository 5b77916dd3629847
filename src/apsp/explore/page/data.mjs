// The arrays of the file: see `apsp.explore.sections`, which writes them.

export async function inflated(text) {
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Bytes of the same significance are together: planes.
function joinedPlanes(bytes, start, count, planes, width) {
  const joined = new Uint8Array(count * width);
  for (let plane = 0; plane < planes; plane++) {
    const from = start + plane * count;
    for (let i = 0; i < count; i++) joined[i * width + plane] = bytes[from + i];
  }
  return joined.buffer;
}

export function decoded(bytes, { kind, start, count, planes }) {
  if (kind === "bytes") return bytes.subarray(start, start + count);
  if (kind === "float64") return new Float64Array(joinedPlanes(bytes, start, count, planes, 8));
  if (kind === "float32") return new Float32Array(joinedPlanes(bytes, start, count, planes, 4));
  const numbers = new Int32Array(joinedPlanes(bytes, start, count, planes, 4));
  for (let i = 0; i < count; i++) numbers[i] = (numbers[i] >>> 1) ^ -(numbers[i] & 1); // zigzag
  if (kind === "steps") for (let i = 1; i < count; i++) numbers[i] += numbers[i - 1];
  return numbers;
}

export function starts(counts) {
  const found = new Int32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) found[i + 1] = found[i] + counts[i];
  return found;
}

// Everything that the page knows. Vertices are places in the order of elimination; `order` has their positions.
export async function readData(header, text) {
  const bytes = await inflated(text);
  const has = name => name in header.sections;
  const section = name => decoded(bytes, header.sections[name]);
  const data = { ...header, module: section("module") };
  for (const name of ["order", "x", "y", "rows"]) data[name] = section(name);
  data.first = starts(section("columns"));
  data.rowStart = starts(section("row_counts"));
  data.arcStart = starts(section("degrees"));
  data.heads = section("heads");
  for (let i = 0; i < data.n; i++)
    for (let arc = data.arcStart[i]; arc < data.arcStart[i + 1]; arc++) data.heads[arc] += i;
  data.weights = has("weights") ? section("weights") : new Int32Array(data.heads.length).fill(1);
  if (header.mirrored) mirror(data);
  else data.drawn = section("drawn");
  for (const name of ["zones", "missing"]) data[name] = has(name) ? section(name) : null;
  data.bends = has("bend_counts")
    ? { start: starts(section("bend_counts")), x: section("bend_x"), y: section("bend_y") }
    : null;
  data.names = has("names") ? JSON.parse(new TextDecoder().decode(section("names"))) : null;
  data.place = new Int32Array(data.n);
  for (let i = 0; i < data.n; i++) data.place[data.order[i]] = i;
  return data;
}

// Adds the arcs back, before those that are there; these alone are drawn.
export function mirror(data) {
  const { n, arcStart, heads, weights } = data, counts = new Int32Array(n);
  for (let i = 0; i < n; i++)
    for (let arc = arcStart[i]; arc < arcStart[i + 1]; arc++) {
      counts[i]++;
      counts[heads[arc]]++;
    }
  const start = starts(counts), next = start.slice();
  data.arcStart = start;
  data.heads = new Int32Array(2 * heads.length);
  data.weights = new weights.constructor(2 * heads.length);
  data.drawn = new Uint8Array(2 * heads.length);
  const put = (from, to, arc) => {
    data.heads[next[from]] = to;
    data.weights[next[from]] = weights[arc];
    data.drawn[next[from]++] = from < to ? 1 : 0;
  };
  for (let i = 0; i < n; i++) for (let arc = arcStart[i]; arc < arcStart[i + 1]; arc++) put(heads[arc], i, arc);
  for (let i = 0; i < n; i++) for (let arc = arcStart[i]; arc < arcStart[i + 1]; arc++) put(i, heads[arc], arc);
}

export function nameOf(data, place) {
  const position = data.order[place];
  return data.names ? data.names[position] : String(position);
}
