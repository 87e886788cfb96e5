import { beforeAll, expect, test } from 'vitest';
import type { FileInfo } from '../../../../web/api/api';
import type { Sink } from '../../../../web/api/sink';
import { toXylemError, XylemError } from '../../../../web/base/errors';
import { nodeModules } from '../../../../web/core/modules/node-modules';
import { randomNumbers } from '../../../../web/features/fleet/work/random';
import { mergeFiles } from '../../../../web/features/writer/work/merge/merge-files';
import { salvageFile } from '../../../../web/features/writer/work/salvage/salvage';
import { HEAL_LEVELS, healFile } from '../../../../web/features/writer/work/verbs/heal';
import { skimFile } from '../../../../web/features/writer/work/verbs/skim';
import { bufferSpec, fixtureBytes, makeEngine } from '../../../engine/fixtures';
import { withReader } from '../../../engine-reader';
import { bothModules } from '../module';
import { type OpenedFile, openMetadata } from './metadata';
import { mutate } from './mutate';

// Files whose metadata were changed at random. XYLEM_MUTANTS=1500 makes more of them, and XYLEM_FIRST_SEED others.
const MUTANTS = Number(process.env.XYLEM_MUTANTS ?? 90);
const FIRST = Number(process.env.XYLEM_FIRST_SEED ?? 1);
const FILES = [
  'clusters',
  'vectors',
  'strings',
  'embedded',
  'histograms',
  'references',
  'rntuple',
  'cycles',
  'graphs',
];
/** Metadata that every file gets, as the streamer infos of ROOT 6.40, which salvage may take. */
const OWN_BYTES = 64 * 1024;
/** Budgets of docs/features/writer.md: milliseconds of a hang, and bytes of memory; these files need an eighth of a gigabyte. */
const MAX_MS = 20_000;
const MAX_MEMORY = 2 ** 29;

const reader = withReader(makeEngine);
let writer: WebAssembly.Module;
let opened: OpenedFile[];
beforeAll(async () => {
  writer = await nodeModules('write');
  const modules = await bothModules();
  opened = FILES.map((name) => openMetadata(modules, fixtureBytes(name)));
});

/** Bytes that this thread holds, WebAssembly included: other tests of the same process do not count. */
const memoryHeld = () => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

type Write = (file: FileInfo, sink: Sink) => Promise<unknown>;

const verbs: [name: string, inputs: number, write: Write][] = [
  ...HEAL_LEVELS.map((level): [string, number, Write] => [
    `heal ${level}`,
    1,
    (file, sink) => healFile(reader, file, sink, { writer, name: 'new.root', level }),
  ]),
  ['skim', 1, (file, sink) => skimFile(reader, file, sink, { writer, name: 'new.root' })],
  [
    'skim of entries',
    1,
    (file, sink) => skimFile(reader, file, sink, { writer, name: 'new.root', entries: [1, 40] }),
  ],
  [
    'skim to rntuple',
    1,
    (file, sink) => skimFile(reader, file, sink, { writer, name: 'new.root', to: 'rntuple' }),
  ],
  ['salvage', 1, (file, sink) => salvageFile(reader, file, sink, { writer, name: 'new.root' })],
  ...(['strict', 'filter', 'union'] as const).map((schema): [string, number, Write] => [
    `merge ${schema}`,
    2,
    (file, sink) => {
      const open = async () => ({ reader, info: file, close: async () => {} });
      const inputs = ['a', 'b'].map((name) => ({ name, open }));
      return mergeFiles(inputs, sink, { writer, name: 'new.root', schema });
    },
  ]),
];

test('a changed file makes no verb hang, write more than twice its input, take the memory, or fail without a reason', async () => {
  let written = 0;
  let refused = 0;
  // The last one has baskets of less than no bytes.
  for (const seed of [...Array.from({ length: MUTANTS }, (_, i) => FIRST + i), 1012]) {
    const random = randomNumbers(seed);
    const file = opened[Math.floor(random() * opened.length)] as OpenedFile;
    const bytes = mutate(file, random);
    const info = await reader.open(bufferSpec('mutant.root', bytes)).catch((thrown: unknown) => {
      expect(toXylemError(thrown).code).not.toBe('INTERNAL');
      return undefined;
    });
    if (!info) continue;
    for (const [name, inputs, write] of verbs) {
      // Seeds of a failure stand in its message.
      const what = `${name} of seed ${seed}`;
      const most = 2 * inputs * bytes.length + OWN_BYTES;
      const sink: Sink = {
        write: async (at, more) => {
          if (at + more.length > most) throw new Error(`${what} writes more than ${most} bytes`);
        },
      };
      const start = performance.now();
      try {
        await write(info, sink);
        written++;
      } catch (thrown) {
        refused++;
        expect(thrown, `${what}: ${String(thrown)}`).toBeInstanceOf(XylemError);
        expect((thrown as XylemError).code, `${what}: ${String(thrown)}`).not.toBe('INTERNAL');
      }
      expect(performance.now() - start, `${what} hangs`).toBeLessThan(MAX_MS);
      expect(memoryHeld(), `memory after ${what}`).toBeLessThan(MAX_MEMORY);
    }
    await reader.close(info.id);
  }
  expect(written).toBeGreaterThan(MUTANTS);
  expect(refused).toBeGreaterThan(MUTANTS);
}, 3_600_000);
