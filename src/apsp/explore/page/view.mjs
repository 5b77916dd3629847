// What part of the plane the window shows: its middle, and pixels per step of the coordinates.

import { clamp } from "./grid.mjs";

const CLOSEST = 64; // pixels per step of the file

export class View {
  constructor(box) {
    this.box = box;
    this.resize(1, 1);
  }

  // Shows everything if nothing else was chosen.
  resize(width, height) {
    Object.assign(this, { width, height });
    if (!this.chosen) this.fit();
  }

  fit() {
    const { left, right, low, high } = this.box, room = 0.92;
    this.x = (left + right) / 2;
    this.y = (low + high) / 2;
    this.whole = room * Math.min(this.width / Math.max(1, right - left), this.height / Math.max(1, high - low));
    this.scale = this.whole;
    this.chosen = false;
  }

  // Everything, beside what covers the window: margins in pixels.
  fitBeside({ left, top, right, bottom }) {
    const { width, height } = this;
    this.width = Math.max(80, width - left - right);
    this.height = Math.max(80, height - top - bottom);
    this.fit();
    Object.assign(this, { width, height });
    this.x -= (left - right) / 2 / this.scale;
    this.y += (top - bottom) / 2 / this.scale;
  }

  toScreen(x, y) {
    return [(x - this.x) * this.scale + this.width / 2, this.height / 2 - (y - this.y) * this.scale];
  }

  toPlane(px, py) {
    return [(px - this.width / 2) / this.scale + this.x, (this.height / 2 - py) / this.scale + this.y];
  }

  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y += dy / this.scale;
    this.chosen = true;
  }

  // The point of the plane below (px, py) stays there.
  zoom(factor, px = this.width / 2, py = this.height / 2) {
    const [x, y] = this.toPlane(px, py);
    this.scale = clamp(this.scale * factor, this.whole / 4, Math.max(CLOSEST, this.whole));
    const [nowX, nowY] = this.toPlane(px, py);
    this.x += x - nowX;
    this.y += y - nowY;
    this.chosen = true;
  }

  shows(x, y, margin = 0) {
    const [px, py] = this.toScreen(x, y);
    return px >= margin && py >= margin && px <= this.width - margin && py <= this.height - margin;
  }
}
