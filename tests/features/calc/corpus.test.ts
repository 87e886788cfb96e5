// Compares with real ROOT over all histograms of files, which two variables of the environment name:
// ORACLE_PYTHON=python XYLEM_CORPUS=FOLDER npx vitest run tests/features/calc/corpus.test.ts
import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { histogramOfObject } from '../../../web/bins/stored-histogram';
import { openRoot, type RootHandle } from '../../../web/node';
import { oraclePython } from '../../oracle';
import { type ByRoot, calculated, compare, nothingChecked } from './by-root';

const folder = process.env.XYLEM_CORPUS;
const judge = join(import.meta.dirname, 'judge/by_root.py');

function rootFiles(at: string): string[] {
  return readdirSync(at, { withFileTypes: true, recursive: true })
    .filter((one) => one.isFile() && one.name.endsWith('.root'))
    .map((one) => join(one.parentPath, one.name))
    .sort();
}

/** The first message of each expression, because one mistake is in many histograms. */
function firstOfEach(wrong: readonly string[]): string[] {
  const byKind = new Map<string, string>();
  for (const text of wrong) {
    const kind = text.replace(/^\S+ .*?\) /, '').replace(/-?\d[\d.e+-]*/g, 'N');
    if (!byKind.has(kind)) byKind.set(kind, text);
  }
  return [...byKind.values()].slice(0, 60);
}

test.skipIf(!oraclePython || !folder)(
  'all operations on all histograms of the corpus are those of ROOT',
  async () => {
    const made = mkdtempSync(join(tmpdir(), 'xylem-calc-'));
    try {
      const lines = join(made, 'by-root.jsonl');
      execFileSync(oraclePython ?? '', [judge, lines, ...rootFiles(folder ?? '')], {
        stdio: ['ignore', 'ignore', 'ignore'],
      });
      const checked = nothingChecked();
      const seen = new Set<string>();
      const operations = new Map<string, number>();
      let open: { path: string; file: RootHandle } | undefined;
      let compared = 0;
      for await (const text of createInterface({ input: createReadStream(lines) })) {
        const line = JSON.parse(text) as ByRoot;
        if (open?.path !== line.file) {
          await open?.file.close();
          open = { path: line.file, file: await openRoot(line.file, { workers: 0 }) };
        }
        const { file } = open;
        const read = async (path: string) => histogramOfObject(await file.object(path));
        try {
          const [h, g] = [await read(line.h), await read(line.g)];
          compare(await calculated(line.expression, { h, g }), line, checked);
        } catch (thrown) {
          checked.wrong.push(`${line.file} ${line.h} ${line.expression}: ${String(thrown)}`);
        }
        compared++;
        seen.add(`${line.file} ${line.h}`);
        const kind = line.expression.replace(/-?\d[\d.e+-]*/g, 'N');
        operations.set(kind, (operations.get(kind) ?? 0) + 1);
      }
      await open?.file.close();
      const { figures, exact, worst, wrong } = checked;
      process.stdout.write(
        `${seen.size} histograms, ${compared} results, ${figures} figures: ${exact} with the same bits, others within ${worst}; ${wrong.length} differ\n`,
      );
      if (process.env.XYLEM_CALC_LIST)
        process.stdout.write(`${[...operations].map(([name, count]) => `${count}\t${name}`).join('\n')}\n`);
      expect(firstOfEach(wrong)).toEqual([]);
      expect(compared).toBeGreaterThan(0);
    } finally {
      rmSync(made, { recursive: true });
    }
  },
  1_800_000,
);
