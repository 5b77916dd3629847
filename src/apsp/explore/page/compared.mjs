// The page of several sets of weights: one is chosen, and may be compared with another.

import { App } from "./app.mjs";
import { rounded } from "./colours.mjs";
import { nameOf } from "./data.mjs";
import { diverging, drawBeneath, drawDifferences, endOf, signed } from "./diverging.mjs";
import { byId, nextFrame } from "./dom.mjs";
import { clamp } from "./grid.mjs";
import { counted, exact, short } from "./numbers.mjs";
import { opened } from "./opening.mjs";
import { cornersOf } from "./segments.mjs";
import { Sets, Shown } from "./sets.mjs";

const NOTHING = -1; // the number of no set

class ComparedApp extends App {
  async open() {
    const text = byId("arrays-of-sets"), { chosen, minus } = this.data.sets;
    this.sets = await Sets.of(this.data, text.textContent);
    text.remove();
    this.shown = new Shown(this.data.n, await this.sets.get(chosen));
    this.wanted = { chosen, minus: NOTHING };
    this.share = 1; // of the largest difference: where colours end
    this.largest = this.steps = 0;
    this.tones = "blue-orange";
    this.#listen();
    this.start(this.shown);
    this.routes = this.shown.chosen.routes;
    this.#showChoice();
    if (minus >= 0) await this.show(chosen, minus);
  }

  get comparing() {
    return Boolean(this.shown?.other);
  }

  // -- what users do ------------------------------------------------------------------------------------------------

  // Of several choices in a row, the last one counts.
  async show(chosen, minus = this.wanted.minus) {
    const wanted = (this.wanted = { chosen, minus }), numbers = minus < 0 ? [chosen] : [chosen, minus], sets = [];
    this.#showChoice();
    try {
      for (const number of numbers) {
        if (!this.sets.has(number)) {
          byId("wait").hidden = false;
          await nextFrame();
        }
        if (wanted !== this.wanted) return;
        sets.push(await this.sets.get(number, numbers));
      }
    } catch (error) {
      if (wanted !== this.wanted) return;
      const { chosen, other } = this.shown;
      this.wanted = { chosen: chosen.number, minus: other ? other.number : NOTHING };
      this.#showChoice();
      byId("wait").hidden = true;
      return this.say(`these weights cannot be shown here: ${error.message}`);
    }
    if (wanted !== this.wanted) return;
    byId("wait").hidden = true;
    this.#take(...sets);
  }

  // By so many sets, around the ends.
  step(by) {
    const count = this.data.sets.names.length;
    this.show((this.wanted.chosen + by + count) % count);
  }

  // Between the distances, and their differences to the set that was compared last.
  toggleDifferences() {
    const { chosen, minus } = this.wanted;
    if (minus >= 0) {
      this.before = minus;
      this.show(chosen, NOTHING);
    } else this.show(chosen, (this.before ?? chosen) === chosen ? (chosen === 0 ? 1 : 0) : this.before);
  }

  setReach(share) {
    this.share = Math.max(share, 1e-3);
    this.#scaled();
    this.changed({ summary: true, moving: true });
  }

  // -- what follows -------------------------------------------------------------------------------------------------

  restyle() {
    if (!this.comparing) return super.restyle();
    this.colours = diverging(this.tones, this.parts.isDark());
    this.streets.takeColours(this.colours);
    this.changed({ summary: true });
  }

  paint() {
    super.paint();
    if (!this.comparing || this.target < 0) return;
    const path = this.#otherPath();
    if (path) drawBeneath(this.parts.overlay.getContext("2d"), this.view, cornersOf(this.data, path), this.parts.colours().css);
  }

  text(place) {
    if (!this.comparing) return super.text(place);
    const { chosen, other } = this.shown, { unit } = this.data, value = this.shown.difference(place);
    const both = [chosen, other].map(set => `${set.name} ${exact(set.engine.at(place), unit)}`).join(", ");
    return `${Number.isNaN(value) ? "no difference" : signed(value, unit)} (${both})`;
  }

  number(value) {
    return this.comparing ? signed((value - 1) * this.shown.reach, this.data.unit, short) : super.number(value);
  }

  words() {
    const { chosen, other } = this.shown;
    return `${chosen.name}${other ? ` minus ${other.name}` : ""}: ${super.words()}`;
  }

  hoverWords(place) {
    return this.comparing ? [nameOf(this.data, place), this.text(place)] : super.hoverWords(place);
  }

  summarise(path) {
    super.summarise(path);
    if (!this.engine) return;
    const { data, parts } = this, { chosen, other, reach } = this.shown;
    const name = other ? `${data.label}: ${chosen.name} \u2212 ${other.name}` : data.label;
    parts.reached.previousElementSibling.textContent = name;
    byId("two-routes").hidden = !other || this.target < 0;
    parts.legend.setAttribute("aria-label", this.legendWords ??= parts.legend.getAttribute("aria-label"));
    if (!other) return;
    const { more, less, equal } = this.shown.differences();
    parts.reached.textContent = `${short(more)} more, ${short(less)} less`;
    parts.reached.title = counted(equal, "equal vertex", "equal vertices");
    drawDifferences(parts.legend, parts.ticks, this.colours, { reach, bands: this.bands }, data.unit, parts.colours().css.faint);
    parts.legend.setAttribute("aria-label", `Colours from ${signed(-reach, data.unit, short)}, less in ${chosen.name} than in ${other.name}, to ${signed(reach, data.unit, short)}, more`);
    byId("reach-text").textContent = `\u00b1${short(reach, data.unit)}`;
    if (this.target < 0) return;
    parts.routeLinks.textContent = "";
    const links = [path, this.#otherPath()].map(each => (each ? counted(each.length - 1, "link", "links") : "no path"));
    byId("one-route").textContent = `${chosen.name}: ${links[0]}`;
    byId("other-route").textContent = `${other.name}: ${links[1]}`;
  }

  // -- parts of these -----------------------------------------------------------------------------------------------

  #take(chosen, other = null) {
    if (this.comparing !== Boolean(other)) this.histogram.range = null; // of another scale
    if (!this.comparing) this.plain = { top: this.top, limit: this.limit, bands: this.bands };
    Object.assign(this.shown, { chosen, other });
    this.routes = chosen.routes;
    this.shown.sweep(this.sources);
    if (other) {
      this.largest = Math.max(this.largest, this.shown.differences().largest);
      Object.assign(this, { top: 2, limit: Infinity, bands: this.steps });
      this.#scaled();
    } else {
      Object.assign(this, this.plain);
      if (this.data.limit === null) this.top = Math.max(this.top, rounded(this.farthest()));
      this.parts.limit.value = this.parts.limit.max * clamp(this.limit / this.top, 0, 1);
    }
    this.restyle();
    this.changed({ sources: true, words: () => this.words() });
  }

  // The colours end at a share of the largest difference that was seen.
  #scaled() {
    this.shown.reach = endOf(this.largest) * this.share;
    this.shown.shade();
    this.streets.take(this.shown.shaded);
  }

  #otherPath() {
    const { other } = this.shown, key = [this.target, this.sources, other.number].join(";");
    if (key !== this.otherKey) this.pathOfOther = other.routes.to(this.target, this.sources);
    this.otherKey = key;
    return this.pathOfOther;
  }

  #showChoice() {
    const { chosen, minus } = this.wanted, { names } = this.data.sets;
    byId("set").value = byId("period").value = chosen;
    byId("period").setAttribute("aria-valuetext", names[chosen]);
    byId("period-text").textContent = names[chosen];
    byId("minus").value = minus;
    for (const name of ["differences", "steps-row", "tones-row"]) byId(name).hidden = minus < 0;
    for (const name of ["limit-text", "bands", "colours"]) byId(name).closest("label").hidden = minus >= 0;
    byId("limit").hidden = minus >= 0;
  }

  #listen() {
    const { names, slider } = this.data.sets;
    for (const id of ["set", "minus"])
      names.forEach((name, number) => byId(id).append(new Option(name, number)));
    byId("set-row").hidden = slider;
    byId("period-row").hidden = !slider;
    byId("period").max = names.length - 1;
    byId("set").addEventListener("change", event => this.show(Number(event.target.value)));
    byId("period").addEventListener("input", event => this.show(Number(event.target.value)));
    byId("minus").addEventListener("change", event => this.show(this.wanted.chosen, Number(event.target.value)));
    byId("reach").addEventListener("input", event => this.setReach(event.target.value / event.target.max));
    byId("steps").addEventListener("change", event => {
      this.steps = this.bands = Number(event.target.value);
      this.changed({ summary: true });
    });
    byId("tones").addEventListener("change", event => {
      this.tones = event.target.value;
      this.restyle();
    });
    byId("keys").append(" N and P choose the next weights and the previous ones, D shows differences.");
    const keys = { n: () => this.step(1), p: () => this.step(-1), d: () => this.toggleDifferences() };
    this.parts.overlay.addEventListener("keydown", event => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey) keys[event.key]?.();
    });
  }
}

opened(ComparedApp);
