import type { Correction, CorrectionInput, CorrectionVariable } from '../../../api/corrections';
import { argumentError, XylemError } from '../../../base/errors';
import { didYouMean, similar } from '../../../base/suggest';

/** Points of a range of an input. */
const POINTS = 1000;
const MAX_POINTS = 1_000_000;

/** A correction that was evaluated: once, or for values of one input. */
export interface Evaluated {
  name: string;
  inputs: Record<string, string | number>;
  /** Undefined for values of an input. */
  value?: number | undefined;
  /** The input that varies. */
  by?: string | undefined;
  /** Its values, with the correction or with the reason why it has none. */
  points?: { at: number | string; value?: number | undefined; error?: string | undefined }[] | undefined;
  /** Whether the values are a range, which is drawn as a line. */
  isRange?: boolean | undefined;
}

/**
 * Evaluates a correction for words such as "eta=1.2". One input may be a range ("pt=20:120") or a list ("pt=20,30"). Throws ARGUMENT
 * for words that are not inputs, and for a value that the correction does not accept, if there is only one.
 */
export function evaluateWords(correction: Correction, words: readonly string[]): Evaluated {
  const { name, inputs } = correction;
  const given = new Map<string, string>();
  for (const word of words) {
    const split = word.indexOf('=');
    const input = split < 0 ? undefined : inputs.find((one) => one.name === word.slice(0, split));
    if (!input)
      throw argumentError(
        `"${word.slice(0, 100)}" is not a value of an input of "${name}".`,
        (split > 0
          ? didYouMean(
              similar(
                word.slice(0, split),
                inputs.map((one) => one.name),
              ),
              '',
            )
          : undefined) ?? `Write ${exampleOf(inputs)}.`,
      );
    if (given.has(input.name)) throw argumentError(`The input "${input.name}" is given twice.`);
    given.set(input.name, word.slice(split + 1));
  }
  const missing = inputs.filter((one) => !given.has(one.name));
  if (missing.length > 0)
    throw argumentError(
      `"${name}" also needs ${missing.map((one) => `"${one.name}"`).join(', ')}.`,
      `Write ${exampleOf(missing)}.`,
    );
  const values = inputs.map((input) => valuesOf(input, given.get(input.name) ?? ''));
  const varied = values.flatMap((list, i) => (list.values.length > 1 ? [i] : []));
  if (varied.length > 1) throw argumentError('Only one input may be a range or a list.');
  const single = values.map((one) => one.values[0] as CorrectionInput);
  const shown = Object.fromEntries(inputs.map((one, i) => [one.name, plain(single[i] as CorrectionInput)]));
  const [index] = varied;
  if (index === undefined) return { name, inputs: shown, value: correction.evaluate(...single) };
  const by = inputs[index]?.name ?? '';
  delete shown[by];
  const points = (values[index]?.values ?? []).map((at) => {
    try {
      return { at: plain(at), value: correction.evaluate(...single.with(index, at)) };
    } catch (thrown) {
      if (!(thrown instanceof XylemError)) throw thrown;
      return { at: plain(at), error: thrown.message };
    }
  });
  return { name, inputs: shown, by, points, isRange: values[index]?.isRange === true };
}

const plain = (value: CorrectionInput): string | number =>
  typeof value === 'bigint' ? String(value) : typeof value === 'boolean' ? Number(value) : value;

function exampleOf(inputs: readonly CorrectionVariable[]): string {
  const example = { real: '1.5', int: '1', string: 'TEXT' };
  return inputs.map(({ name, type }) => `${name}=${example[type]}`).join(' ');
}

function valuesOf(input: CorrectionVariable, text: string): { values: CorrectionInput[]; isRange: boolean } {
  const [, low, high, count] = /^([^:]+):([^:]+)(?::(\d+))?$/.exec(text) ?? [];
  if (input.type === 'real' && low !== undefined && high !== undefined) {
    const points = count === undefined ? POINTS : Number(count);
    const [from, to] = [numberOf(input, low), numberOf(input, high)] as [number, number];
    if (!(from < to && points >= 2 && points <= MAX_POINTS && Number.isFinite(to - from)))
      throw argumentError(
        `"${text}" is not a range of "${input.name}".`,
        'Write LOW:HIGH, or LOW:HIGH:POINTS.',
      );
    return {
      values: Array.from({ length: points }, (_, i) => from + ((to - from) * i) / (points - 1)),
      isRange: true,
    };
  }
  return { values: text.split(',').map((one) => numberOf(input, one)), isRange: false };
}

function numberOf({ name, type }: CorrectionVariable, text: string): CorrectionInput {
  if (type === 'string') return text;
  if (type === 'int' && /^[-+]?\d{1,19}$/.test(text.trim())) return BigInt(text.trim().replace('+', ''));
  const value = /^[-+]?inf(inity)?$/i.test(text.trim())
    ? text.trim().startsWith('-')
      ? Number.NEGATIVE_INFINITY
      : Number.POSITIVE_INFINITY
    : Number(text);
  if (type === 'real' && text.trim() !== '' && !Number.isNaN(value)) return value;
  throw argumentError(
    `"${text.slice(0, 60)}" is not ${type === 'int' ? 'a whole number' : 'a number'}, and the input "${name}" is one.`,
  );
}
