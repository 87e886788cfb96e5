// One reading of all branches of a tree, or of a random part of its entries, in a process of its own.
//   node bench/sample-read.mjs URL_OR_PATH FRACTION     prints one line of JSON
/** @type {typeof import('../web/node')} */
const { openReader } = await import(new URL('../dist/node.js', import.meta.url).href);

const [target = '', fraction = '1'] = process.argv.slice(2);
const remote = /^https?:/.test(target);
const reader = /** @type {import('../web/write/api').EngineReader} */ (await openReader({ cache: false }));
if (remote) await fetch('data:,');
const file = await reader.open(remote ? { kind: 'url', url: target } : { kind: 'path', path: target });
const [key] = (await reader.keys(file.id)).filter(({ kind }) => kind === 'tree' || kind === 'ntuple');
const tree = key?.path ?? '';
const { branches, entries } = await reader.tree(file.id, tree);
const wanted = branches.filter(({ baskets, kind }) => baskets > 0 && kind !== 'group');
const opened = await reader.traceSummary(file.id);
const start = performance.now();
const used = process.cpuUsage();
const sample = Number(fraction) < 1 ? { entries: { fraction: Number(fraction), seed: 1 } } : {};
const results = await reader.arrays(file.id, { tree, branches: wanted.map(({ index }) => index), ...sample });
const seconds = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage(used);
for (const { branch, error } of results) if (error) throw new Error(`${branch.path}: ${error.message}`);
const done = await reader.traceSummary(file.id);
await reader.close(file.id);
reader.terminate();
console.log(
  JSON.stringify({
    ...{ entries, branches: wanted.length, baskets: wanted.reduce((sum, { baskets }) => sum + baskets, 0) },
    ...{ rows: results[0]?.column?.length ?? 0, seconds, cpu: (user + system) / 1e6 },
    requests: done.requests - opened.requests,
    bytes: done.bytes - opened.bytes,
  }),
);
