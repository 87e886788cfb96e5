import type { Sample } from '../api/selector';
import { TEXT_BY_NAME } from '../base/shape';
import { type Json, recordOf } from './json';

const MEMBERS = ['name', 'crossSection', 'weight', 'sumOfWeights', 'set', 'branches', 'vary'];

/** Reads a sample from JSON, its members in one order. Returns a text that says what is wrong if it is not a sample. */
export function sampleFrom(json: Json): Sample | string {
  const { name, crossSection, weight, sumOfWeights } = json;
  if (typeof name !== 'string' || !/^[\w.+-]{1,100}$/.test(name))
    return '"name" is a text of letters, digits and "_.+-"';
  const odd = Object.keys(json).find((member) => !MEMBERS.includes(member));
  if (odd !== undefined) return `"${name}" has "${odd}", which is not known`;
  const sample: Sample = { name };
  if (crossSection !== undefined) {
    if (!isNumber(crossSection)) return `"crossSection" of "${name}" is a number`;
    sample.crossSection = crossSection;
  }
  if (weight !== undefined) {
    if (typeof weight !== 'string' || weight.trim() === '')
      return `"weight" of "${name}" is the text of an expression`;
    sample.weight = weight;
  }
  for (const [member, what] of [
    ['set', 'texts by name'],
    ['branches', 'texts of expressions by name'],
  ] as const) {
    const texts = json[member];
    if (texts === undefined) continue;
    if (!TEXT_BY_NAME.is(texts)) return `"${member}" of "${name}" are ${what}`;
    // Equal samples have equal texts.
    sample[member] = Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  if (json.vary !== undefined) {
    if (typeof json.vary !== 'boolean') return `"vary" of "${name}" is true or false`;
    sample.vary = json.vary;
  }
  if (sumOfWeights === undefined) return sample;
  if (sample.crossSection === undefined)
    return `"${name}" has "sumOfWeights", but no "crossSection" that it divides`;
  const { tree, expr, ...more } = recordOf(sumOfWeights) ?? {};
  if (isNumber(sumOfWeights) && sumOfWeights !== 0) sample.sumOfWeights = sumOfWeights;
  else if (typeof tree === 'string' && typeof expr === 'string' && Object.keys(more).length === 0)
    sample.sumOfWeights = { tree, expr };
  else return `"sumOfWeights" of "${name}" is a number other than 0, or { "tree", "expr" }`;
  return sample;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** Whether the sum of weights is in another tree, so that whole files have to be read. */
export function needsWhole({ sumOfWeights }: Sample): boolean {
  return typeof sumOfWeights === 'object';
}
