// The streets as straight segments between points, and the corners of a route.

// Points are the vertices, and behind them the bends, which lie at a share of the way between two vertices.
export function segmentsOf(data) {
  const { n, x, y, arcStart, heads, drawn, missing, bends } = data;
  const inner = bends ? bends.x.length : 0;
  const points = new Float32Array(3 * (n + inner)); // x, y, share
  const ends = new Uint32Array(2 * inner);
  for (let i = 0; i < n; i++) {
    points[3 * i] = x[i];
    points[3 * i + 1] = y[i];
  }
  const joined = new Uint32Array(2 * (heads.length + inner));
  let street = -1, count = 0;
  for (let i = 0; i < n; i++)
    for (let arc = arcStart[i]; arc < arcStart[i + 1]; arc++) {
      if (!drawn[arc]) continue;
      street++;
      const head = heads[arc];
      if (missing && (missing[i] || missing[head])) continue;
      let before = i;
      if (bends && bends.start[street] < bends.start[street + 1]) {
        const shares = sharesOf(data, street, i, head);
        for (let bend = bends.start[street], at = 0; bend < bends.start[street + 1]; bend++) {
          points.set([bends.x[bend], bends.y[bend], shares[at++]], 3 * (n + bend));
          ends.set([i, head], 2 * bend);
          joined[2 * count] = before;
          joined[2 * count++ + 1] = before = n + bend;
        }
      }
      joined[2 * count] = before;
      joined[2 * count++ + 1] = head;
    }
  return { n, points, ends, count, joined: joined.subarray(0, 2 * count) };
}

// How far along the street each of its bends lies, of 1.
function sharesOf({ x, y, bends }, street, tail, head) {
  let whole = 0, lastX = x[tail], lastY = y[tail];
  const away = [];
  const go = (nextX, nextY) => {
    whole += Math.hypot(nextX - lastX, nextY - lastY);
    [lastX, lastY] = [nextX, nextY];
  };
  for (let bend = bends.start[street]; bend < bends.start[street + 1]; bend++) {
    go(bends.x[bend], bends.y[bend]);
    away.push(whole);
  }
  go(x[head], y[head]);
  return away.map(each => each / (whole || 1));
}

// Runs of segments with the boxes around them: those of near places are near.
export function blocksOf({ points, count, joined }, size = 4096) {
  const blocks = [];
  for (let first = 0; first < count; first += size) {
    const block = { first, count: Math.min(size, count - first), left: Infinity, right: -Infinity, low: Infinity, high: -Infinity };
    for (let at = 2 * first; at < 2 * (first + block.count); at++) {
      const x = points[3 * joined[at]], y = points[3 * joined[at] + 1];
      if (x < block.left) block.left = x;
      if (x > block.right) block.right = x;
      if (y < block.low) block.low = y;
      if (y > block.high) block.high = y;
    }
    blocks.push(block);
  }
  return blocks;
}

// The corners of a path of places.
export function cornersOf(data, path) {
  const { x, y, missing, bends } = data, corners = [];
  if (bends) data.streetOf ??= numbered(data);
  for (let p = 0; p < path.length; p++) {
    if (p > 0 && bends) corners.push(...bendsBetween(data, path[p - 1], path[p]));
    if (!missing?.[path[p]]) corners.push([x[path[p]], y[path[p]]]);
  }
  return corners;
}

function numbered({ heads, drawn }) {
  const numbers = new Int32Array(heads.length).fill(-1);
  for (let arc = 0, street = 0; arc < heads.length; arc++) if (drawn[arc]) numbers[arc] = street++;
  return numbers;
}

function bendsBetween({ arcStart, heads, bends, streetOf }, from, to) {
  for (const [tail, head] of [[from, to], [to, from]])
    for (let arc = arcStart[tail]; arc < arcStart[tail + 1]; arc++) {
      const street = streetOf[arc];
      if (heads[arc] !== head || street < 0) continue;
      const found = [];
      for (let bend = bends.start[street]; bend < bends.start[street + 1]; bend++) found.push([bends.x[bend], bends.y[bend]]);
      return tail === from ? found : found.reverse();
    }
  return [];
}
