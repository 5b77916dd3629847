// Starts the page with the traces that it holds.

import { Player } from "./player.mjs";

const NAMES = [
  "method", "stage", "paper", "first", "back", "play", "forward", "last", "range", "count", "said", "say", "where", "graph",
  "shown", "matrix", "legend", "table",
];
const parts = Object.fromEntries(NAMES.map(name => [name, document.getElementById(`steps-${name}`)]));
parts.root = document.getElementById("steps");
const player = new Player(parts, JSON.parse(document.getElementById("steps-traces").textContent));
player.choose(player.traces[0].name);
player.open(location.hash);
addEventListener("hashchange", () => player.open(location.hash));
document.documentElement.dataset.ready = "yes";
