// What lies on the streets: the route, the sources, its end, the vertex below the pointer, and the scale bar.

import { rounded } from "./colours.mjs";

const MARK = 8;

export function drawOverlay(context, view, marks, colours, ratio) {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, view.width, view.height);
  context.lineJoin = context.lineCap = "round";
  if (marks.route.length > 1) {
    const line = new Path2D();
    marks.route.forEach(([x, y], index) => line[index ? "lineTo" : "moveTo"](...view.toScreen(x, y)));
    stroke(context, line, colours.page, 8);
    stroke(context, line, colours.accent, 4);
  }
  if (marks.target) diamond(context, ...view.toScreen(...marks.target), colours);
  for (const source of marks.sources) disc(context, ...view.toScreen(...source), MARK, colours);
  if (marks.cursor) {
    const ring = new Path2D();
    ring.arc(...view.toScreen(...marks.cursor), MARK + 2, 0, 2 * Math.PI);
    stroke(context, ring, colours.page, 5);
    stroke(context, ring, colours.ink, 2);
  }
}

// The length of the scale bar in pixels, and its text; null if the coordinates have no known unit.
export function scaleBar(view, metresPerStep) {
  if (!metresPerStep) return null;
  const most = (metresPerStep / view.scale) * Math.min(180, view.width / 3);
  let length = rounded(most);
  if (length > most) length = rounded(most / 2.5);
  if (!(length > 0)) return null;
  const text = length >= 1000 ? `${length / 1000} km` : `${Number(length.toPrecision(3))} m`;
  return { pixels: (length / metresPerStep) * view.scale, text };
}

function stroke(context, path, colour, width) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke(path);
}

function disc(context, x, y, radius, colours) {
  const path = new Path2D();
  path.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = colours.accent;
  context.fill(path);
  stroke(context, path, colours.page, 3);
}

function diamond(context, x, y, colours) {
  const path = new Path2D();
  for (const [dx, dy] of [[0, -1], [1, 0], [0, 1], [-1, 0]]) path.lineTo(x + dx * (MARK + 2), y + dy * (MARK + 2));
  path.closePath();
  context.fillStyle = colours.page;
  context.fill(path);
  stroke(context, path, colours.accent, 4);
}
