// How many distances there are of which length: bars on the scale of the legend. A range of them can be chosen; then what
// else is on the map or in the matrix is grey.

import { BARS, beginOf, boundsOf, countsOf } from "./bars.mjs";
import { byId } from "./dom.mjs";
import { counted } from "./numbers.mjs";

export class Histogram {
  // app: `top`, `limit`, `bands` and `colours` as of the legend; number(value), a value of it as text; and
  // brushed(), after another range was chosen.
  constructor(app, one, many) {
    Object.assign(this, { app, one, many, canvas: byId("histogram"), range: null, counts: new Uint32Array(BARS) });
    this.#listen();
  }

  // The chosen values, from the first number and below the second one.
  get bounds() {
    return this.range ? boundsOf(this.range, this.app.top) : [-Infinity, Infinity];
  }

  // How many values are below `none`.
  get total() {
    return this.counts.reduce((sum, count) => sum + count, 0);
  }

  count(values, none) {
    this.counts = countsOf(values, none, this.app.top);
  }

  // mark: the value below the pointer.
  draw(css, mark = Infinity) {
    const { canvas, counts, range, app } = this, { top, limit, bands, colours } = app, { width, height } = canvas;
    const context = canvas.getContext("2d"), most = Math.max(1, ...counts), step = width / BARS;
    context.clearRect(0, 0, width, height);
    counts.forEach((count, bar) => {
      if (!count) return;
      let share = (bar + 0.5) / BARS;
      const chosen = range ? bar >= range[0] && bar <= range[1] : share * top <= limit;
      if (bands > 0) share = (Math.min(Math.floor(share * bands), bands - 1) + 0.5) / bands;
      const at = 4 * Math.round(share * 255), high = Math.max(1, (count / most) * height);
      context.fillStyle = chosen ? `rgb(${colours[at]} ${colours[at + 1]} ${colours[at + 2]})` : css.faint;
      context.fillRect(bar * step, height - high, step - 1, high);
    });
    context.fillStyle = css.accent;
    if (mark < Infinity) context.fillRect(Math.min(width - 2, Math.max(0, (mark / top) * width - 1)), 0, 2, height);
    byId("range").hidden = !range;
    if (range) byId("range-text").textContent = this.words();
  }

  // What the chosen bars count.
  words() {
    const [first, last] = this.range, { top } = this.app, [from, to] = [first, last + 1].map(bar => this.app.number(beginOf(bar, top)));
    let count = 0;
    for (let bar = first; bar <= last; bar++) count += this.counts[bar];
    const where = last < BARS - 1 ? `from ${from} to ${to}` : `from ${from} on`; // the last bar has what is beyond it
    return `${counted(count, this.one, this.many)} ${first > 0 ? where : last < BARS - 1 ? `up to ${to}` : "in all"}`;
  }

  choose(range) {
    if (String(range) === String(this.range)) return;
    this.range = range;
    this.app.brushed();
  }

  #listen() {
    const { canvas } = this;
    let start = null, before = null, moved = false;
    const barAt = event => {
      const box = canvas.getBoundingClientRect();
      return Math.max(0, Math.min(BARS - 1, Math.floor(((event.clientX - box.left) / box.width) * BARS)));
    };
    canvas.addEventListener("pointerdown", event => {
      if (event.button > 0) return;
      canvas.setPointerCapture(event.pointerId);
      [start, before, moved] = [barAt(event), this.range, false];
      this.choose([start, start]);
    });
    canvas.addEventListener("pointermove", event => {
      if (start === null) return;
      const bar = barAt(event);
      moved ||= bar !== start;
      this.choose([Math.min(start, bar), Math.max(start, bar)]);
    });
    canvas.addEventListener("pointerup", () => {
      // A click on a bar that was chosen alone shows all again.
      if (!moved && before && before[0] === start && before[1] === start) this.choose(null);
      start = null;
    });
    canvas.addEventListener("pointercancel", () => (start = null));
    canvas.addEventListener("keydown", event => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (event.key === "Escape") this.choose(null);
      else if (by && event.shiftKey && this.range) this.choose([this.range[0], Math.max(this.range[0], Math.min(BARS - 1, this.range[1] + by))]);
      else if (by) {
        const bar = this.range ? Math.max(0, Math.min(BARS - 1, this.range[by < 0 ? 0 : 1] + by)) : by < 0 ? BARS - 1 : 0;
        this.choose([bar, bar]);
      } else return;
      event.preventDefault();
    });
    byId("range-all").addEventListener("click", () => this.choose(null));
  }
}
