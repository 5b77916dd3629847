// Colours of differences: lightness tells how large they are, and blue or orange, which people with any kind of
// colour blindness tell apart, of which sign. In the greys, lightness tells both.

import { drawLegend } from "./legend.mjs";
import { exact, short } from "./numbers.mjs";

const DIVERGING = {
  light: {
    "blue-orange": ["#053061", "#2166ac", "#7da7c9", "#b8b8b8", "#c98f4f", "#b35806", "#6a2f06"],
    greys: ["#cdcdcd", "#b0b0b0", "#969696", "#7a7a7a", "#5e5e5e", "#3e3e3e", "#141414"],
  },
  dark: {
    "blue-orange": ["#a8d8ff", "#4d9de0", "#55708c", "#565656", "#8f6a45", "#e08a2b", "#ffcf8f"],
    greys: ["#3c3c3c", "#565656", "#707070", "#8c8c8c", "#aaaaaa", "#cccccc", "#f6f6f6"],
  },
};

// 256 colours (RGBA) from the largest difference below 0 to that above it.
export function diverging(scale, dark) {
  const stops = DIVERGING[dark ? "dark" : "light"][scale].map(text => [1, 3, 5].map(at => parseInt(text.slice(at, at + 2), 16)));
  const colours = new Uint8Array(256 * 4).fill(255);
  for (let i = 0; i < 256; i++) {
    const at = (i / 255) * (stops.length - 1), low = Math.min(stops.length - 2, Math.floor(at)), part = at - low;
    for (let c = 0; c < 3; c++) colours[4 * i + c] = Math.round(stops[low][c] * (1 - part) + stops[low + 1][c] * part);
  }
  return colours;
}

// All digits of a difference, with its sign.
export function signed(value, unit, text = exact) {
  return `${value > 0 ? "+" : value < 0 ? "\u2212" : ""}${text(Math.abs(value), unit)}`;
}

// The least number of two digits that is not below the value.
export function endOf(value) {
  if (!(value > 0)) return 1;
  const step = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Math.ceil((value / step) * (1 - 1e-9)) * step;
}

export function drawDifferences(canvas, labels, colours, { reach, bands }, unit, faint) {
  drawLegend(canvas, labels, colours, { top: 2, limit: Infinity, bands }, "", faint);
  [-reach, 0, reach].forEach((value, at) => (labels.children[at].textContent = signed(value, at === 2 ? unit : "", short)));
}

// A route below all that is drawn, and around the other one where both are the same.
export function drawBeneath(context, view, corners, colours) {
  if (corners.length < 2) return;
  const line = new Path2D();
  corners.forEach(([x, y], index) => line[index ? "lineTo" : "moveTo"](...view.toScreen(x, y)));
  context.globalCompositeOperation = "destination-over";
  for (const [colour, width] of [[colours.ink, 10], [colours.page, 12]]) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke(line);
  }
  context.globalCompositeOperation = "source-over";
}
