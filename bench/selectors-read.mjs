// One task of `bench/selectors.mjs` by the built library, in a process of its own.
//   node bench/selectors-read.mjs HOW WORKERS LIST OUT
// HOW is "draws", ten drawings in one call, or the path of a selector. LIST is a file with the path of a file a line; OUT gets
// the bins as JSON. Prints a line of seconds and MB as JSON.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { CUT, NAMES, rangeOf } from './ten-histograms.mjs';

/** @type {typeof import('../web/node')} */
const { openReader, openRoot } = await import(
  new URL(process.env.XYLEM_BENCH_DIST ?? '../dist/node.js', import.meta.url).href
);
const [how = '', workers = '', list = '', out = ''] = process.argv.slice(2);
const files = readFileSync(list, 'utf8').split('\n');
const cpu = process.cpuUsage();
const start = performance.now();
const reader = await openReader({ workers: Number(workers) });
const file = await openRoot(files, { reader });
const tree = await file.tree('Events');
/** @type {Record<string, number[]>} */
const bins = {};
if (how === 'draws') {
  const choices = NAMES.map((expr) => ({ expr, cut: CUT, bins: 100, range: rangeOf(expr) }));
  for (const [i, one] of (await tree.draw(choices)).entries())
    if (one.kind === 'histogram') bins[NAMES[i] ?? ''] = Array.from(one.sums);
} else {
  const { results } = await tree.process(pathToFileURL(how));
  for (const [name, { sums }] of Object.entries(results)) bins[name] = Array.from(sums);
}
const wall = performance.now() - start;
const { user, system } = process.cpuUsage(cpu);
reader.terminate();
writeFileSync(out, JSON.stringify(bins));
console.log(
  JSON.stringify({
    wall_s: wall / 1000,
    cpu_s: (user + system) / 1e6,
    rss_mb: process.resourceUsage().maxRSS / 1024,
  }),
);
