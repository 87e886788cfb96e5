// One reading of the query by the built library, in a process of its own so that no connection is open before.
//   node bench/wan-read.mjs URL_OR_PATH [CACHE_FOLDER]     prints one line of JSON
/** @type {typeof import('../web/node')} */
const { openReader } = await import(new URL('../dist/node.js', import.meta.url).href);

const BRANCHES = ['md0_d', 'dm_d', 'ptds_d', 'etads_d', 'ptd0_d', 'rpd0_t', 'ik', 'njets'];
const [target = '', folder] = process.argv.slice(2);
const remote = /^(https?|root):/.test(target);
// Node loads what is needed of HTTP when it is first used; peers have loaded what they need, too.
if (target.startsWith('http')) await import('node:http');
const reader = /** @type {import('../web/api/reader').EngineReader} */ (
  await openReader({ cache: folder ? { folder } : false })
);
const start = performance.now();
const before = process.cpuUsage();
const file = await reader.open(remote ? { kind: 'url', url: target } : { kind: 'path', path: target });
const results = await reader.arrays(file.id, { tree: 'h42', branches: BRANCHES });
const seconds = (performance.now() - start) / 1000;
const used = process.cpuUsage(before);
const cpu = (used.user + used.system) / 1e6;
/** @type {Record<string, number>} */
const sums = {};
for (const { branch, column, error } of results) {
  if (error) throw new Error(error.message);
  if (column?.kind !== 'primitive') throw new Error(`${branch.path} is a ${column?.kind}`);
  let sum = 0;
  for (const value of column.data) sum += Number(value);
  sums[branch.path] = sum;
}
const summary = await reader.traceSummary(file.id);
const records = await reader.trace(file.id);
const opening = new Set(['head', 'tail']);
/** @param {(record: typeof records[0]) => boolean} which */
const wanted = (which) =>
  records
    .filter((record) => record.origin !== 'decode' && which(record))
    .reduce((sum, record) => sum + record.wanted, 0);
const baskets = wanted(({ purpose }) => purpose.endsWith('branches'));
const others = wanted(({ purpose }) => !purpose.endsWith('branches') && !opening.has(purpose));
await reader.close(file.id);
reader.terminate();
console.log(JSON.stringify({ seconds, cpu, sums, baskets, others, ...summary }));
