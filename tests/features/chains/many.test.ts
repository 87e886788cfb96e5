import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../cli/support';
import { makeEngine } from '../../engine/fixtures';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';

/** XYLEM_MANY=2000 makes the table of docs/features/chains.md. */
const total = Number(process.env.XYLEM_MANY ?? 60);

test.skipIf(lacks('ORACLE_PYTHON', oraclePython !== undefined))(
  'results of many files add up to what RDataFrame says, whatever the grouping',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'xylem-many-'));
    try {
      const at = (name: string): string => join(folder, name);
      const fixtures = resolve(import.meta.dirname, '../../fixtures/files');
      const script = resolve(import.meta.dirname, 'many_files.py');
      execFileSync(oraclePython ?? '', ['-W', 'ignore', script, folder, String(total), fixtures]);
      const truth = JSON.parse(readFileSync(at('truth.json'), 'utf8'));
      const files = readFileSync(at('files.txt'), 'utf8').split('\n');
      const reader = await makeEngine();
      const draw = async (list: readonly string[], out: string, cut: string[]): Promise<void> => {
        writeFileSync(at(`${out}.txt`), list.join('\n'));
        await run(
          reader,
          'draw',
          `@${at(`${out}.txt`)}`,
          'manysmall',
          'x>>h(40,-10,15)',
          ...cut,
          '--partial',
          at(out),
        );
      };
      for (const [name, cut] of [
        ['counts', []],
        ['weighted', ['w']],
      ] as const) {
        await draw(files, 'one', [...cut]);
        const one = readFileSync(at('one'), 'utf8');
        const { inputs, failed } = JSON.parse(one);
        expect(inputs).toHaveLength(truth.sound);
        expect(failed).toHaveLength(files.length - truth.sound);
        for (const parts of [7, files.length]) {
          const order = shuffled(Array.from({ length: parts }, (_, i) => i));
          for (const part of order)
            await draw(
              files.filter((_, i) => i % parts === part),
              `part-${part}`,
              [...cut],
            );
          for (let round = 0; round < 2; round++) {
            writeFileSync(at('parts.txt'), shuffled(order.map((part) => at(`part-${part}`))).join('\n'));
            await run(reader, 'combine', `@${at('parts.txt')}`, '--partial', at('sum'));
            expect(readFileSync(at('sum'), 'utf8') === one, `${parts} parts of ${name}`).toBe(true);
          }
        }
        const { out } = await run(reader, 'combine', at('one'), '--json');
        const { sums, entries } = JSON.parse(out);
        expect(entries).toBe(truth.entries);
        (sums as number[]).forEach((sum, i) => {
          if (name === 'counts') expect(sum).toBe(truth.counts[i]);
          else expect(Math.abs(sum - truth.weighted[i])).toBeLessThanOrEqual(1e-12 * truth.sizes[i]);
        });
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  1_800_000,
);

function shuffled<T>(list: readonly T[]): T[] {
  const copy = [...list];
  for (let i = copy.length - 1; i > 0; i--) {
    const k = Math.floor(Math.random() * (i + 1));
    [copy[i], copy[k]] = [copy[k] as T, copy[i] as T];
  }
  return copy;
}
