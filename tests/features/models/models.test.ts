import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { tensorOf } from '../../../web/features/models/work/tensors';
import { openRoot } from '../../../web/node';
import { lacks } from '../../needs';

// A network and what onnxruntime says of it in Python: tests/fixtures/models/make_models.py. XYLEM_ONNX names a folder with
// onnxruntime-node or onnxruntime-web in its node_modules.

const fixtures = resolve(import.meta.dirname, '../../fixtures/models');
const sample = resolve(import.meta.dirname, '../../../public/sample.root');
const installed = process.env.XYLEM_ONNX;
const folder = mkdtempSync(join(tmpdir(), 'xylem-models-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
copyFileSync(join(fixtures, 'dnn.onnx'), at('dnn.onnx'));
copyFileSync(join(fixtures, 'dnn.json'), at('dnn.json'));

const SELECTOR = `let dnn;
let rows;
export default {
  files: { dnn: 'dnn.onnx', rows: 'dnn.json' },
  branches: { n: 'nMuon', met: 'MET_pt' },
  begin(job) {
    dnn = job.model('dnn');
    rows = job.files.rows.json();
    return { wrong: job.counter(), entries: job.counter(), mean: job.hist([10, 0, 1]), kinds: job.labels() };
  },
  process({ n, met }, out, { model }) {
    if (model('dnn.onnx') !== dnn) throw new Error('the model was opened twice');
    const columns = [0, 1, 2, 3].map((k) => rows.x.map((row) => row[k]));
    const { score, best } = dnn.run({ x: columns });
    rows.score.forEach((one, i) => {
      if (!(Math.abs(score.data[i] - one) < 1e-6) || Number(best.data[i]) !== rows.best[i]) out.wrong.add();
    });
    const own = dnn.run({ x: [n, met, met, n].map((one) => Array.from(one, (value) => Number(value) / 100)) });
    out.entries.add(own.score.data.length);
    for (const one of own.score.data) out.mean.fill(one);
    out.kinds.add(JSON.stringify([dnn.inputs, dnn.outputs, score.shape]));
  },
};`;

test('inputs that do not fit are refused with what the model takes', () => {
  const input = { name: 'x', type: 'float32', shape: [-1, 2] };
  const error = (given: unknown, of: object = input): string => {
    try {
      tensorOf('The model', of as typeof input, given as never);
    } catch (thrown) {
      return (thrown as Error).message;
    }
    return '';
  };
  expect(tensorOf('m', input, [[1, 2, 3], new Float64Array([4, 5, 6])])).toEqual({
    data: new Float32Array([1, 4, 2, 5, 3, 6]),
    shape: [3, 2],
  });
  expect(error([[1], [1], [1]])).toContain('has the shape [1, 3], and the model takes [any, 2]');
  expect(error([[1], [1, 2]])).toContain('has columns of 1 and of 2 values');
  expect(error({ data: [1, 2, 3], shape: [1, 2] })).toContain('has 3 values for the shape [1, 2]');
  expect(error({ data: [1, undefined], shape: [1, 2] })).toContain('has undefined as its value 1');
  expect(error(5)).toContain('is neither a tensor nor a list of columns');
  expect(error([])).toContain('is not a list of columns');
  expect(error([[1.5], [1]], { ...input, type: 'int64' })).toContain('has a value that is not int64');
  expect(error([['a'], [1]], { ...input, type: 'string' })).toContain(
    'of the type "string", which is not supported',
  );
});

test('without onnxruntime the error says what to install', () => {
  writeFileSync(at('bare.mjs'), SELECTOR);
  // A process of its own, because what was loaded stays loaded.
  const { stderr, status } = spawnSync(
    process.execPath,
    [resolve('dist/cli/xylem.js'), 'process', at('bare.mjs'), sample, 'Events'],
    { cwd: folder, encoding: 'utf8' },
  );
  expect(status).not.toBe(0);
  expect(stderr).toContain('A model needs onnxruntime-node or onnxruntime-web, and neither is installed.');
  expect(stderr).toContain('npm install onnxruntime-node');
});

const isHere = installed !== undefined && existsSync(join(installed, 'node_modules'));
describe.skipIf(lacks('onnxruntime', isHere))('with onnxruntime', () => {
  for (const name of ['onnxruntime-node', 'onnxruntime-web']) {
    test(`${name} gives the scores of onnxruntime in Python`, async () => {
      const own = mkdtempSync(join(folder, 'run-'));
      for (const one of ['dnn.onnx', 'dnn.json']) copyFileSync(at(one), join(own, one));
      mkdirSync(join(own, 'node_modules'));
      symlinkSync(join(installed ?? '', 'node_modules', name), join(own, 'node_modules', name));
      writeFileSync(join(own, 'selector.mjs'), SELECTOR);
      const file = await openRoot(sample, { workers: 0 });
      const tree = await file.tree('Events');
      const { results } = await tree.process<Record<string, number>>(
        pathToFileURL(join(own, 'selector.mjs')),
      );
      expect(results.wrong).toBe(0);
      expect(results.entries).toBe(2400);
      await file.close();
    });
  }
});
