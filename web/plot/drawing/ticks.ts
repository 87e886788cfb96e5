import { groupThousands } from '../../base/format';
import { trimEndOf } from '../../base/text';

/** Ticks of one axis: their places and labels (empty for minor ticks). */
export interface Ticks {
  values: number[];
  labels: string[];
  /** Text that is written once at the end of the axis: the power of ten of all labels, or the offset that they leave out. */
  factor?: string | undefined;
}

/** Names of bins, one for each bin; empty for a bin without a name. */
export interface BinNames {
  edges: Float64Array;
  labels: string[];
}

/**
 * Returns about `count` ticks of an axis from `low` to `high`, with the text that belongs to its end. With `names` of
 * bins between `edges`, the names are at the bin centres; if there are too many, every k-th.
 */
export function axisTicks(
  low: number,
  high: number,
  count: number,
  log: boolean,
  names?: BinNames | undefined,
): Ticks {
  if (names === undefined) return log ? logTicks(low, high, count) : numberTicks(low, high, count);
  const { edges, labels } = names;
  const ticks: Ticks = { values: [], labels: [] };
  for (let i = 0; i < labels.length; i++) {
    const middle = ((edges[i] ?? 0) + (edges[i + 1] ?? 0)) / 2;
    if (middle < low || middle > high) continue;
    ticks.values.push(middle);
    ticks.labels.push(labels[i] ?? '');
  }
  const every = Math.max(1, Math.ceil(ticks.labels.length / Math.max(1, count)));
  ticks.labels = ticks.labels.map((label, i) => (i % every === 0 ? label : ''));
  return ticks;
}

/**
 * The step of 1, 2 or 5 times a power of ten that divides `span` into at most `count` parts.
 * `span` must be positive and finite.
 */
export function niceStep(span: number, count: number): number {
  const raw = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const ratio = raw / power;
  const slack = 1 + 1e-9;
  const factor = ratio <= slack ? 1 : ratio <= 2 * slack ? 2 : ratio <= 5 * slack ? 5 : 10;
  return factor * power;
}

/**
 * Returns the ticks between those of an equidistant axis: fifths of a step, or quarters of one of 2 or 4 units. They go on by one
 * step beyond both ends, because an axis may end between ticks with numbers.
 */
export function minorTicks(values: readonly number[]): number[] {
  const [first = 0, second = first] = values;
  const step = second - first;
  const isEven = values.every((value, i) => Math.abs(value - first - i * step) < 1e-6 * step);
  if (!(step > MIN_STEP) || !isEven) return [];
  const digit = Math.round(step / 10 ** decade(step));
  const parts = digit === 2 || digit === 4 ? 4 : 5;
  const found: number[] = [];
  for (let i = 1 - parts; i < parts * values.length; i++)
    if (i % parts !== 0) found.push(first + (step * i) / parts);
  return found;
}

/** Minimum step. For smaller ones the power of ten cannot be represented. */
const MIN_STEP = 1e-306;

/** Multiples of a nice step within [low, high], about `count` of them. */
export function linearTicks(low: number, high: number, count: number): Ticks {
  if (!(high > low) || !Number.isFinite(high - low)) {
    return { values: [low], labels: [tickLabel(low, Math.abs(low) || 1)] };
  }
  const step = niceStep(high - low, count);
  const values = multiples(step, low, high);
  const largest = Math.max(Math.abs(values[0] ?? 0), Math.abs(values.at(-1) ?? 0));
  return { values, labels: values.map((value) => tickLabel(value, step, largest)) };
}

/** Maximum number of digits of a label with a power of ten at the end of the axis, and of one without. */
const MAX_DIGITS = 4;
const MAX_PLAIN = 7;

/**
 * Multiples of a nice step as `linearTicks` has them, with short labels: a power of ten, and the offset of numbers that differ
 * only in their last digits, are left to the end of the axis.
 */
export function numberTicks(low: number, high: number, count: number): Ticks {
  if (!(high > low) || !Number.isFinite(high - low)) return linearTicks(low, high, count);
  const step = niceStep(high - low, count);
  const most = Math.max(Math.abs(low), Math.abs(high));
  const power = axisPower(most);
  const digits = decade(most) - decade(step) + 1;
  const base = digits > (power === 0 ? MAX_PLAIN : MAX_DIGITS) ? baseOf(low, high, step) : undefined;
  // Neighbouring numbers are the same after the base is taken away.
  if (base === undefined || !(step > Math.abs(base.value) * Number.EPSILON)) {
    const values = multiples(step, low, high);
    return { values, labels: labelsOf(values, step, power), ...factorOf([powerText(power)]) };
  }
  const rests = multiples(step, low - base.value, high - base.value);
  const largest = rests.reduce((found, rest) => Math.max(found, Math.abs(rest)), 0);
  const own = largest > 0 ? axisPower(largest) : 0;
  return {
    values: rests.map((rest) => base.value + rest),
    labels: labelsOf(rests, step, own),
    ...factorOf([powerText(own), base.text]),
  };
}

const decade = (value: number): number => Math.floor(Math.log10(value) + 1e-9);

function factorOf(texts: readonly string[]): Pick<Ticks, 'factor'> {
  const factor = texts.filter(Boolean).join(' ');
  return factor === '' ? {} : { factor };
}

const powerText = (power: number): string => (power === 0 ? '' : `×10${superscript(power)}`);

/** Returns labels in units of a power of ten, all with the decimals that the step needs. */
function labelsOf(values: readonly number[], step: number, power: number): string[] {
  const decimals = Math.min(20, Math.max(0, power - decade(step)));
  return values.map((value) => {
    if (value === 0) return '0';
    const text = (Math.abs(value) / 10 ** power).toFixed(decimals);
    return `${value < 0 ? '−' : ''}${text}`;
  });
}

/**
 * Returns a round number near a range that is narrow for its place, and its text with a sign. The numbers of the
 * range are above it, by not much more than the range is long. Undefined if there is none but 0.
 */
function baseOf(low: number, high: number, step: number): { value: number; text: string } | undefined {
  // Rests of three digits are easily read, and make the base a rounder number.
  const exponent = Math.max(Math.ceil(Math.log10(high - low) - 1e-9), decade(step) + 2);
  const units = Math.floor(low / 10 ** exponent + 1e-9);
  if (units === 0 || !Number.isSafeInteger(units)) return undefined;
  const value = exponent < 0 ? units / 10 ** -exponent : units * 10 ** exponent;
  const text = String(Math.abs(units));
  const digits = trimEndOf(text, '0');
  const zeros = text.length - digits.length;
  return { value, text: `${value < 0 ? '−' : '+'} ${baseText(digits, exponent + zeros)}` };
}

/** Writes digits times a power of ten: in full if that is short, else with one digit before the point. */
function baseText(digits: string, exponent: number): string {
  if (exponent < 0) {
    const whole = digits.padStart(1 - exponent, '0');
    return `${groupThousands(whole.slice(0, exponent))}.${whole.slice(exponent)}`;
  }
  if (digits.length + exponent <= 10) return groupThousands(digits + '0'.repeat(exponent));
  const power = `10${superscript(exponent + digits.length - 1)}`;
  const rest = digits.slice(1);
  return digits === '1' ? power : `${digits[0]}${rest === '' ? '' : `.${rest}`}×${power}`;
}

/** The multiples of a step within [low, high]; none where they cannot be told from each other. */
export function multiples(step: number, low: number, high: number): number[] {
  const slack = 1e-9;
  const first = Math.ceil(low / step - slack);
  const last = Math.floor(high / step + slack);
  const values: number[] = [];
  // Neighbouring numbers, or smaller ones than a power of ten can be: no step leads from one tick to the next.
  if (!(step > MIN_STEP) || !Number.isSafeInteger(first) || !Number.isSafeInteger(last)) return values;
  // Without the noise of binary fractions: 3 * 0.1 is 0.3.
  for (let i = first; i <= last; i++)
    values.push(step < 1 ? i / Math.round(1 / step) || Number((i * step).toPrecision(12)) : i * step);
  return values;
}

/**
 * Powers of ten within [low, high] (both positive); every k-th when there are more than `count`. `between` gives the labels
 * of 2 and 5 between them: by default numbers when there are fewer than three powers.
 */
export function logTicks(
  low: number,
  high: number,
  count: number,
  powerText = powerLabel,
  between = (value: number, decades: number) => (decades < 3 ? formatPlain(value) : ''),
): Ticks {
  const slack = 1e-9;
  const first = Math.ceil(Math.log10(low) - slack);
  const last = Math.floor(Math.log10(high) + slack);
  const decades = last - first + 1;
  const values: number[] = [];
  const labels: string[] = [];
  const put = (value: number, label: string) => {
    if (value < low * (1 - slack) || value > high * (1 + slack)) return;
    values.push(value);
    labels.push(label);
  };
  if (decades < 1) return linearTicks(low, high, count);
  const every = Math.max(1, Math.ceil(decades / Math.max(1, count)));
  for (let exponent = first - 1; exponent <= last; exponent++) {
    const power = 10 ** exponent;
    put(power, exponent % every === 0 ? powerText(exponent) : '');
    if (every > 1) continue;
    for (let digit = 2; digit < 10; digit++) {
      const value = Number((digit * power).toPrecision(1));
      put(value, digit === 2 || digit === 5 ? between(value, decades) : '');
    }
  }
  return { values, labels };
}

/**
 * Returns the power of ten, a multiple of 3, that is written at the end of an axis with this largest number. As in
 * TGaxis, large numbers have up to `digits` digits, small ones begin at 0.1.
 */
function powerOf(largest: number, digits = 5): number {
  const exponent = Math.log10(largest) + 1e-3;
  if (exponent < 0) return -3 * Math.ceil(Math.floor(-exponent) / 3);
  return 3 * Math.max(1, Math.ceil((exponent - digits + 1) / 3 - 1e-3));
}

/**
 * Returns the power of ten of all labels of an axis with this largest number, as TGaxis chooses it; 0 for none. `digits` is
 * the maximum number of digits of a label (TGaxis::SetMaxDigits).
 */
export function axisPower(largest: number, digits = 5): number {
  return largest >= 10 ** digits || largest < 1e-3 ? powerOf(largest, digits) : 0;
}

/** Returns the label of a tick: a plain number if that is short, else mantissa times a power of ten. */
function tickLabel(value: number, step: number, largest = Math.abs(value)): string {
  if (value === 0) return '0';
  if (largest >= 1e6 || largest < 1e-3) {
    const own = Math.floor(Math.log10(largest) + 1e-9);
    // ROOT writes no mantissa below 1 here.
    const exponent = step >= 10 ** own * (1 - 1e-9) ? own : powerOf(largest);
    const digits = Math.max(0, exponent - Math.floor(Math.log10(step) + 1e-9));
    if (digits <= 4)
      return `${(value / 10 ** exponent).toFixed(digits).replace('-', '−')}×10${superscript(exponent)}`;
  }
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const text = Math.abs(value).toFixed(Math.min(decimals, 20));
  const [whole = '', fraction] = text.split('.');
  const grouped = whole.length > 4 ? groupThousands(whole) : whole;
  return `${value < 0 ? '−' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
}

function powerLabel(exponent: number): string {
  if (exponent >= -2 && exponent <= 3) return formatPlain(Number(`1e${exponent}`));
  return `10${superscript(exponent)}`;
}

function formatPlain(value: number): string {
  return value >= 1e4 || value < 1e-3
    ? value.toExponential().replace(/e\+?(-?\d+)/, (_, e: string) => `×10${superscript(Number(e))}`)
    : String(value);
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function superscript(exponent: number): string {
  const digits = String(Math.abs(exponent)).replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)] ?? '');
  return exponent < 0 ? `⁻${digits}` : digits;
}
