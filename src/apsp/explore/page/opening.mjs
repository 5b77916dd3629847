// Joins the page to its state, and starts it.

import { readData } from "./data.mjs";
import { byId, coloursOfPage, dark, isDark, nextFrame } from "./dom.mjs";
import { listenToKeys } from "./keyboard.mjs";
import { Pace } from "./pace.mjs";
import { listenToPointer } from "./pointer.mjs";

function partsOf() {
  const parts = { isDark, colours: coloursOfPage }, names = ["map", "plain", "overlay", "hover", "said", "legend", "ticks", "limit", "limit-text", "from", "reached", "route", "follow",
    "route-to", "route-length", "route-links", "route-vertices", "route-list", "route-more"];
  for (const name of names) parts[name.replace(/-(.)/, (_, letter) => letter.toUpperCase())] = byId(name);
  parts.margins = () => {
    const panel = byId("panel").getBoundingClientRect(), beside = panel.width < innerWidth / 2;
    return beside ? { left: panel.right, top: 0, right: 0, bottom: 0 } : { left: 0, top: 0, right: 0, bottom: innerHeight - panel.top };
  };
  parts.showScale = bar => {
    byId("scale").hidden = !bar;
    if (!bar) return;
    byId("scale-line").style.width = `${bar.pixels}px`;
    byId("scale-text").textContent = bar.text;
  };
  parts.showTool = tool => (document.querySelector(`input[name=tool][value=${tool}]`).checked = true);
  return parts;
}

function listenToControls(app, parts) {
  for (const each of document.querySelectorAll("input[name=tool]")) each.addEventListener("change", () => app.choose(each.value));
  parts.follow.addEventListener("change", () => app.setFollow(parts.follow.checked));
  parts.limit.addEventListener("input", () => app.setLimit(parts.limit.value / parts.limit.max));
  byId("bands").addEventListener("change", event => {
    app.bands = Number(event.target.value);
    app.changed({ summary: true });
  });
  byId("colours").addEventListener("change", event => {
    app.scale = event.target.value;
    app.restyle();
  });
  const theme = () => {
    document.documentElement.dataset.theme = parts.isDark() ? "dark" : "light";
    app.restyle();
  };
  byId("theme").addEventListener("change", theme);
  dark.addEventListener("change", theme);
  theme();
  byId("find").addEventListener("submit", event => {
    event.preventDefault();
    app.find(byId("find-text").value);
  });
  byId("closer").addEventListener("click", () => app.zoom(1.5));
  byId("wider").addEventListener("click", () => app.zoom(1 / 1.5));
  byId("whole").addEventListener("click", () => app.fit());
  byId("clear").addEventListener("click", () => app.clear());
  byId("more").addEventListener("toggle", () => app.view.chosen || app.resize());
  parts.map.addEventListener("webglcontextlost", event => event.preventDefault());
  parts.map.addEventListener("webglcontextrestored", () => app.redraw());
  document.addEventListener("visibilitychange", () => (app.pace = new Pace()));
  new ResizeObserver(() => app.resize()).observe(parts.map);
}

async function start(Kind) {
  const header = JSON.parse(byId("header").textContent);
  const data = await readData(header, byId("arrays").textContent);
  byId("arrays").remove();
  const parts = partsOf(), app = new Kind(data, parts);
  listenToControls(app, parts);
  listenToPointer(parts.overlay, app);
  listenToKeys(parts.overlay, app);
  await nextFrame();
  performance.mark("streets");
  await app.open();
  await nextFrame();
  performance.mark("distances");
  byId("wait").hidden = true;
  document.documentElement.dataset.ready = "yes";
  return app;
}

export function opened(Kind) {
  globalThis.explored = start(Kind).catch(error => {
    byId("wait").textContent = `This map cannot be shown here: ${error.message}`;
    throw error;
  });
}
