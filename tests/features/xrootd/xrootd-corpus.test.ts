import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { FileId } from '../../../web/api/api';
import type { EngineApi } from '../../../web/api/engine-api';
import { openReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { realServers, startRealServer } from '../../servers/real-servers';

const corpus = process.env.XYLEM_CORPUS ?? '';
const { XRootD } = realServers;

/** Parts are added in the order in which they come, so that last digits of sums, and small deviations, differ. */
function comparable(name: string, value: unknown): unknown {
  if (/^(url|mean|stdDev)$/.test(name)) return undefined;
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(9)) : value;
}

/** The content of a file: its keys, and of each tree the numbers of all its branches, or why they cannot be read. */
async function contentOf(reader: EngineApi, id: FileId): Promise<unknown> {
  const keys = await reader.keys(id);
  const trees = keys.filter(({ kind }) => kind === 'tree' || kind === 'ntuple');
  const sums: unknown[] = [];
  for (const { path, cycle } of trees) {
    const tree = `${path};${cycle}`;
    const found = await reader.summarize(id, { tree }).catch((thrown) => ({ failed: thrown.code }));
    sums.push(JSON.parse(JSON.stringify(found, comparable)));
  }
  return { keys, sums };
}

test.skipIf(lacks('the files of XYLEM_CORPUS', existsSync(corpus)) || XRootD.program === undefined)(
  'every file of the corpus is the same over root:// and from the disk',
  async () => {
    const server = await startRealServer(XRootD, new Uint8Array(100));
    const reader = await openReader({ cache: false });
    symlinkSync(resolve(corpus), join(dirname(server.path), 'corpus'));
    const base = server.url.replace(/^http/, 'root').replace(/\/file\.root$/, '//corpus/');
    try {
      const names = readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('.root'),
      );
      expect(names.length).toBeGreaterThan(100);
      for (const name of names) {
        const opened = [
          reader.open({ kind: 'path', path: join(corpus, name) }),
          reader.open({ kind: 'url', url: `${base}${name.split('/').map(encodeURIComponent).join('/')}` }),
        ].map((one) => one.catch((thrown) => ({ id: undefined, code: thrown.code })));
        const [local, remote] = await Promise.all(opened);
        expect(remote?.id === undefined, name).toBe(local?.id === undefined);
        if (local?.id === undefined || remote?.id === undefined) {
          expect(remote, name).toEqual(local);
          continue;
        }
        expect(await contentOf(reader, remote.id), name).toEqual(await contentOf(reader, local.id));
        await Promise.all([reader.close(local.id), reader.close(remote.id)]);
      }
    } finally {
      reader.terminate();
      await server.stop();
    }
  },
  600_000,
);
