import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { correctionSetOf } from '../../../web/features/corrections/work/correction-set';

// Corrections with the structures of published ones, and the answers of correctionlib: tests/fixtures/corrections/make_corrections.py.

interface Variable {
  name: string;
  type: 'real' | 'int' | 'string';
  range?: [number, number];
  edges: (number | string)[];
  values?: (number | string)[];
}

/** Largest difference, in units in the last place. */
const MAX_ULP = 1;

const folder = join(import.meta.dirname, '../../fixtures/corrections');
const unpacked = (name: string): string => gunzipSync(readFileSync(join(folder, name))).toString();
const { rows, answers } = JSON.parse(unpacked('answers.json.gz')) as {
  rows: number;
  answers: { name: string; inputs: Variable[]; errors: number[]; values: string }[];
};

const bits = new DataView(new ArrayBuffer(8));

/** Returns the place of a double among all doubles. */
function order(value: number): bigint {
  bits.setFloat64(0, value);
  const found = bits.getBigInt64(0);
  return found < 0n ? -(found & 0x7fffffffffffffffn) : found;
}

function next(value: number, up: boolean): number {
  const found = order(value) + (up ? 1n : -1n);
  bits.setBigInt64(0, found < 0n ? -found | -0x8000000000000000n : found);
  return bits.getFloat64(0);
}

/** The same random numbers as in the script. */
class Draw {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state * 48271) % 2147483647;
    return this.state;
  }

  value({ values, range: [low, high] = [0, 0], edges }: Variable): number | string {
    if (values) return values[this.next() % values.length] as number | string;
    if (edges.length > 0 && this.next() % 4 === 0) {
      const edge = edges[this.next() % edges.length] as number;
      return [edge, next(edge, false), next(edge, true)][this.next() % 3] as number;
    }
    return low + (high - low) * (this.next() / 2147483647);
  }
}

test('all corrections have the values and the errors of correctionlib', () => {
  const set = correctionSetOf(unpacked('corrections.json.gz'), 'corrections.json.gz');
  expect(set.corrections.map(({ name }) => name)).toEqual(answers.map(({ name }) => name));
  const faults: string[] = [];
  for (const [n, { name, inputs, errors, values }] of answers.entries()) {
    const draw = new Draw(n + 1);
    const wanted = new Float64Array(new Uint8Array(Buffer.from(values, 'base64')).buffer);
    const correction = set.get(name);
    const failed: number[] = [];
    let [worst, differing, worstAt] = [0, 0, ''];
    for (let row = 0; row < rows; row++) {
      const given = inputs.map((one) => draw.value(one));
      try {
        const found = correction.evaluate(...given);
        const right = wanted[row] as number;
        const distance = Number.isNaN(found) && Number.isNaN(right) ? 0 : Number(order(found) - order(right));
        if (Math.abs(distance) > MAX_ULP && !errors.includes(row)) differing += 1;
        if (Math.abs(distance) > worst && !errors.includes(row)) {
          worst = Math.abs(distance);
          worstAt = `${given.join(', ')}: ${found} and ${right}`;
        }
      } catch {
        failed.push(row);
      }
    }
    if (differing > 0) faults.push(`${name}: ${differing} values, up to ${worst} ulp, at ${worstAt}`);
    if (failed.join() !== errors.join())
      faults.push(`${name}: errors at ${failed.length} rows, and in correctionlib at ${errors.length}`);
  }
  expect(faults).toEqual([]);
});
