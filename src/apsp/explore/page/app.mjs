// The state of the page: sources, the end of a route, the vertex below the pointer, the view; and what follows from it.

import { palette, rounded } from "./colours.mjs";
import { nameOf } from "./data.mjs";
import { Engine } from "./engine.mjs";
import { clamp, Grid } from "./grid.mjs";
import { Histogram } from "./histogram.mjs";
import { neighbourTowards } from "./keyboard.mjs";
import { drawLegend } from "./legend.mjs";
import { counted, exact, short } from "./numbers.mjs";
import { drawOverlay, scaleBar } from "./overlay.mjs";
import { Pace } from "./pace.mjs";
import { Routes } from "./routes.mjs";
import { cornersOf, segmentsOf } from "./segments.mjs";
import { NO_PATH, Streets } from "./streets.mjs";
import { View } from "./view.mjs";

const MOST_LISTED = 500; // vertices of a route
const MOST_NAMED = 12; // sources
const AT_REST = 150; // milliseconds without a move
const AFTER_RANGE = 1e-6; // of the scale: what is at the end of a range belongs to the next one

export class App {
  constructor(data, parts) {
    Object.assign(this, { data, parts });
    this.grid = new Grid(data.x, data.y, data.missing);
    this.view = new View(this.grid.box);
    this.segments = segmentsOf(data);
    this.streets = new Streets(parts.map, parts.plain, this.segments);
    this.pace = new Pace();
    this.base = clamp(260 / Math.sqrt(Math.max(1, this.segments.count)), 0.8, 3);
    this.sources = data.sources.length ? data.sources.map(position => data.place[position]) : [this.#middle()];
    this.target = data.target === null ? -1 : data.place[data.target];
    this.cursor = -1;
    this.tool = "source";
    this.follow = false;
    this.bands = 0;
    this.scale = "viridis";
    this.limit = this.top = 1;
    this.due = {};
    this.histogram = new Histogram(this, "vertex", "vertices");
    this.resize();
  }

  async open() {
    this.start(await Engine.of(this.data));
  }

  start(engine) {
    this.engine = engine;
    this.routes = new Routes(this.data, engine);
    this.#sweep();
    this.top = rounded(this.data.limit ?? this.farthest());
    this.limit = this.data.limit ?? Infinity;
    this.parts.limit.value = this.parts.limit.max * clamp(this.limit / this.top, 0, 1);
    this.restyle();
    this.setFollow(this.data.sources.length === 0 && !matchMedia("(pointer: coarse)").matches);
    this.changed({ sources: true });
  }

  // -- what users do ------------------------------------------------------------------------------------------------

  use(px, py, tool = this.tool) {
    const place = this.#below(px, py);
    if (place >= 0) this.useAt(place, tool);
  }

  useCursor() {
    if (this.cursor >= 0) this.useAt(this.cursor, this.tool);
  }

  useAt(place, tool) {
    if (!this.engine) return;
    this.setFollow(false);
    if (tool === "route") this.target = place;
    else if (tool === "add") this.#toggle(place);
    else this.sources = [place];
    this.changed({ sources: tool !== "route", words: () => this.words() });
  }

  hover(px, py) {
    if (!this.engine) return;
    const place = this.#below(px, py);
    if (place < 0 || (place === this.cursor && !this.parts.hover.hidden)) return;
    this.cursor = place;
    this.pointing = true;
    if (this.follow) this.sources = [place];
    this.changed({ sources: this.follow, moving: true });
  }

  leave() {
    this.pointing = false;
    this.parts.hover.hidden = true;
  }

  // The number of the source within some pixels; null if there is none.
  sourceNear(px, py, near) {
    if (!this.engine) return null;
    let best = null, least = near;
    this.sources.forEach((source, index) => {
      if (!this.#point(source)) return;
      const [x, y] = this.view.toScreen(...this.#point(source)), away = Math.hypot(x - px, y - py);
      if (away < least) [best, least] = [index, away];
    });
    return best;
  }

  dragSource(number, px, py) {
    const place = this.#below(px, py);
    this.setFollow(false);
    if (place >= 0 && !this.sources.includes(place)) {
      this.sources[number] = place;
      this.cursor = place;
      this.changed({ sources: true, moving: true });
    }
    return number;
  }

  walk(dx, dy) {
    if (!this.engine) return;
    if (this.cursor < 0) this.cursor = this.#point(this.sources[0]) ? this.sources[0] : this.#middle();
    else {
      const next = neighbourTowards(this.data, this.routes, this.cursor, dx, dy);
      if (next < 0) return this.say("no street that way");
      this.cursor = next;
    }
    this.pointing = true;
    const [x, y] = this.#point(this.cursor);
    if (!this.view.shows(x, y, 40)) {
      const [px, py] = this.view.toScreen(x, y);
      this.view.pan(this.view.width / 2 - px, this.view.height / 2 - py);
    }
    if (this.follow) this.sources = [this.cursor];
    this.changed({ sources: this.follow, words: () => this.hoverWords(this.cursor).join(": ") });
  }

  pan(dx, dy) {
    this.view.pan(dx, dy);
    this.changed({});
  }

  zoom(factor, px, py) {
    this.view.zoom(factor, px, py);
    this.changed({});
  }

  fit() {
    this.view.fitBeside(this.parts.margins());
    this.changed({});
  }

  clear() {
    this.target = -1;
    this.sources.length = Math.min(1, this.sources.length);
    this.changed({ sources: true });
  }

  choose(tool) {
    this.tool = tool;
    this.parts.showTool(tool);
  }

  setFollow(follow) {
    this.follow = this.parts.follow.checked = follow;
  }

  // A source was dragged.
  dropped() {
    this.changed({ words: () => this.words() });
  }

  setLimit(share) {
    this.limit = share >= 1 && this.data.limit === null ? Infinity : share * this.top;
    this.changed({ summary: true, moving: true });
  }

  // Another range of the histogram was chosen.
  brushed() {
    this.changed({ summary: true, moving: true });
  }

  find(text) {
    const place = this.#named(text.trim());
    if (place < 0) return this.say(`there is no vertex ${text.trim()}`);
    this.cursor = place;
    this.pointing = true;
    const [x, y] = this.#point(place), [px, py] = this.view.toScreen(x, y);
    if (!this.data.missing?.[place]) this.view.pan(this.view.width / 2 - px, this.view.height / 2 - py);
    this.useAt(place, this.tool);
  }

  // -- what follows -------------------------------------------------------------------------------------------------

  resize() {
    const { map, overlay } = this.parts, ratio = Math.min(2, devicePixelRatio || 1);
    this.ratio = ratio;
    const { clientWidth: width, clientHeight: height } = map;
    for (const canvas of [map, overlay]) {
      canvas.width = Math.max(1, Math.round(width * ratio));
      canvas.height = Math.max(1, Math.round(height * ratio));
    }
    this.view.resize(Math.max(1, width), Math.max(1, height));
    if (!this.view.chosen) this.view.fitBeside(this.parts.margins());
    this.changed({});
  }

  // The system took the memory of the pictures, and gives it back.
  redraw() {
    this.streets = new Streets(this.parts.map, this.parts.plain, this.segments);
    if (this.engine) this.streets.take(this.engine.shaded);
    this.restyle();
  }

  restyle() {
    this.colours = palette(this.scale, this.parts.isDark());
    this.streets.takeColours(this.colours);
    this.changed({ summary: true });
  }

  // What is new until the next picture: sources, numbers of the panel, or words to say; and whether something moves, so
  // that other pictures will follow. Several changes may share a picture.
  changed(what) {
    for (const name of Object.keys(what)) this.due[name] ||= what[name];
    this.frame ??= requestAnimationFrame(() => this.paint());
  }

  paint() {
    const due = this.due;
    this.due = {};
    this.frame = null;
    clearTimeout(this.rest);
    if (due.sources && this.engine) this.#sweep();
    if (this.streets.gl.isContextLost()) return;
    const ink = this.parts.colours();
    const [low, high] = this.histogram.bounds;
    const style = {
      top: this.top, low, limit: Math.min(this.limit, high - AFTER_RANGE * this.top), bands: this.bands, faint: ink.faint, page: ink.page,
      width: clamp(this.base * Math.sqrt(this.view.scale / this.view.whole), 0.8, 6),
    };
    const plainly = Boolean(due.moving) && this.pace.plain;
    if (this.streets.draw(this.view, style, this.ratio, plainly)) this.#time(plainly);
    if (plainly) this.rest = setTimeout(() => this.changed({}), AT_REST);
    const path = this.#path();
    drawOverlay(this.parts.overlay.getContext("2d"), this.view, {
      route: path ? cornersOf(this.data, path) : [],
      sources: this.engine ? this.sources.map(place => this.#point(place)).filter(Boolean) : [],
      target: this.target >= 0 ? this.#point(this.target) : null,
      cursor: this.cursor >= 0 && this.pointing && !this.follow ? this.#point(this.cursor) : null,
    }, ink.css, this.ratio);
    this.parts.showScale(scaleBar(this.view, this.data.metres));
    this.#showHover();
    if (due.sources || due.summary) this.engine && this.histogram.count(this.engine.shaded, NO_PATH);
    const marked = this.engine && this.cursor >= 0 && this.pointing && !this.follow ? this.engine.shaded[this.cursor] : NO_PATH;
    this.histogram.draw(ink.css, marked < NO_PATH ? marked : Infinity);
    if (due.sources || due.summary || path !== this.shownPath) this.summarise(path);
    this.shownPath = path;
    if (due.words) this.say(due.words());
  }

  say(text) {
    this.parts.said.textContent = text;
  }

  // -- parts of these -----------------------------------------------------------------------------------------------

  // A sentence of what is shown.
  words() {
    const from = this.sources.length === 1 ? nameOf(this.data, this.sources[0]) : `${this.sources.length} sources`;
    const to = this.target < 0 ? "" : `; to ${nameOf(this.data, this.target)}: ${this.text(this.target)}`;
    return `${this.data.label} from ${from}${to}`;
  }

  #sweep() {
    this.engine.sweep(this.sources);
    this.streets.take(this.engine.shaded);
    this.path = undefined;
  }

  // Until the browser can take the next picture.
  #time(plainly) {
    const start = performance.now(), { pace } = this; // a hidden page takes no pictures: another pace follows
    requestAnimationFrame(() => pace.took(performance.now() - start, plainly));
  }

  #path() {
    if (!this.engine || this.target < 0) return null;
    if (this.path === undefined || this.pathTo !== this.target) this.path = this.routes.to(this.target, this.sources);
    this.pathTo = this.target;
    return this.path;
  }

  summarise(path) {
    if (!this.engine) return;
    const { data, parts } = this;
    drawLegend(parts.legend, parts.ticks, this.colours, this, data.unit, this.parts.colours().css.faint);
    parts.limitText.textContent = this.limit === Infinity ? "all" : short(this.limit, data.unit);
    const names = this.sources.slice(0, MOST_NAMED).map(place => nameOf(data, place)).join(", ");
    const more = this.sources.length - MOST_NAMED;
    parts.from.textContent = more > 0 ? `${names} and ${counted(more, "more", "more")}` : names;
    let within = this.histogram.total;
    if (this.limit < Infinity) {
      within = 0;
      for (const value of this.engine.shaded) if (value <= this.limit) within++;
    }
    parts.reached.textContent = counted(within, "vertex", "vertices");
    parts.route.hidden = this.target < 0;
    if (this.target < 0) return;
    parts.routeTo.textContent = nameOf(data, this.target);
    parts.routeLength.textContent = this.text(this.target);
    parts.routeLinks.textContent = path ? counted(path.length - 1, "link", "links") : "";
    parts.routeVertices.hidden = !path;
    const listed = (path ?? []).slice(0, MOST_LISTED).map(place => {
      const item = document.createElement("li");
      item.textContent = `${nameOf(data, place)}: ${this.text(place)}`;
      return item;
    });
    parts.routeList.replaceChildren(...listed);
    parts.routeMore.textContent = path && path.length > MOST_LISTED ? `and ${counted(path.length - MOST_LISTED, "more", "more")}` : "";
  }

  #showHover() {
    const { hover } = this.parts, shown = this.engine && this.cursor >= 0 && this.pointing;
    hover.hidden = !shown || !this.#point(this.cursor);
    if (hover.hidden) return;
    const [name, value] = this.hoverWords(this.cursor), [x, y] = this.view.toScreen(...this.#point(this.cursor));
    hover.firstElementChild.textContent = name;
    hover.lastElementChild.textContent = value;
    hover.style.left = `${clamp(x + 14, 4, Math.max(4, this.view.width - hover.offsetWidth - 4))}px`;
    hover.style.top = `${clamp(y + 14, 4, Math.max(4, this.view.height - hover.offsetHeight - 4))}px`;
  }

  hoverWords(place) {
    let value = this.text(place);
    if (this.sources.length > 1) {
      const path = this.routes.to(place, this.sources);
      if (path) value += ` from ${nameOf(this.data, path[0])}`;
    }
    return [nameOf(this.data, place), value];
  }

  // A value of the scale.
  number(value) {
    return short(value, this.data.unit);
  }

  text(place) {
    return exact(this.engine.at(place), this.data.unit);
  }

  #below(px, py) {
    return this.grid.nearest(...this.view.toPlane(px, py));
  }

  #point(place) {
    return this.data.missing?.[place] ? null : [this.data.x[place], this.data.y[place]];
  }

  #toggle(place) {
    const at = this.sources.indexOf(place);
    if (at < 0) this.sources.push(place);
    else if (this.sources.length > 1) this.sources.splice(at, 1);
  }

  #middle() {
    const { left, right, low, high } = this.grid.box;
    return Math.max(0, this.grid.nearest((left + right) / 2, (low + high) / 2));
  }

  farthest() {
    let most = 0;
    for (const value of this.engine.shaded) if (value > most && value < NO_PATH) most = value;
    return most;
  }

  #named(text) {
    const { names, n, place } = this.data;
    const position = names ? names.indexOf(text) : /^\d+$/.test(text) && Number(text) < n ? Number(text) : -1;
    return position < 0 ? -1 : place[position];
  }
}
