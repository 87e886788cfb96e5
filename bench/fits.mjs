// npm run bench fits: fits of xylem beside those of ROOT, of the same data and in turns. ORACLE_PYTHON or python3 has ROOT; without
// it, xylem alone. Each time is the median of RUNS fits after one that is not counted.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../scripts/run.mjs';
import { keep } from './history.mjs';

if (process.argv.some((word) => word === '--help' || word === '-h')) {
  process.stdout.write('npm run bench fits -- [RUNS]   RUNS: rounds, 5 by default\n');
  process.exit();
}
const rounds = Number(process.argv[2] ?? 5);
const { fitHistogram } = await import(join(root, 'dist/node.js'));

/** Numbers from 0 to 1 that are the same in each run. */
let seed = 52;
const next = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return (seed + 0.5) / 2 ** 32;
};
const normal = () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());

/** Counts of a function at the middles of bins. */
const counts = (
  /** @type {(x: number) => number} */ f,
  /** @type {number} */ n,
  /** @type {number} */ low,
  /** @type {number} */ high,
) =>
  Array.from({ length: n }, (_, i) => {
    const mean = f(low + ((i + 0.5) * (high - low)) / n);
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
  });

const gauss = (/** @type {number} */ x) => 800 * Math.exp(-0.5 * ((x - 91) / 2.5) ** 2);
const tail = (/** @type {number} */ x) => {
  const z = x / 1.2;
  return 900 * (z > -1.3 ? Math.exp(-0.5 * z * z) : Math.exp(-0.845) * (2.30769 / (1.00769 - z)) ** 3);
};

const CASES = [
  { name: 'gaus, 100 bins', bins: [100, 81, 101], f: gauss, fit: 'gaus' },
  {
    name: 'gaus(0)+expo(3), 100 bins, L',
    bins: [100, 60, 120],
    f: (/** @type {number} */ x) => gauss(x) + Math.exp(8 - 0.05 * x),
    fit: 'gaus(0)+expo(3)',
    options: 'L',
    start: [700, 91, 2, 7, -0.04],
  },
  { name: 'gaus, 100 bins, mean over bins', bins: [100, 81, 101], f: gauss, fit: 'gaus', options: 'I' },
  {
    name: 'crystalball, 10,000 bins',
    bins: [10_000, -10, 5],
    f: tail,
    fit: 'crystalball',
    start: [800, 0.1, 1, 1.5, 3.5],
  },
  { name: 'gausn, 1,000,000 values', values: 1_000_000, fit: 'gausn', start: [9e5, 0.1, 1.1] },
];

const folder = await mkdtemp(join(tmpdir(), 'xylem-fits-'));
try {
  const table = [];
  /** @type {Record<string, object>} */
  const figures = {};
  for (const one of CASES) {
    const [n = 0, low = 0, high = 0] = one.bins ?? [];
    const data = one.values
      ? Float64Array.from({ length: one.values }, normal)
      : Float64Array.from(counts(one.f ?? gauss, n, low, high));
    const path = join(folder, 'data.bin');
    await writeFile(path, data);
    const edges = Float64Array.from({ length: n + 1 }, (_, i) => low + (i * (high - low)) / n);
    const input = one.values ? { kind: 'values', x: data } : { counts: data, edges };
    const parameters = Object.fromEntries((one.start ?? []).map((value, i) => [String(i), value]));
    const asked = { options: one.options, parameters, ...(one.values && { range: [-10, 10] }) };
    /** @type {number[]} */
    const own = [];
    /** @type {{ ms: number, calls: number, values: number[], errors: number[] }[]} */
    const theirs = [];
    let result = await fitHistogram(input, one.fit, asked);
    for (let round = 0; round < rounds; round++) {
      const begin = performance.now();
      result = await fitHistogram(input, one.fit, asked);
      own.push(performance.now() - begin);
      const words = [
        one.fit,
        one.options ?? '',
        String(n),
        String(low),
        String(high),
        JSON.stringify(one.start ?? []),
      ];
      const { stdout } = spawnSync(process.env.ORACLE_PYTHON ?? 'python3', [
        ...['-W', 'ignore', join(root, 'bench/peers/fit_root.py')],
        ...[path, ...words],
      ]);
      const answer = /^\{.*\}$/m.exec(String(stdout))?.[0];
      if (answer) theirs.push(JSON.parse(answer));
    }
    const median = (/** @type {number[]} */ list) =>
      list.sort((a, b) => a - b)[list.length >> 1] ?? Number.NaN;
    const ms = median(own);
    const other = median(theirs.map((answer) => answer.ms));
    const [first] = theirs;
    const away = (first?.values ?? []).map(
      (value, i) => Math.abs(value - (result.parameters[i]?.value ?? 0)) / (first?.errors[i] ?? 1),
    );
    const off = Math.max(0, ...away);
    figures[one.name] = { ms, of_ROOT: ms / other, off };
    table.push(
      `${one.name.padEnd(34)} ${ms.toFixed(1).padStart(9)} ms   ROOT ${other.toFixed(1).padStart(9)} ms   ratio ${(ms / other).toFixed(2)}   ` +
        `${result.calls} calls, ROOT ${first?.calls}; parameters differ by ${off.toExponential(1)} of their errors`,
    );
  }
  process.stdout.write(`${table.join('\n')}\n`);
  keep('fits', figures, false);
} finally {
  await rm(folder, { recursive: true });
}
