// node distances.mjs PAGE.html SOURCES [SET]: the distances that a page computes, of a set of weights by its number if
// there are several. SOURCES is JSON, lists of positions; for each of them the n distances from the nearest one, as
// float64, go to standard output.
import { readFileSync, writeSync } from "node:fs";

import { readData } from "../../src/apsp/explore/page/data.mjs";
import { Engine } from "../../src/apsp/explore/page/engine.mjs";
import { Sets } from "../../src/apsp/explore/page/sets.mjs";

const page = readFileSync(process.argv[2], "utf8");
const part = name => page.match(new RegExp(`<script type="[^"]*" id="${name}">([^<]*)</script>`))[1];
const data = await readData(JSON.parse(part("header")), part("arrays"));
const set = process.argv[4];
const engine = set ? (await (await Sets.of(data, part("arrays-of-sets"))).get(Number(set))).engine : await Engine.of(data);
for (const sources of JSON.parse(process.argv[3])) {
  engine.sweep(sources.map(position => data.place[position]));
  const found = Float64Array.from({ length: data.n }, (_, position) => engine.at(data.place[position]));
  const bytes = Buffer.from(found.buffer);
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}
