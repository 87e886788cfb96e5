// One task of `bench/columns.mjs` by the built library, in a process of its own.
//   node bench/columns-read.mjs PATH TREE LIST_OF_BRANCHES HOW
// HOW is sums, chunks, chunks:BYTES, arrays or a format to export, parquet:snappy among them. Prints one line of JSON (seconds, MB).
import { readFileSync } from 'node:fs';

/** @type {typeof import('../web/node')} */
const { openReader, openRoot, readChunks } = await import(
  new URL(process.env.XYLEM_BENCH_DIST ?? '../dist/node.js', import.meta.url).href
);

const [path = '', tree = '', list = '', how = ''] = process.argv.slice(2);
const branches = readFileSync(list, 'utf8').split('\n').filter(Boolean);
const reader = /** @type {import('../web/api/reader').EngineReader} */ (await openReader({ workers: 2 }));
const cpu = process.cpuUsage();
const start = performance.now();
const file = await reader.open({ kind: 'path', path });
let entries = 0;
let bytes = 0;
const [task, size] = how.split(':');
if (task === 'sums') {
  const results = await reader.summarize(file.id, { tree, branches });
  for (const { branch, error } of results) {
    if (error) throw new Error(error.message);
    entries = Math.max(entries, branch.entries);
  }
} else if (task === 'chunks') {
  const request = { tree, branches, ...(size !== undefined && { chunkBytes: Number(size) }) };
  for await (const chunk of readChunks(reader, file.id, request)) entries += chunk.rows;
} else if (task === 'arrays') {
  for (const { column, error } of await reader.arrays(file.id, { tree, branches })) {
    if (!column) throw new Error(error?.message);
    entries = column.length;
  }
} else {
  const format = /** @type {import('../web/node').ExportFormat} */ (task);
  const compression = /** @type {import('../web/node').Compression | undefined} */ (size);
  const events = await (await openRoot(path, { reader })).tree(tree);
  const request = { branches, format, ...(compression && { compression }) };
  for await (const piece of events.export(request)) bytes += piece.length;
}
const wall = performance.now() - start;
const { user, system } = process.cpuUsage(cpu);
reader.terminate();
console.log(
  JSON.stringify({
    wall_s: wall / 1000,
    cpu_s: (user + system) / 1e6,
    rss_mb: process.resourceUsage().maxRSS / 1024,
    entries,
    out_mb: bytes / 1e6,
  }),
);
