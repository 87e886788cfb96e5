// One process of memory.mjs: reads all branches of a tree, and prints the peak of resident memory.
//   node bench/memory-read.mjs FILE TREE draw|summary TIMES WORKERS
/** @type {typeof import('../web/node')} */
const { openReader } = await import(new URL('../dist/node.js', import.meta.url).href);

const [path = '', tree = '', how, times = '1', workers = '2'] = process.argv.slice(2);
/** @type {import('../web/node').WholeSource} */
const source = { kind: 'path', path };
const files = Array.from({ length: Number(times) }, () => ({ source }));
const reader = await openReader({ workers: Number(workers) });
const start = performance.now();
const { id } = await reader.open(files.length > 1 ? { kind: 'chain', files } : source);
const { branches, entries } = await reader.tree(id, tree);
const numbers = branches.filter(({ kind, baskets }) => kind === 'number' && baskets > 0);
let values = 0;
if (how === 'draw') {
  for (const { index } of numbers) {
    const drawn = await reader.draw(id, { tree, branch: index, bins: 100 });
    if (drawn.kind !== 'histogram' || drawn.partial) throw new Error(`no histogram of branch ${index}`);
    values += drawn.fills;
  }
} else {
  const summaries = await reader.summarize(id, { tree, branches: numbers.map(({ index }) => index) });
  for (const { values: some, error } of summaries) {
    if (error) throw new Error(error.message);
    values += some;
  }
}
const rss = process.resourceUsage().maxRSS / 1024;
console.log(
  JSON.stringify({
    branches: numbers.length,
    entries,
    values,
    wall_s: (performance.now() - start) / 1000,
    rss_mb: rss,
  }),
);
reader.terminate();
