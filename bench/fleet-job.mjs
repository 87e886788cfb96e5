// Jobs of bench/fleet.mjs with this library; lines on stdin and stdout as for fleet_job.py.
import { createInterface } from 'node:readline';

/** @type {typeof import('../web/node')} */
const { openReader } = await import(new URL('../dist/node.js', import.meta.url).href);
await import('node:http');
const reader = /** @type {import('../web/write/api').EngineReader} */ (await openReader({ cache: false }));
console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const { url, tree, branches } = JSON.parse(line);
  const before = process.cpuUsage();
  const { id } = await reader.open(url.includes('://') ? { kind: 'url', url } : { kind: 'path', path: url });
  for (const { error } of await reader.arrays(id, { tree, branches }))
    if (error) throw new Error(error.message);
  await reader.close(id);
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ cpu: (user + system) / 1e6 }));
}
process.exit(0);
