// The page of a graph without coordinates: all distances as a matrix, a row per source.

import { palette } from "./colours.mjs";
import { nameOf, readData } from "./data.mjs";
import { endOf } from "./diverging.mjs";
import { byId, coloursOfPage, dark, isDark, nextFrame } from "./dom.mjs";
import { Engine } from "./engine.mjs";
import { clamp } from "./grid.mjs";
import { Histogram } from "./histogram.mjs";
import { drawLegend } from "./legend.mjs";
import { counted, exact, short } from "./numbers.mjs";
import { listenToPointer } from "./pointer.mjs";
import { Routes } from "./routes.mjs";
import { View } from "./view.mjs";

const A_FRAME = 12; // milliseconds of work between two frames
const FEW = 500; // vertices of a path that are listed
const EDGE = 10; // pixels of the marks of sources

class MatrixApp {
  constructor(data, engine, values) {
    const { n } = data;
    Object.assign(this, { data, engine, values, n, routes: new Routes(data, engine), bands: 0, scale: "viridis" });
    this.view = new View({ left: 0, right: n, low: 0, high: n });
    this.canvas = byId("matrix");
    this.picture = new OffscreenCanvas(n, n);
    this.pixels = new ImageData(n, n);
    this.top = endOf(data.limit ?? this.#longest());
    this.limit = data.limit ?? Infinity;
    byId("limit").value = byId("limit").max * clamp(this.limit / this.top, 0, 1);
    this.histogram = new Histogram(this, "pair", "pairs");
    this.histogram.count(values, engine.none);
    this.sources = data.sources.map(position => data.place[position]);
    this.pointed = null; // the cell below the pointer: row and column of the picture
    this.arrange("tree");
    this.cell = [0, 0];
    if (this.sources.length || data.target !== null) {
      const target = data.target === null ? this.sources[0] : data.place[data.target];
      this.cell = [this.shownAt[this.sources[0] ?? target], this.shownAt[target]];
    }
  }

  // -- what users do ------------------------------------------------------------------------------------------------

  // Rows and columns in the order of elimination, or as the vertices were given. The cell stays on its pair.
  arrange(order) {
    const { n, data } = this, pair = this.cell?.map(index => this.placeOf[index]);
    this.placeOf = order === "tree" ? Int32Array.from({ length: n }, (_, place) => place) : data.place;
    this.shownAt = new Int32Array(n);
    this.placeOf.forEach((place, index) => (this.shownAt[place] = index));
    if (pair) this.cell = pair.map(place => this.shownAt[place]);
    this.pointed = null;
    this.recolour();
  }

  use(px, py) {
    const cell = this.#cellAt(px, py);
    if (cell) this.choose(...cell);
  }

  hover(px, py) {
    this.pointed = this.#cellAt(px, py);
    this.changed();
  }

  leave() {
    this.pointed = null;
    this.changed();
  }

  walk(down, right) {
    const last = this.n - 1;
    this.pointed = null;
    this.choose(clamp(this.cell[0] + down, 0, last), clamp(this.cell[1] + right, 0, last));
    const { view } = this, middle = this.#middle(this.cell), [x, y] = view.toScreen(...middle);
    if (!view.shows(...middle, 30)) view.pan(view.width / 2 - x, view.height / 2 - y);
  }

  choose(row, column) {
    this.cell = [row, column];
    this.summarise();
    byId("said").textContent = this.words(this.cell);
    this.changed();
  }

  find(text) {
    const { names, place, n } = this.data;
    const position = names ? names.indexOf(text) : /^\d+$/.test(text) && Number(text) < n ? Number(text) : -1;
    if (position < 0) byId("said").textContent = `there is no vertex ${text}`;
    else this.choose(this.shownAt[place[position]], this.cell[1]);
  }

  pan(dx, dy) {
    this.view.pan(dx, dy);
    this.changed();
  }

  zoom(factor, px, py) {
    this.view.zoom(factor, px, py);
    this.changed();
  }

  fit() {
    const panel = byId("panel").getBoundingClientRect(), beside = panel.width < innerWidth / 2;
    const buttons = byId("zoom").getBoundingClientRect();
    this.view.fitBeside(beside
      ? { left: panel.right, top: 0, right: innerWidth - buttons.left, bottom: 0 }
      : { left: 0, top: buttons.bottom, right: 0, bottom: innerHeight - panel.top });
    this.changed();
  }

  setLimit(share) {
    this.limit = share >= 1 && this.data.limit === null ? Infinity : share * this.top;
    this.recolour();
  }

  // Another range of the histogram was chosen.
  brushed() {
    this.recolour();
  }

  // There is no source to drag.
  sourceNear() {
    return null;
  }

  // -- what follows -------------------------------------------------------------------------------------------------

  resize() {
    const { canvas } = this;
    this.ratio = Math.min(2, devicePixelRatio || 1);
    canvas.width = Math.max(1, Math.round(canvas.clientWidth * this.ratio));
    canvas.height = Math.max(1, Math.round(canvas.clientHeight * this.ratio));
    this.view.resize(Math.max(1, canvas.clientWidth), Math.max(1, canvas.clientHeight));
    if (!this.view.chosen) this.fit();
    this.changed();
  }

  // Writes the colour of every cell.
  recolour() {
    const { n, values, placeOf, top, limit, bands, engine } = this, { css, faint } = coloursOfPage();
    this.colours = palette(this.scale, isDark());
    const colours = new Uint32Array(this.colours.buffer), cells = new Uint32Array(this.pixels.data.buffer);
    const [low, high] = this.histogram.bounds;
    const none = new Uint32Array(Uint8Array.of(...faint.map(share => Math.round(255 * share)), 255).buffer)[0];
    for (let row = 0, at = 0; row < n; row++) {
      const from = placeOf[row] * n;
      for (let column = 0; column < n; column++, at++) {
        const value = values[from + placeOf[column]];
        let share = Math.min(1, value / top);
        if (bands > 0) share = (Math.min(Math.floor(share * bands), bands - 1) + 0.5) / bands;
        cells[at] = value < engine.none && value <= limit && value >= low && value < high ? colours[Math.round(share * 255)] : none;
      }
    }
    this.picture.getContext("2d").putImageData(this.pixels, 0, 0);
    drawLegend(byId("legend"), byId("ticks"), this.colours, this, this.data.unit, css.faint);
    byId("limit-text").textContent = this.limit === Infinity ? "all" : short(this.limit, this.data.unit);
    let within = 0;
    for (const value of values) if (value < engine.none && value <= limit) within++;
    byId("reached").textContent = counted(within, "pair", "pairs");
    this.changed();
  }

  changed() {
    this.frame ??= requestAnimationFrame(() => this.paint());
  }

  paint() {
    this.frame = null;
    const { canvas, view, n, ratio } = this, context = canvas.getContext("2d"), { css } = coloursOfPage();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = css.page;
    context.fillRect(0, 0, view.width, view.height);
    const [left, top] = view.toScreen(0, n);
    context.imageSmoothingEnabled = view.scale < 1;
    context.drawImage(this.picture, left, top, n * view.scale, n * view.scale);
    context.fillStyle = css.accent;
    for (const source of this.sources)
      context.fillRect(left - EDGE - 2, top + this.shownAt[source] * view.scale, EDGE, Math.max(2, view.scale));
    this.#frameOf(context, this.cell, css.accent, css.page);
    if (this.pointed) this.#frameOf(context, this.pointed, css.ink, css.page);
    this.histogram.draw(css, this.pointed ? this.valueOf(this.pointed) : Infinity);
    this.#showHover();
  }

  summarise() {
    const [source, target] = this.cell.map(index => this.placeOf[index]), { data, engine } = this;
    byId("from").textContent = nameOf(data, source);
    byId("to").textContent = nameOf(data, target);
    byId("distance").textContent = this.textOf(this.cell);
    engine.sweep([source]);
    const path = this.routes.to(target, [source]);
    byId("links").textContent = path ? counted(path.length - 1, "link", "links") : "";
    byId("path").hidden = !path;
    const items = (path ?? []).slice(0, FEW).map(place => {
      const item = document.createElement("li");
      item.textContent = `${nameOf(data, place)}: ${exact(engine.at(place), data.unit)}`;
      return item;
    });
    byId("path-list").replaceChildren(...items);
    byId("path-more").textContent = path && path.length > FEW ? `and ${counted(path.length - FEW, "more", "more")}` : "";
  }

  // The distance of a cell; infinite without a path.
  valueOf([row, column]) {
    const value = this.values[this.placeOf[row] * this.n + this.placeOf[column]];
    return value < this.engine.none ? value : Infinity;
  }

  // A value of the scale.
  number(value) {
    return short(value, this.data.unit);
  }

  textOf(cell) {
    return exact(this.valueOf(cell), this.data.unit);
  }

  words(cell) {
    const [from, to] = cell.map(index => nameOf(this.data, this.placeOf[index]));
    return `${this.data.label} from ${from} to ${to}: ${this.textOf(cell)}`;
  }

  // -- parts of these -----------------------------------------------------------------------------------------------

  #longest() {
    let most = 0;
    for (const value of this.values) if (value > most && value < this.engine.none) most = value;
    return most;
  }

  #cellAt(px, py) {
    const [x, y] = this.view.toPlane(px, py), cell = [Math.floor(this.n - y), Math.floor(x)];
    return cell.every(index => index >= 0 && index < this.n) ? cell : null;
  }

  #middle([row, column]) {
    return [column + 0.5, this.n - row - 0.5];
  }

  // A frame around a cell, which is seen around small cells, too.
  #frameOf(context, [row, column], colour, around) {
    const [x, y] = this.view.toScreen(...this.#middle([row, column])), half = Math.max(4, this.view.scale / 2 + 1);
    for (const [style, width] of [[around, 4], [colour, 2]]) {
      context.strokeStyle = style;
      context.lineWidth = width;
      context.strokeRect(x - half, y - half, 2 * half, 2 * half);
    }
  }

  #showHover() {
    const hover = byId("hover");
    hover.hidden = !this.pointed;
    if (!this.pointed) return;
    const [from, to] = this.pointed.map(index => nameOf(this.data, this.placeOf[index]));
    hover.firstElementChild.textContent = `${from} \u2192 ${to}`;
    hover.lastElementChild.textContent = this.textOf(this.pointed);
    const [x, y] = this.view.toScreen(...this.#middle(this.pointed));
    hover.style.left = `${clamp(x + 14, 4, Math.max(4, this.view.width - hover.offsetWidth - 4))}px`;
    hover.style.top = `${clamp(y + 14, 4, Math.max(4, this.view.height - hover.offsetHeight - 4))}px`;
  }
}

const MOVES = {
  ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-10, 0], PageDown: [10, 0],
  Home: [0, -Infinity], End: [0, Infinity],
};

function listenToMatrix(app) {
  app.canvas.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = MOVES[event.key];
    if (move && event.shiftKey) app.pan(-80 * clamp(move[1], -1, 1), -80 * clamp(move[0], -1, 1));
    else if (move) app.walk(...move);
    else if (event.key === "+" || event.key === "=") app.zoom(1.5);
    else if (event.key === "-") app.zoom(1 / 1.5);
    else if (event.key === "0") app.fit();
    else return;
    event.preventDefault();
  });
  byId("order").addEventListener("change", event => app.arrange(event.target.value));
  byId("limit").addEventListener("input", event => app.setLimit(event.target.value / event.target.max));
  byId("bands").addEventListener("change", event => {
    app.bands = Number(event.target.value);
    app.recolour();
  });
  byId("colours").addEventListener("change", event => {
    app.scale = event.target.value;
    app.recolour();
  });
  byId("find").addEventListener("submit", event => {
    event.preventDefault();
    app.find(byId("find-text").value.trim());
  });
  byId("closer").addEventListener("click", () => app.zoom(1.5));
  byId("wider").addEventListener("click", () => app.zoom(1 / 1.5));
  byId("whole").addEventListener("click", () => app.fit());
  byId("more").addEventListener("toggle", () => app.view.chosen || app.resize());
  for (const each of [byId("theme"), dark]) each.addEventListener("change", () => (showTheme(), app.recolour()));
  new ResizeObserver(() => app.resize()).observe(app.canvas);
}

function showTheme() {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
}

// All distances, from place to place.
async function matrixOf(engine, n) {
  const values = new engine.distances.constructor(n * n);
  for (let source = 0, since = performance.now(); source < n; source++) {
    engine.sweep([source]);
    values.set(engine.distances, source * n);
    if (performance.now() - since < A_FRAME) continue;
    byId("wait").textContent = `Computing row ${source + 1} of ${n}\u2026`;
    await nextFrame();
    since = performance.now();
  }
  return values;
}

async function startMatrix() {
  const data = await readData(JSON.parse(byId("header").textContent), byId("arrays").textContent);
  byId("arrays").remove();
  showTheme();
  await nextFrame();
  const engine = await Engine.of(data), app = new MatrixApp(data, engine, await matrixOf(engine, data.n));
  listenToMatrix(app);
  listenToPointer(app.canvas, app);
  app.summarise();
  app.resize();
  await nextFrame();
  byId("wait").hidden = true;
  document.documentElement.dataset.ready = "yes";
  return app;
}

globalThis.explored = startMatrix().catch(error => {
  byId("wait").textContent = `This matrix cannot be shown here: ${error.message}`;
  throw error;
});
