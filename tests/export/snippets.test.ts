import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Histogram } from '../../web/api/api';
import { type Snippet, snippets, type Use } from '../../web/export/snippets';
import { contentsOf } from '../../web/plot/histogram';
import { bufferSpec, fixtureBytes, fixtureFolder, makeEngine } from '../engine/fixtures';
import { lacks } from '../needs';
import { oraclePython } from '../oracle';

const root = resolve(import.meta.dirname, '../..');

const uses: { file: string; use: Omit<Use, 'address'> }[] = [
  {
    file: 'leaves',
    use: {
      tree: 't',
      kind: 'TTree',
      branch: 'leaf_D',
      name: 'leaf_D',
      cut: '',
      bins: 10,
      low: -40,
      high: 60,
    },
  },
  {
    file: 'vectors',
    use: { tree: 't', kind: 'TTree', branch: 'v_float', name: 'v_float', cut: '', bins: 7, low: -2, high: 9 },
  },
  {
    file: 'leaves',
    use: {
      tree: 't',
      kind: 'TTree',
      branch: 'leaf_D',
      name: 'leaf_D',
      cut: 'leaf_I%3==1 && leaf_C!="it\'s"',
      bins: 10,
      low: -40,
      high: 60,
    },
  },
];

/** Runs a program as the user gets it, except that it also prints the bins, and returns its counts. */
function run({ tool, language, text }: Snippet, folder: string): number[] {
  const options = {
    cwd: folder,
    encoding: 'utf8' as const,
    stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'],
  };
  let printed: string;
  if (language === 'python') {
    printed = execFileSync(
      oraclePython ?? '',
      ['-c', text.replace('print(counts)', 'print(counts.tolist())')],
      options,
    );
  } else if (language === 'cpp') {
    const body = `${text}\nstd::cout << "[";\nfor (int i = 1; i <= h->GetNbinsX(); ++i) std::cout << (i > 1 ? "," : "") << h->GetBinContent(i);\nstd::cout << "]" << std::endl;`;
    const program = `import ROOT\nROOT.gROOT.SetBatch(True)\nROOT.gInterpreter.Declare(${JSON.stringify(`#include <iostream>\nvoid snippet() {\n${body}\n}`)})\nROOT.snippet()\n`;
    printed = execFileSync(oraclePython ?? '', ['-W', 'ignore', '-c', program], options);
  } else if (language === 'js') {
    const entry = pathToFileURL(join(root, 'dist/node.js')).href;
    const script = join(folder, 'snippet.mjs');
    writeFileSync(
      script,
      text
        .replace("'xylem'", `'${entry}'`)
        .replace('await file.close', 'console.log(JSON.stringify([...histogram.counts]));\nawait file.close'),
    );
    printed = execFileSync(process.execPath, [script], options);
  } else {
    const line = text
      .trim()
      .replace('npx --no xylem', `"${process.execPath}" "${join(root, 'dist/cli/xylem.js')}"`);
    printed = execFileSync('sh', ['-c', `${line} --json`], options);
    const { counts, sums } = JSON.parse(printed) as { counts?: number[]; sums?: number[] };
    return counts ?? sums?.slice(1, -1) ?? [];
  }
  const list = printed.match(/\[[^\]]*\]\s*$/)?.[0];
  if (list === undefined) throw new Error(`${tool} printed ${printed}`);
  return JSON.parse(list) as number[];
}

describe('snippets', () => {
  for (const { file, use } of uses) {
    for (const [i, { tool, language }] of snippets({ ...use, address: 'x' }).entries()) {
      const oracle = language === 'python' || language === 'cpp';
      it.skipIf(oracle && lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
        `${tool} fills the same bins of ${use.name} {${use.cut}}`,
        { timeout: 120_000 },
        async () => {
          const folder = mkdtempSync(join(tmpdir(), 'xylem-snippets-'));
          try {
            // A name that has to be quoted.
            const address = `it's "${file}".root`;
            copyFileSync(join(fixtureFolder, `${file}.root`), join(folder, address));
            const engine = await makeEngine();
            const { id } = await engine.open(bufferSpec(file, fixtureBytes(file)));
            const { tree, branch, cut, bins, low, high } = use;
            const request = { tree, branch, bins, range: [low, high] as [number, number] };
            const ours = (await engine.draw(id, { ...request, cut })) as Histogram;
            const contents = contentsOf(ours);
            expect(contents.some((count) => count > 0)).toBe(true);
            const snippet = snippets({ ...use, address })[i];
            expect(run(snippet as Snippet, folder)).toEqual([...contents]);
          } finally {
            rmSync(folder, { recursive: true });
          }
        },
      );
    }
  }

  it('keeps names from becoming code', () => {
    const hostile = '"); system("x\u0007\n';
    for (const { text, language } of snippets({
      ...(uses[0]?.use as Use),
      address: hostile,
      tree: hostile,
    })) {
      // Between single quotes a shell reads every sign as it is.
      if (language === 'sh') continue;
      // biome-ignore lint/suspicious/noControlCharactersInRegex: looked for
      expect(text).not.toMatch(/\u0007/);
      expect(text).not.toMatch(/(?<!\\)"\); system/);
    }
  });
});
