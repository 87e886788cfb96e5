// A draw of bench/cases.mjs by the built library, in a process of its own:
//   node bench/draw-read.mjs PATH TREE EXPR CUT WORKERS sums=OUT
import { writeFileSync } from 'node:fs';

/** @type {typeof import('../web/node')} */
const { openReader } = await import(new URL('../dist/node.js', import.meta.url).href);

const [path = '', tree = '', expr = '', cut = '', workers, out = ''] = process.argv.slice(2);
const reader = await openReader({ workers: Number(workers) });
const cpu = process.cpuUsage();
const start = performance.now();
const file = await reader.open({ kind: 'path', path });
const result = await reader.draw(file.id, { tree, expr, cut });
const wall = performance.now() - start;
const { user, system } = process.cpuUsage(cpu);
reader.terminate();
if (result.kind !== 'histogram' || result.partial) throw new Error('no whole histogram came');
const { fills, mean, stdDev } = result;
writeFileSync(
  out.replace('sums=', ''),
  JSON.stringify({ mean: [fills, mean[0]], deviation: [fills, stdDev[0]] }),
);
console.log(
  JSON.stringify({
    wall_s: wall / 1000,
    cpu_s: (user + system) / 1e6,
    rss_mb: process.resourceUsage().maxRSS / 1024,
  }),
);
