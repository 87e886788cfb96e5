// One case by the built library, in a process of its own.
//   node bench/sums-read.mjs PATH TREE summary|columns LIST_OF_BRANCHES SUMS [MEMBERS] [WORKERS]
// prints one line of JSON (seconds, MB) and writes the number of values and the sum of each branch.
import { readFileSync, writeFileSync } from 'node:fs';

/** @type {typeof import('../web/node')} */
const { openReader } = await import(
  new URL(process.env.XYLEM_BENCH_DIST ?? '../dist/node.js', import.meta.url).href
);

const [path = '', tree = '', how, list = '', out = '', members, workers] = process.argv.slice(2);
const branches = readFileSync(list, 'utf8').split('\n').filter(Boolean);
const reader = /** @type {import('../web/api/reader').EngineReader} */ (
  await openReader({ workers: workers === undefined ? undefined : Number(workers) })
);
/** @type {Record<string, [number, number]>} */
const sums = {};

/** @param {import('../web/node').Column} column @param {string[]} names @returns {[number, number]} */
function sumOf(column, names) {
  if (column.kind === 'primitive') {
    let sum = 0;
    for (const value of column.data) sum += Number(value);
    return [column.data.length, sum];
  }
  if (column.kind === 'string') return [column.length, column.bytes.length];
  if (column.kind === 'struct') {
    const [name = '', ...rest] = names;
    const child = column.children[column.names.indexOf(name)];
    if (!child) throw new Error(`no member ${name}`);
    return sumOf(child, rest);
  }
  if ('child' in column) return sumOf(column.child, names);
  throw new Error(`a ${column.kind} cannot be summed up`);
}

const cpu = process.cpuUsage();
const start = performance.now();
const file = await reader.open({ kind: 'path', path });
await reader.tree(file.id, tree);
const opened = performance.now();
if (how === 'summary') {
  for (const { branch, values, nans, sum, error } of await reader.summarize(file.id, { tree, branches })) {
    if (error) throw new Error(error.message);
    sums[branch.path] = [values + nans, sum];
  }
  // Branches may be asked for by less than their path.
  const given = Object.values(sums);
  if (given.length === branches.length) {
    branches.forEach((name, i) => {
      sums[name] ??= given[i] ?? [0, 0];
    });
  }
} else {
  const [result] = await reader.arrays(file.id, { tree, branches });
  if (!result?.column) throw new Error(result?.error?.message);
  /** @type {[string, string[]][]} */
  const wanted = Object.entries(JSON.parse(members || '{}'));
  for (const [name, path] of wanted) sums[name] = sumOf(result.column, path);
}
const end = performance.now();
const { user, system } = process.cpuUsage(cpu);
reader.terminate();
writeFileSync(out, JSON.stringify(sums));
console.log(
  JSON.stringify({
    wall_s: (end - start) / 1000,
    open_s: (opened - start) / 1000,
    cpu_s: (user + system) / 1e6,
    rss_mb: process.resourceUsage().maxRSS / 1024,
  }),
);
