import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DoctorFinding, DoctorRemedy, DoctorReport } from '../../../web/api/doctor';
import type { EngineReader } from '../../../web/api/reader';
import { formatBytes, formatCount } from '../../../web/base/format';
import { examine } from '../../../web/features/doctor/work/doctor';
import { run } from '../../cli/support';
import { openReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';

const maker = resolve(import.meta.dirname, 'ill_files.py');
const cli = resolve(import.meta.dirname, '../../../dist/cli/xylem.js');
const docs = resolve(import.meta.dirname, '../../../docs/features/doctor.md');

/** Values that the maker of the files measures with ROOT: see there. */
type Measured = Record<string, number>;

/** The files, the tree of each that is ill, and the rules that find it. */
const files: Record<string, { tree: string; rules: string[] }> = {
  scattered: { tree: 't', rules: ['scattered'] },
  tiny: { tree: 't', rules: ['tiny-baskets'] },
  'small-clusters': { tree: 't', rules: ['small-clusters', 'tiny-baskets'] },
  misaligned: { tree: 't', rules: ['misaligned', 'scattered'] },
  merged: { tree: 't', rules: ['wrong-clusters'] },
  'large-clusters': { tree: 't', rules: ['large-clusters', 'poor-compression'] },
  embedded: { tree: 't', rules: ['embedded-baskets'] },
  uncompressed: { tree: 't', rules: ['uncompressed'] },
  lzma: { tree: 't', rules: ['slow-compression'] },
  unkempt: { tree: 't', rules: ['free-space', 'old-cycles'] },
  left: { tree: 't', rules: ['constant-branches', 'duplicate-branches', 'empty-branches'] },
  'ntuple-small': { tree: 'n', rules: ['small-clusters', 'small-pages'] },
  'ntuple-plain': { tree: 'n', rules: ['poor-encoding'] },
  'ntuple-large': { tree: 'n', rules: ['large-clusters', 'poor-encoding'] },
};

/** Lines of the table in the documents. */
const rows: string[] = [];

const withoutRoot = lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined);

describe.skipIf(withoutRoot)("the doctor's remedies, run by ROOT", () => {
  let folder = '';
  let environment: NodeJS.ProcessEnv;
  let reader: EngineReader;

  const python = (...args: string[]): string =>
    execFileSync(oraclePython ?? '', ['-W', 'ignore', ...args], { encoding: 'utf8', cwd: folder });
  const measure = (jobs: unknown[]): Measured[] => JSON.parse(python(maker, 'measure', JSON.stringify(jobs)));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'xylem-doctor-'));
    python(maker, 'make', folder);
    const binaries = python('-c', 'import ROOT; print(ROOT.TROOT.GetBinDir())').trim();
    environment = { ...process.env, PATH: [binaries, process.env.PATH].join(delimiter) };
    reader = await openReader();
  }, 900_000);

  afterAll(() => {
    reader?.terminate();
    if (folder) rmSync(folder, { recursive: true });
    if (process.env.XYLEM_WRITE_DOCS && rows.length > 0) writeTable();
  });

  async function look(name: string, deep = false): Promise<DoctorReport> {
    const { id } = await reader.open({ kind: 'path', path: join(folder, name) });
    try {
      return await examine(reader, { id, name, rootVersion: '' }, { deep });
    } finally {
      await reader.close(id);
    }
  }

  /** As a user does it: the lines are saved, or pasted, and run in the folder of the file. */
  function apply({ file, run: command, lines }: DoctorRemedy): void {
    if (file !== undefined) writeFileSync(join(folder, file), `${lines.join('\n')}\n`);
    const line = command ?? lines.join('\n');
    execFileSync('sh', ['-c', `xylem() { node '${cli}' "$@"; }\n${line}`], {
      cwd: folder,
      env: environment,
      stdio: 'pipe',
    });
  }

  test.each(Object.entries(files))(
    '%s',
    async (name, { tree, rules }) => {
      const old = `${name}.root`;
      const repaired = `${name}-repaired.root`;
      const report = await look(old);
      expect(report.notes).toEqual([]);
      expect(report.findings.map(({ rule }) => rule).sort()).toEqual(rules);
      const remedies = new Map(
        report.findings.flatMap((finding) => finding.remedies).map((one) => [one.lines.join('\n'), one]),
      );
      for (const remedy of remedies.values()) {
        rmSync(join(folder, repaired), { force: true });
        apply(remedy);
        const by = report.findings.filter((finding) => finding.remedies.includes(remedy));
        // Nothing is lost: keys, objects, and all values.
        const diff = await run(reader, 'diff', join(folder, old), join(folder, repaired));
        expect(diff.out, `${name} by ${remedy.for}`).toMatch(/^the same: /);
        expect(diff.status).toBe(0);
        const after = await look(repaired);
        for (const finding of by) expect(after.findings.map(({ rule }) => rule)).not.toContain(finding.rule);
        const measured = measureBoth(by, old, repaired, tree);
        for (const finding of by) check(finding, remedy.for, old, repaired, tree === 't', measured);
      }
      // A finding that is only information says so, and names no lines that would remove data.
      for (const finding of report.findings.filter((one) => one.remedies.length === 0)) {
        expect(finding.promises).toEqual([]);
        expect(finding.costs).toEqual([]);
        rows.push(
          `| ${finding.rule} | ${tree === 'n' ? 'RNTuple' : 'TTree'} | none | worth knowing only | |`,
        );
      }
    },
    900_000,
  );

  /**
   * Returns the values that ROOT measures for both files, by the name of the reading; "" is without a
   * reading.
   */
  function measureBoth(
    findings: readonly DoctorFinding[],
    old: string,
    repaired: string,
    tree: string,
  ): Map<string, [before: Measured, after: Measured]> {
    const jobs = new Map<string, object>([['', {}]]);
    for (const { rule, costs } of findings) {
      for (const { reading, branches } of costs)
        jobs.set(reading, { branches, cache: reading.includes('TTreeCache') ? 30_000_000 : 0 });
      if (rule === 'slow-compression') jobs.set('all', { cache: 30_000_000 });
    }
    const asked = [...jobs].flatMap(([, job]) => [old, repaired].map((file) => ({ file, tree, ...job })));
    const answers = measure(asked);
    return new Map([...jobs.keys()].map((key, i) => [key, [answers[2 * i] ?? {}, answers[2 * i + 1] ?? {}]]));
  }

  /** Holds what a finding promises against what ROOT measures of both files. */
  function check(
    finding: DoctorFinding,
    by: string,
    old: string,
    repaired: string,
    isTree: boolean,
    measured: ReturnType<typeof measureBoth>,
  ): void {
    const [before, after] = measured.get('') ?? [{}, {}];
    const told: string[] = [];
    const seen: string[] = [];
    for (const { what, now, after: promised } of finding.promises) {
      const isBytes = what.startsWith('bytes');
      const show = isBytes ? formatBytes : formatCount;
      expect(before[what], `${what} of ${old}`).toBe(now);
      // Never is less gained than was said, but for what a header or two takes.
      expect(after[what], `${what} of ${repaired}`).toBeLessThanOrEqual(
        1.1 * promised + (isBytes ? 5000 : 0),
      );
      if (what === 'clusters') expect(after[what], `${what} of ${repaired}`).toBe(promised);
      told.push(`${what} ${show(now)} → ${show(promised)}`);
      seen.push(`${what} ${show(now)} → ${show(after[what] ?? Number.NaN)}`);
    }
    for (const { reading, calls, betterCalls } of finding.costs.slice(0, 2)) {
      const [first, second] = measured.get(reading) ?? [{}, {}];
      expect(Math.abs((first.calls ?? 0) - calls), `calls, ${reading}`).toBeLessThanOrEqual(1 + 0.02 * calls);
      expect(second.calls, `calls afterwards, ${reading}`).toBeLessThanOrEqual(1.1 * betterCalls + 1);
      told.push(`calls for ${reading} ${formatCount(calls)} → ${formatCount(betterCalls)}`);
      seen.push(`calls ${formatCount(first.calls ?? 0)} → ${formatCount(second.calls ?? 0)}`);
    }
    const [large = 0, small = 0] = [before['bytes of the file'], after['bytes of the file']];
    if (finding.rule === 'uncompressed' || finding.rule === 'poor-encoding') {
      expect(small).toBeLessThan(0.95 * large);
      told.push('a smaller file');
      seen.push(`bytes of the file ${formatBytes(large)} → ${formatBytes(small)}`);
    }
    if (finding.rule === 'slow-compression') {
      const [slow, fast] = measured.get('all') ?? [{}, {}];
      expect((slow.cpu ?? 0) / (fast.cpu ?? 1)).toBeGreaterThan(2);
      expect(small / large).toBeGreaterThan(1);
      expect(small / large).toBeLessThan(1.35);
      told.push('CPU time of reading divided by several; a file larger by 5 to 30 %');
      seen.push(
        `CPU time of reading divided by more than 2; a file larger by ${((small / large - 1) * 100).toFixed(0)} %`,
      );
    }
    rows.push(
      `| ${finding.rule} | ${isTree ? 'TTree' : 'RNTuple'} | ${by} | ${told.join('; ')} | ${seen.join('; ')} |`,
    );
  }

  test('deep: branches that are the same are, and only they', async () => {
    const { findings } = await look('left.root', true);
    const same = findings.find(({ rule }) => rule === 'duplicate-branches');
    expect(same).toMatchObject({ grade: 'poor', branches: ['walk', 'copy'], remedies: [] });
  });

  test('a program does not write over what is there, and leaves nothing half done', async () => {
    const report = await look('tiny.root');
    const remedy = report.findings[0]?.remedies[0] as DoctorRemedy;
    writeFileSync(join(folder, 'tiny-repaired.root'), 'mine');
    expect(() => apply(remedy)).toThrow(/new one exists/);
    rmSync(join(folder, 'tiny-repaired.root'));
  });
});

/** Writes the table between the marks of the document. */
function writeTable(): void {
  const text = readFileSync(docs, 'utf8');
  const [head = '', , tail = ''] = text.split(/<!-- measured -->/);
  const lines = [
    '| Rule | Of | Remedy | Promised | Measured by ROOT |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ];
  writeFileSync(docs, `${head}<!-- measured -->\n${lines.join('\n')}\n<!-- measured -->${tail}`);
}
