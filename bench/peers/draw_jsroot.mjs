// A draw of bench/cases.mjs by JSROOT: JSROOT=/path/to/node_modules/jsroot node draw_jsroot.mjs FILE TREE EXPR CUT sums=OUT
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [path = '', tree = '', expr = '', cut = '', out = ''] = process.argv.slice(2);
/** @param {string} name @returns {Promise<any>} */
const load = (name) =>
  import(pathToFileURL(join(process.env.JSROOT ?? 'node_modules/jsroot', 'modules', name)).href);
const { openFile } = await load('io.mjs');
const { treeDraw } = await load('tree.mjs');
const cpu = process.cpuUsage();
const start = performance.now();
const file = await openFile(path);
const { fTsumw, fTsumwx, fTsumwx2 } = await treeDraw(await file.readObject(tree), { expr, cut });
const wall = performance.now() - start;
const { user, system } = process.cpuUsage(cpu);
const mean = fTsumwx / fTsumw;
const deviation = Math.sqrt(fTsumwx2 / fTsumw - mean * mean);
writeFileSync(
  out.replace('sums=', ''),
  JSON.stringify({ mean: [fTsumw, mean], deviation: [fTsumw, deviation] }),
);
console.log(
  JSON.stringify({
    wall_s: wall / 1000,
    cpu_s: (user + system) / 1e6,
    rss_mb: process.resourceUsage().maxRSS / 1024,
  }),
);
process.exit(0);
