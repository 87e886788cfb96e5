// Sums of branches by JSROOT: JSROOT=/path/to/node_modules/jsroot node sums_jsroot.mjs FILE_OR_URL TREE LIST [sums=OUT]
// LIST is a file with a branch a line; OUT gets {"branch": [values, sum]}. Prints a line of seconds and MB as JSON.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [path = '', tree = '', list = '', out] = process.argv.slice(2);
const names = readFileSync(list, 'utf8').split('\n').filter(Boolean);
/** @param {string} name @returns {Promise<any>} */
const load = (name) =>
  import(pathToFileURL(join(process.env.JSROOT ?? 'node_modules/jsroot', 'modules', name)).href);
const { openFile } = await load('io.mjs');
const { TSelector, treeProcess } = await load('tree.mjs');

const sums = names.map(() => [0, 0]);
/** @param {any} value @param {number[]} sum */
function add(value, sum) {
  if (value !== null && typeof value === 'object') for (const one of value) add(one, sum);
  else {
    sum[0] = (sum[0] ?? 0) + 1;
    sum[1] = (sum[1] ?? 0) + (typeof value === 'string' ? value.length : Number(value));
  }
}

const cpu = process.cpuUsage();
const start = performance.now();
const file = await openFile(path);
const object = await file.readObject(tree);
const selector = new TSelector();
for (const [i, name] of names.entries()) selector.addBranch(name, `b${i}`);
selector.Process = () => {
  for (const [i, sum] of sums.entries()) add(selector.tgtobj[`b${i}`], sum);
};
await treeProcess(object, selector);
const wall = performance.now() - start;
const { user, system } = process.cpuUsage(cpu);
if (out)
  writeFileSync(
    out.replace('sums=', ''),
    JSON.stringify(Object.fromEntries(names.map((name, i) => [name, sums[i]]))),
  );
console.log(
  JSON.stringify({
    wall_s: wall / 1000,
    cpu_s: (user + system) / 1e6,
    rss_mb: process.resourceUsage().maxRSS / 1024,
  }),
);
process.exit(0);
