// What the page does without a browser: node --test tests/explore/page.test.mjs
import assert from "node:assert/strict";
import { test } from "node:test";

import { BARS, boundsOf, countsOf } from "../../src/apsp/explore/page/bars.mjs";
import { palette, rounded } from "../../src/apsp/explore/page/colours.mjs";
import { mirror, starts } from "../../src/apsp/explore/page/data.mjs";
import { diverging, endOf, signed } from "../../src/apsp/explore/page/diverging.mjs";
import { Grid } from "../../src/apsp/explore/page/grid.mjs";
import { neighbourTowards } from "../../src/apsp/explore/page/keyboard.mjs";
import { counted, exact, short } from "../../src/apsp/explore/page/numbers.mjs";
import { scaleBar } from "../../src/apsp/explore/page/overlay.mjs";
import { Pace } from "../../src/apsp/explore/page/pace.mjs";
import { Pixels } from "../../src/apsp/explore/page/pixels.mjs";
import { Routes } from "../../src/apsp/explore/page/routes.mjs";
import { blocksOf, cornersOf, segmentsOf } from "../../src/apsp/explore/page/segments.mjs";
import { bothWays } from "../../src/apsp/explore/page/sets.mjs";
import { NO_PATH } from "../../src/apsp/explore/page/streets.mjs";
import { View } from "../../src/apsp/explore/page/view.mjs";

// Numbers from 0 to 1 that are the same in every run.
function numbers(seed) {
  let state = seed;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}

// A graph of arcs [tail, head, weight], whose distances a plain search finds.
function graphOf(n, arcs, more = {}) {
  const sorted = arcs.toSorted((a, b) => a[0] - b[0]), counts = new Int32Array(n);
  for (const [tail] of sorted) counts[tail]++;
  return {
    n, dtype: "int32", arcStart: starts(counts), heads: Int32Array.from(sorted, arc => arc[1]),
    weights: Int32Array.from(sorted, arc => arc[2]), drawn: new Uint8Array(arcs.length).fill(1), ...more,
  };
}

function searched(data, sources) {
  const found = new Array(data.n).fill(Infinity);
  for (const source of sources) found[source] = 0;
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = 0; i < data.n; i++) {
      if (data.zones?.[i] && !sources.includes(i)) continue;
      for (let arc = data.arcStart[i]; arc < data.arcStart[i + 1]; arc++)
        if (found[i] + data.weights[arc] < found[data.heads[arc]]) {
          found[data.heads[arc]] = found[i] + data.weights[arc];
          changed = true;
        }
    }
  }
  return { at: place => found[place] };
}

test("the grid finds the nearest vertex", () => {
  const next = numbers(7);
  for (const [n, wide, high] of [[1, 0, 0], [2, 5, 0], [300, 4000, 4000], [500, 1e6, 10], [200, 3, 3]]) {
    const x = Int32Array.from({ length: n }, () => next() * wide), y = Int32Array.from({ length: n }, () => next() * high);
    const missing = Uint8Array.from({ length: n }, (_, i) => (i > 0 && next() < 0.2 ? 1 : 0));
    const grid = new Grid(x, y, missing);
    const away = (i, px, py) => (x[i] - px) ** 2 + (y[i] - py) ** 2;
    for (let round = 0; round < 300; round++) {
      const px = (next() * 3 - 1) * (wide + 1), py = (next() * 3 - 1) * (high + 1), found = grid.nearest(px, py);
      assert.equal(missing[found], 0);
      for (let i = 0; i < n; i++) assert.ok(missing[i] || away(found, px, py) <= away(i, px, py));
    }
  }
});

test("a route is as long as its distance, through cycles of zeros too, and not through zones", () => {
  const next = numbers(3);
  for (let round = 0; round < 200; round++) {
    const n = 12, arcs = [];
    for (let arc = 0; arc < 40; arc++) arcs.push([Math.floor(next() * n), Math.floor(next() * n), Math.floor(next() * 3)]);
    const zones = round % 2 ? Uint8Array.from({ length: n }, () => (next() < 0.3 ? 1 : 0)) : null;
    const data = graphOf(n, arcs, { zones }), sources = round % 3 ? [0] : [0, 5], engine = searched(data, sources);
    const routes = new Routes(data, engine);
    for (let target = 0; target < n; target++) {
      const path = routes.to(target, sources);
      if (engine.at(target) === Infinity) {
        assert.equal(path, null);
        continue;
      }
      assert.ok(sources.includes(path[0]));
      assert.equal(path.at(-1), target);
      assert.ok(path.slice(1, -1).every(place => !zones?.[place]));
      let length = 0;
      for (let p = 1; p < path.length; p++)
        length += Math.min(...arcs.filter(arc => arc[0] === path[p - 1] && arc[1] === path[p]).map(arc => arc[2]));
      assert.equal(length, engine.at(target));
    }
  }
});

test("arcs of edges are mirrored, and drawn once", () => {
  const data = graphOf(4, [[0, 1, 5], [0, 3, 7], [1, 2, 9]]);
  mirror(data);
  assert.deepEqual([...data.arcStart], [0, 2, 4, 5, 6]);
  assert.deepEqual([...data.heads], [1, 3, 0, 2, 1, 0]);
  assert.deepEqual([...data.weights], [5, 7, 5, 9, 9, 7]);
  assert.deepEqual([...data.drawn], [1, 1, 0, 1, 0, 0]);
});

test("the weights of other sets are mirrored as those of the first", () => {
  const next = numbers(11);
  for (let round = 0; round < 50; round++) {
    const n = 9, arcs = [];
    for (let i = 0; i < n; i++)
      for (let j = i + 1; j < n; j++) if (next() < 0.5) arcs.push([i, j, Math.floor(next() * 100)]);
    const data = graphOf(n, arcs), weights = data.weights;
    mirror(data);
    assert.deepEqual(bothWays(data, weights), data.weights);
  }
});

test("bends lie on the way, and routes follow them in both directions", () => {
  const bends = { start: Int32Array.of(0, 2, 2), x: Int32Array.of(10, 10), y: Int32Array.of(0, 10) };
  const data = graphOf(3, [[0, 1, 1], [1, 2, 1], [1, 0, 1]], {
    x: Int32Array.of(0, 20, 30), y: Int32Array.of(0, 10, 10), bends, drawn: Uint8Array.of(1, 1, 0), missing: null });
  data.drawn = Uint8Array.from(data.heads, (head, arc) => (arc === 0 || head === 2 ? 1 : 0));
  const segments = segmentsOf(data);
  assert.equal(segments.count, 4);
  assert.deepEqual([...segments.joined], [0, 3, 3, 4, 4, 1, 1, 2]);
  assert.deepEqual([...segments.ends], [0, 1, 0, 1]);
  assert.deepEqual([...segments.points].map(value => Math.round(value * 1000) / 1000).slice(9), [10, 0, 0.333, 10, 10, 0.667]);
  assert.deepEqual(cornersOf(data, [0, 1, 2]), [[0, 0], [10, 0], [10, 10], [20, 10], [30, 10]]);
  assert.deepEqual(cornersOf(data, [1, 0]), [[20, 10], [10, 10], [10, 0], [0, 0]]);
  assert.deepEqual(blocksOf(segments, 3).map(block => [block.first, block.count, block.left, block.right]), [[0, 3, 0, 20], [3, 1, 20, 30]]);
});

test("pixels have the colours of WebGL: between the ends of streets with bends, in part, grey beyond the limit", () => {
  const bends = { start: Int32Array.of(0, 2, 2), x: Int32Array.of(10, 10), y: Int32Array.of(0, 10) };
  const data = graphOf(3, [[0, 1, 1], [1, 2, 1]], { x: Int32Array.of(0, 20, 30), y: Int32Array.of(0, 10, 10), bends, missing: null });
  const segments = segmentsOf(data), next = numbers(23), width = 7, height = 5, covered = new Uint32Array(4 * width * height);
  for (let at = 0; at < width * height; at++) {
    if (next() < 0.3) continue;
    const share = Math.floor(next() * 65536), part = next() < 0.5 ? 65535 : Math.floor(next() * 65536);
    covered.set([1 + Math.floor(next() * segments.count), (share << 16) | part], 4 * at);
  }
  const pixels = new Pixels(covered, width, height, segments), colours = palette("viridis", false);
  const distances = Float32Array.of(100, 40, NO_PATH), ways = [[0, 1, 0, 1 / 3], [0, 1, 1 / 3, 2 / 3], [0, 1, 2 / 3, 1], [1, 2, 0, 1]];
  for (const bands of [0, 5])
    for (const [low, limit] of [[-1e28, 1e28], [50, 90]])
      for (const page of [[1, 1, 1], [15 / 255, 18 / 255, 22 / 255]]) {
        const faint = [220 / 255, 223 / 255, 227 / 255];
        pixels.colour(distances, { top: 90, low, limit, bands, faint, page }, colours);
        const drawn = new Uint8Array(pixels.words.buffer);
        for (let at = 0; at < width * height; at++) {
          const [number, packed] = covered.subarray(4 * at, 4 * at + 2), row = height - 1 - Math.floor(at / width);
          const found = drawn.subarray(4 * (row * width + (at % width)), 4 * (row * width + (at % width)) + 4);
          let expected = page.map(value => 255 * value);
          if (number) {
            const [tail, head, from, to] = ways[number - 1], along = from + ((to - from) * (packed >>> 16)) / 65535;
            const distance = distances[tail] * (1 - along) + distances[head] * along;
            let share = Math.min(1, distance / 90);
            if (bands) share = (Math.min(Math.floor(share * bands), bands - 1) + 0.5) / bands;
            const at = 4 * Math.round(share * 255), grey = distance > limit || distance < low;
            const own = grey ? faint.map(value => 255 * value) : [...colours.subarray(at, at + 3)], part = (packed & 65535) / 65535;
            expected = expected.map((value, c) => value * (1 - part) + own[c] * part);
          }
          expected.forEach((value, c) => assert.ok(Math.abs(found[c] - value) <= 0.51, `${at}: ${found}, ${expected}`));
          assert.equal(found[3], 255);
        }
      }
});

test("a street with an end without a path has a colour at its other end alone", () => {
  const data = graphOf(2, [[0, 1, 1]], { x: Int32Array.of(0, 9), y: Int32Array.of(0, 0), bends: null, missing: null });
  const covered = new Uint32Array(16), colours = palette("viridis", false);
  [0, 65535, 1, 65534].forEach((share, at) => covered.set([1, (share << 16) | 65535], 4 * at)); // near the ends as well
  const style = { top: 90, low: -1e28, limit: 1e28, bands: 0, faint: [0, 0, 0], page: [1, 1, 1] };
  for (const reached of [0, 1]) {
    const pixels = new Pixels(covered, 4, 1, segmentsOf(data)), distances = new Float32Array(2).fill(NO_PATH);
    distances[reached] = 90;
    pixels.colour(distances, style, colours);
    const [own, grey] = [colours, Uint8Array.of(0, 0, 0, 255)].map(bytes => new Int32Array(bytes.slice(-4).buffer)[0]);
    assert.deepEqual([...pixels.words], [0, 1, 2, 3].map(at => (at === reached ? own : grey)));
  }
});

test("WebGL draws while its pictures come in time, also between single late ones", () => {
  const pace = new Pace();
  for (let picture = 0; picture < 10000; picture++) {
    pace.took(picture % 4 === 0 ? 90 : picture % 2 ? 16.7 : 8.3, false);
    assert.equal(pace.plain, false);
  }
});

test("late pictures are drawn without WebGL if these come sooner", () => {
  const pace = new Pace();
  let pictures = 0;
  for (; !pace.plain; pictures++) pace.took(30, false);
  assert.ok(pictures <= 3);
  for (let picture = 0; picture < 1000; picture++) {
    pace.took(picture % 3 ? 17 : 23, true);
    if (picture % 10 === 0) pace.took(30, false); // at rest
    assert.equal(pace.plain, true);
  }
});

test("on a slow screen WebGL draws, but for ever rarer trials", () => {
  const pace = new Pace(), trials = [];
  let before = false;
  for (let picture = 0; picture < 1000; picture++) {
    pace.took(33.4, pace.plain);
    if (pace.plain && !before) trials.push(picture);
    before = pace.plain;
  }
  assert.ok(!pace.plain || trials.at(-1) > 500);
  assert.ok(trials.length >= 3 && trials.length <= 9, trials.join());
  for (let trial = 2; trial < trials.length; trial++)
    assert.ok(trials[trial] - trials[trial - 1] > trials[trial - 1] - trials[trial - 2]);
});

test("an arrow leads to the neighbour on that side", () => {
  const data = { x: [0, 10, 0, -10], y: [0, 1, 10, 0], missing: null }, routes = { neighbours: () => [1, 2, 3] };
  assert.deepEqual([[1, 0], [-1, 0], [0, 1], [0, -1]].map(([dx, dy]) => neighbourTowards(data, routes, 0, dx, dy)), [1, 3, 2, -1]);
});

test("the view keeps what is below the pointer, and shows everything beside the panel", () => {
  const view = new View({ left: 0, right: 1000, low: 0, high: 500 });
  view.resize(800, 600);
  const before = view.toPlane(200, 100);
  view.zoom(3, 200, 100);
  const after = view.toPlane(200, 100);
  assert.ok(Math.hypot(before[0] - after[0], before[1] - after[1]) < 1e-9);
  view.fitBeside({ left: 300, top: 0, right: 0, bottom: 0 });
  assert.ok(view.toScreen(0, 0)[0] >= 300 && view.toScreen(1000, 0)[0] <= 800);
  view.fitBeside({ left: 0, top: 0, right: 0, bottom: 250 });
  assert.ok(view.toScreen(0, 0)[1] <= 350 && view.toScreen(0, 500)[1] >= 0);
});

test("the scale bar has a round length that fits", () => {
  for (const metres of [0.001, 0.5, 3, 1e5]) {
    const bar = scaleBar({ scale: 0.37, width: 900 }, metres);
    assert.ok(bar.pixels <= 180 && bar.pixels > 30, JSON.stringify(bar));
  }
  assert.equal(scaleBar({ scale: 1, width: 900 }, null), null);
});

test("numbers have all digits in values, and few in legends", () => {
  assert.equal(exact(1234567, "s"), "1,234,567 s");
  assert.equal(exact(0.1 + 0.2, ""), "0.30000000000000004");
  assert.equal(exact(Infinity, "s"), "no path");
  assert.equal(short(0.1 + 0.2, "km"), "0.3 km");
  assert.deepEqual([counted(1, "link", "links"), counted(2000, "link", "links")], ["1 link", "2,000 links"]);
  assert.deepEqual([0, 1, 1.1, 2.2, 260, 999, 0.03].map(rounded), [1, 1, 2, 2.5, 500, 1000, 0.05]);
});

// WCAG 2: 0 to 1.
function luminance([r, g, b]) {
  const [x, y, z] = [r, g, b].map(value => value / 255).map(value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
}

test("the lightness of every scale rises or falls, and what is near stands out most", () => {
  for (const scale of ["viridis", "cividis", "greys"])
    for (const [dark, page] of [[true, 0.006], [false, 1]]) {
      const colours = palette(scale, dark), light = [];
      for (let i = 0; i < 256; i++) light.push(luminance(colours.subarray(4 * i, 4 * i + 3)));
      for (let i = 1; i < 256; i++) assert.ok(dark ? light[i] <= light[i - 1] + 1e-3 : light[i] >= light[i - 1] - 1e-3, `${scale} ${i}`);
      const contrast = value => (Math.max(value, page) + 0.05) / (Math.min(value, page) + 0.05);
      assert.ok(contrast(light[0]) > 9);
      assert.ok(contrast(light[255]) > 1.3, `${scale} ${dark} ${contrast(light[255])}`);
    }
});

// Machado, Oliveira and Fernandes 2009: linear RGB as people without one kind of cones see it.
const COLOUR_BLIND = {
  "all cones": [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

// CIE Lab of linear RGB.
function labOf([r, g, b]) {
  const f = value => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505), y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function seen(colour, matrix) {
  const linear = [...colour].map(value => value / 255).map(value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return labOf([0, 3, 6].map(row => Math.max(0, linear.reduce((sum, value, at) => sum + matrix[row + at] * value, 0))));
}

test("colours of differences tell size and sign with any kind of cones", () => {
  for (const [dark, page, faint] of [[true, 0.006, [43, 48, 54]], [false, 1, [220, 223, 227]]]) {
    const colours = diverging("blue-orange", dark), at = i => colours.subarray(4 * i, 4 * i + 3);
    const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    for (let i = 0; i < 127; i++) {
      const outer = [luminance(at(i)), luminance(at(255 - i))], inner = [luminance(at(i + 1)), luminance(at(254 - i))];
      for (const side of [0, 1]) assert.ok(contrast(outer[side], page) >= contrast(inner[side], page) - 0.02, `${dark} ${i}`);
    }
    assert.ok(contrast(luminance(at(127)), page) > 1.5 && contrast(luminance(at(127)), luminance(faint)) > 1.3);
    for (const [name, matrix] of Object.entries(COLOUR_BLIND))
      for (const [away, least] of [[20, 5], [42, 15], [84, 25], [127, 25]]) {
        const [less, more] = [at(127 - away), at(128 + away)].map(colour => seen(colour, matrix));
        const apart = Math.hypot(...less.map((value, axis) => value - more[axis]));
        assert.ok(apart > least, `${name}, dark ${dark}, ${away} of 127: ${apart}`);
      }
  }
});

test("the greys of differences rise or fall", () => {
  for (const dark of [true, false]) {
    const light = Array.from({ length: 256 }, (_, i) => luminance(diverging("greys", dark).subarray(4 * i, 4 * i + 3)));
    for (let i = 1; i < 256; i++) assert.ok(dark ? light[i] >= light[i - 1] : light[i] <= light[i - 1]);
    assert.ok((Math.max(light[0], light[255]) + 0.05) / (Math.min(light[0], light[255]) + 0.05) > 7);
  }
});

test("differences have signs, and their colours end at two digits", () => {
  assert.deepEqual([5, -1234.5, 0].map(value => signed(value, "s")), ["+5 s", "\u22121234.5 s", "0 s"]);
  assert.deepEqual([0, 1, 9.9, 10, 101, 627, 99.5, 0.034].map(endOf), [1, 1, 9.9, 10, 110, 630, 100, 0.034]);
});

test("a value is counted in the bar whose bounds it is between, also at an end of it", () => {
  for (let top = 1; top <= 60; top++)
    for (let number = 0; number <= 4 * top; number++) {
      const value = number / 4, bar = countsOf([value], NO_PATH, top).indexOf(1), [from, below] = boundsOf([bar, bar], top);
      assert(from <= value && value < below, `${value} of ${top} in bar ${bar}`);
    }
});

test("bars count what is below no path, the ends what is beyond them", () => {
  const top = 640, values = Float32Array.of(-5, 0, 9.5, 10, 639, 640, 1e9, NO_PATH);
  const counts = countsOf(values, NO_PATH, top);
  assert.deepEqual([counts[0], counts[1], counts[BARS - 1]], [3, 1, 3]);
  assert.equal(counts.reduce((sum, count) => sum + count), 7);
  for (let bar = 0; bar < BARS; bar++) {
    const [from, below] = boundsOf([bar, bar], top), inside = values.filter(value => value < NO_PATH && value >= from && value < below);
    assert.equal(inside.length, counts[bar]);
  }
  assert.deepEqual(boundsOf([0, BARS - 1], top), [-Infinity, Infinity]);
});
