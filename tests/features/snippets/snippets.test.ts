import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Histogram } from '../../../web/api/api';
import { type Snippet, snippets, type Use } from '../../../web/features/snippets/work/snippets';
import { bufferSpec, fixtureBytes, fixtureFolder, makeEngine } from '../../engine/fixtures';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';

const root = resolve(import.meta.dirname, '../../..');

const leafD = { tree: 't', kind: 'TTree', expr: 'leaf_D', axes: [{ bins: 10, low: -40, high: 60 }] } as const;
const uses: { file: string; use: Omit<Use, 'address'> }[] = [
  { file: 'leaves', use: { ...leafD, axes: [...leafD.axes], branch: 'leaf_D', cut: '' } },
  {
    file: 'vectors',
    use: {
      ...{ tree: 't', kind: 'TTree', branch: 'v_float', expr: 'v_float', cut: '' },
      axes: [{ bins: 7, low: -2, high: 9 }],
    },
  },
  {
    file: 'leaves',
    use: { ...leafD, axes: [...leafD.axes], branch: 'leaf_D', cut: 'leaf_I%3==1 && leaf_C!="it\'s"' },
  },
  { file: 'leaves', use: { ...leafD, axes: [...leafD.axes], expr: 'leaf_D*2+1', cut: 'leaf_I%3' } },
  {
    file: 'leaves',
    use: {
      ...{ tree: 't', kind: 'TTree', expr: 'leaf_I:leaf_D', cut: '' },
      axes: [
        { bins: 6, low: -40, high: 60 },
        { bins: 4, low: 0, high: 2_000_000 },
      ],
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
    const loop = 'for (int j = 1; j <= h->GetNbinsY(); ++j) for (int i = 1; i <= h->GetNbinsX(); ++i)';
    const body = `${text}\nstd::cout << "[";\n${loop} std::cout << (i * j > 1 ? "," : "") << h->GetBinContent(h->GetBin(i, j));\nstd::cout << "]" << std::endl;`;
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
    return contentsWithin(JSON.parse(printed) as Histogram);
  }
  const list = printed.match(/\[[^\]]*\]\s*$/)?.[0];
  if (list === undefined) throw new Error(`${tool} printed ${printed}`);
  return JSON.parse(list) as number[];
}

/** The contents of all bins, x running fastest, without under- and overflow. */
function contentsWithin({ axes: [x, y], sums }: Pick<Histogram, 'axes' | 'sums'>): number[] {
  const width = (x?.bins ?? 0) + 2;
  const rows = Array.from({ length: y?.bins ?? 1 }, (_, j) => (y === undefined ? 0 : j + 1));
  return rows.flatMap((row) => [...sums.slice(row * width + 1, (row + 1) * width - 1)]);
}

describe('snippets', () => {
  for (const { file, use } of uses) {
    for (const [i, { tool, language }] of snippets({ ...use, address: 'x' }).entries()) {
      const oracle = language === 'python' || language === 'cpp';
      it.skipIf(oracle && lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
        `${tool} fills the same bins of ${use.expr} {${use.cut}}`,
        { timeout: 120_000 },
        async () => {
          const folder = mkdtempSync(join(tmpdir(), 'xylem-snippets-'));
          try {
            // A name that has to be quoted.
            const address = `it's "${file}".root`;
            copyFileSync(join(fixtureFolder, `${file}.root`), join(folder, address));
            const engine = await makeEngine();
            const { id } = await engine.open(bufferSpec(file, fixtureBytes(file)));
            const { tree, branch, expr, cut } = use;
            const axes = use.axes.map(({ bins, low, high }) => ({
              bins,
              range: [low, high] as [number, number],
            }));
            const what = branch === undefined ? { expr } : { branch };
            const contents = contentsWithin(
              (await engine.draw(id, { tree, ...what, axes, cut })) as Histogram,
            );
            expect(contents.some((count) => count > 0)).toBe(true);
            const snippet = snippets({ ...use, address })[i];
            expect(run(snippet as Snippet, folder)).toEqual(contents);
          } finally {
            rmSync(folder, { recursive: true });
          }
        },
      );
    }
  }

  it('draws profiles as profiles, and puts what begins with a minus behind the options', () => {
    const [axis] = leafD.axes;
    const use = { ...leafD, address: 'f.root', expr: '-leaf_D:leaf_I', cut: '', profile: true, axes: [axis] };
    const text = (tool: string) => snippets(use).find((one) => one.tool === tool)?.text;
    expect(text('TTree::Draw')).toContain('new TProfile("h", "-leaf_D:leaf_I", 10, -40, 60);');
    expect(text('TTree::Draw')).toContain('tree->Draw("-leaf_D:leaf_I>>h", "", "prof");');
    expect(text('xylem, library')).toContain("{ option: 'prof', bins: 10, range: [-40, 60] }");
    expect(text('xylem, command')).toBe(
      "npx --no xylem draw --option prof --bins 10 --range=-40:60 -- f.root t '-leaf_D:leaf_I'\n",
    );
    expect(snippets(use).map(({ tool }) => tool)).not.toContain('uproot');
  });

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
