// The scale of colours with its numbers.

import { short } from "./numbers.mjs";

const shownIn = new WeakMap(); // what each canvas shows: pictures of other sources have the same legend

export function drawLegend(canvas, labels, colours, { top, limit, bands }, unit, faint) {
  const shows = [top, limit, bands, unit, faint, colours].join();
  if (shownIn.get(canvas) === shows) return;
  shownIn.set(canvas, shows);
  const context = canvas.getContext("2d"), { width, height } = canvas;
  for (let x = 0; x < width; x++) {
    let share = x / (width - 1);
    if (bands > 0) share = (Math.min(Math.floor(share * bands), bands - 1) + 0.5) / bands;
    const at = 4 * Math.round(share * 255);
    context.fillStyle = (x / (width - 1)) * top > limit ? faint : `rgb(${colours[at]} ${colours[at + 1]} ${colours[at + 2]})`;
    context.fillRect(x, 0, 1, height);
  }
  labels.replaceChildren(
    ...[0, 0.5, 1].map(share => {
      const label = document.createElement("span");
      label.textContent = short(share * top, share === 1 ? unit : "");
      return label;
    }));
}
