// Keys on the map: arrows walk along streets, Enter uses the tool on the vertex that they reach.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export function listenToKeys(canvas, app) {
  canvas.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow && event.shiftKey) app.pan(-80 * arrow[0], 80 * arrow[1]);
    else if (arrow) app.walk(...arrow);
    else if (event.key === "Enter" || event.key === " ") app.useCursor();
    else if (event.key === "+" || event.key === "=") app.zoom(1.5);
    else if (event.key === "-") app.zoom(1 / 1.5);
    else if (event.key === "0") app.fit();
    else if (event.key === "Escape") app.clear();
    else if (event.key in TOOLS) app.choose(TOOLS[event.key]);
    else if (event.key === "f") app.setFollow(!app.follow);
    else return;
    event.preventDefault();
  });
}

const TOOLS = { s: "source", a: "add", r: "route" };

// The joined vertex that lies best in a direction; -1 if none does.
export function neighbourTowards(data, routes, place, dx, dy) {
  let best = -1, most = 0.2;
  for (const other of routes.neighbours(place)) {
    if (data.missing?.[other]) continue;
    const x = data.x[other] - data.x[place], y = data.y[other] - data.y[place];
    const turned = (x * dx + y * dy) / (Math.hypot(x, y) || Infinity);
    if (turned > most) [best, most] = [other, turned];
  }
  return best;
}
