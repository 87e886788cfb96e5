// @ts-nocheck: it runs the built library, which has no types here.
// node --expose-gc descriptors.mjs NODE_JS FILE: opens, reads and closes a file in all ways, by path and by address, and
// prints how many descriptors are open before and after each.
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';

const [, , program = '', path = ''] = process.argv;
const { openReader, openRoot } = await import(pathToFileURL(program).href);
const bytes = readFileSync(path);
const TIMES = 12;

const server = createServer((request, response) => {
  const [from, to] = (/bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? []).slice(1).map(Number);
  const last = Math.min(to ?? bytes.length, bytes.length - 1);
  response.writeHead(206, { ETag: '"a"', 'Content-Range': `bytes ${from}-${last}/${bytes.length}` });
  response.end(bytes.subarray(from, last + 1));
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const url = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/file.root`;

/** Descriptors by what they lead to; connections are kept for the next file, and so are not counted. */
function descriptors() {
  const links = readdirSync('/proc/self/fd').map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      return '';
    }
  });
  return links.filter((link) => link.startsWith('/') || link.includes('pipe')).length;
}

const threads = () => readdirSync('/proc/self/task').length;
const events = (file) => file.tree('Events');
const all = async (rows) => {
  for await (const _ of rows);
};
const ways = {
  keys: (file) => file.keys(),
  draw: async (file) => (await events(file)).draw('MET_pt', { bins: 5, range: [0, 9] }),
  arrays: async (file) => (await events(file)).arrays(['MET_pt', 'Jet_pt']),
  chunks: async (file) => all((await events(file)).chunks(['MET_pt'])),
  scan: async (file) => all((await events(file)).scan('MET_pt')),
  export: async (file) => all((await events(file)).export({ format: 'csv', branches: ['MET_pt'] })),
  histogram: (file) => file.histogram('plots/dimuonMass'),
  'not waited for': async (file) => {
    const tree = await events(file);
    tree.arrays(['MET_pt', 'Jet_pt']).catch(() => {});
  },
};

const found = {};
/** Counts before and after; `wait`: whether what ends by itself, as a thread does, is waited for. */
async function count(name, run, wait = false) {
  const before = descriptors();
  const result = await run();
  for (let left = wait ? 100 : 10; left > 0 && descriptors() > before; left--)
    await new Promise((done) => setTimeout(done, 20));
  found[name] = { before, after: descriptors(), ...result };
}

// Parts of the program that are loaded once are loaded.
for (const way of Object.values(ways)) {
  const file = await openRoot(path);
  await way(file);
  await file.close();
}
await new Promise((done) => setTimeout(done, 200));
for (const [kind, source] of Object.entries({ path, url })) {
  for (const [name, way] of Object.entries(ways)) {
    await count(`${name} by ${kind}`, async () => {
      for (let i = 0; i < TIMES; i++) {
        const file = await openRoot(source);
        await way(file);
        await file.close();
      }
    });
  }
}
// Decode workers start when there is enough work for one reader.
await count(
  'workers',
  async () => {
    const reader = await openReader({ workers: 2 });
    const file = await openRoot(path, { reader });
    const tree = await events(file);
    const before = threads();
    // The bytes of a column are kept after the first time, and decoded each time.
    for (let i = 0; i < 400 && threads() === before; i++) await tree.arrays(['MET_pt', 'Jet_pt', 'Muon_pt']);
    for (let i = 0; i < 20; i++) await tree.arrays(['Jet_pt', 'Muon_pt']);
    const started = threads() - before;
    await file.close();
    reader.terminate();
    return { started };
  },
  true,
);
// A reader that stays: its files are closed soon after.
await count(
  'a reader that stays',
  async () => {
    const reader = await openReader({ workers: 2 });
    for (let i = 0; i < TIMES; i++) {
      const file = await openRoot(path, { reader });
      await ways.arrays(file);
      await file.close();
    }
  },
  true,
);
process.stdout.write(JSON.stringify(found), () => process.exit());
