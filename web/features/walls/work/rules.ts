import { argumentError, XylemError } from '../../../base/errors';
import { pathMatcher } from '../../../base/glob';
import type { Agreement } from '../../../bins/agreement';

/** The quantities that a rule may use, each with its description. */
export const FIGURES: Readonly<Record<string, { words: string; of: (agreement: Agreement) => number }>> = {
  chi2: { words: 'probability of Chi2Test', of: ({ chi2 }) => chi2.p },
  'chi2/ndf': {
    words: 'chi2 per degree of freedom',
    of: ({ chi2 }) => (chi2.ndf === 0 ? 0 : chi2.chi2 / chi2.ndf),
  },
  kolmogorov: {
    words: 'probability of KolmogorovTest',
    of: ({ kolmogorov }) => kolmogorov?.p ?? Number.NaN,
  },
  distance: { words: 'Kolmogorov distance', of: ({ kolmogorov }) => kolmogorov?.distance ?? Number.NaN },
  ratio: { words: 'largest distance of the ratio from 1', of: ({ ratio }) => ratio },
  pull: { words: 'largest difference in units of its error', of: ({ pull }) => pull },
  outside: { words: 'share of bins outside of the band', of: ({ outside }) => outside },
};

/** A condition under which a plot fails: a quantity is below or above a limit, or the plot is missing in one file. */
export type Condition =
  | { text: string; figure: string; below: boolean; orEqual: boolean; limit: number }
  | { text: 'missing'; figure?: undefined };

/** Conditions for the plots that match a pattern. */
export interface Rule {
  items: string;
  failOn: Condition[];
}

/** Parses "chi2<0.01", "outside>=0.1" or "missing". Throws ARGUMENT. */
export function parseCondition(text: string): Condition {
  const trimmed = text.trim();
  if (trimmed === 'missing') return { text: 'missing' };
  const [, name = '', sign = '', number = ''] = /^([a-z0-9/]+)\s*(<=?|>=?)\s*(\S+)$/.exec(trimmed) ?? [];
  const figure = name === 'ks' ? 'kolmogorov' : name;
  const limit = number === '' ? Number.NaN : Number(number);
  if (!Object.hasOwn(FIGURES, figure) || !Number.isFinite(limit)) {
    throw argumentError(
      `"${trimmed}" is not a condition.`,
      `Write "missing", or a figure, < or >, and a number, as chi2<0.01. Figures are ${Object.keys(FIGURES).join(', ')}.`,
    );
  }
  return { text: trimmed, figure, below: sign.startsWith('<'), orEqual: sign.endsWith('='), limit };
}

/** Parses conditions separated by commas. Throws ARGUMENT. */
export function parseConditions(text: string): Condition[] {
  return text
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(parseCondition);
}

/**
 * Parses rules from JSON: {"band": 0.1, "rules": [{"items": "dqm/**", "failOn": ["chi2<0.01"]}]}. Throws ARGUMENT for
 * any other form, because a rule that is not understood would never fail.
 */
export function parseRules(json: string): { band?: number | undefined; rules: Rule[] } {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw notRules('It is not JSON.', cause);
  }
  if (!isRecord(value) || !Array.isArray(value.rules)) throw notRules('It has no list "rules".');
  checkNames(value, ['band', 'rules']);
  const { band } = value;
  if (band !== undefined && !(typeof band === 'number' && band >= 0))
    throw notRules('"band" is not a number of 0 or more.');
  const rules = value.rules.map((rule: unknown): Rule => {
    if (!isRecord(rule)) throw notRules('A rule is not an object.');
    checkNames(rule, ['items', 'failOn']);
    const { items = '**', failOn } = rule;
    const list = typeof failOn === 'string' ? [failOn] : failOn;
    if (typeof items !== 'string') throw notRules('"items" of a rule is not a pattern.');
    if (!Array.isArray(list) || !list.every((one) => typeof one === 'string'))
      throw notRules('"failOn" of a rule is not a list of conditions.');
    return { items, failOn: list.flatMap(parseConditions) };
  });
  return { band, rules };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkNames(value: Record<string, unknown>, known: readonly string[]): void {
  const other = Object.keys(value).find((name) => !known.includes(name));
  if (other !== undefined) throw notRules(`"${other}" is not one of ${known.join(', ')}.`);
}

function notRules(why: string, cause?: unknown): XylemError {
  return new XylemError({
    code: 'ARGUMENT',
    message: `The rules cannot be used. ${why}`,
    fix: 'Write {"rules": [{"items": "dqm/**", "failOn": ["chi2<0.01", "missing"]}]}.',
    cause,
  });
}

/** Returns a function that gives the conditions for a name. */
export function conditionsFor(rules: readonly Rule[]): (name: string) => Condition[] {
  const matchers = rules.map(({ items, failOn }) => ({ items, like: pathMatcher(items), failOn }));
  return (name) =>
    matchers.flatMap(({ items, like, failOn }) => (items === name || like(name) ? failOn : []));
}

/**
 * The result of a plot: equal; no condition is true, or there is none; one is true; it cannot be compared; it is missing in a
 * file; it is not a histogram.
 */
export type State = 'same' | 'ok' | 'compared' | 'failed' | 'error' | 'missing' | 'other';

/** The result for a plot, with sentences that explain it. */
export interface Verdict {
  state: State;
  why: string[];
  agreement?: Agreement | undefined;
  /** The file that has the plot, if the other one lacks it. */
  only?: 'file' | 'reference' | undefined;
}

/** Evaluates conditions on a comparison. An undefined quantity is an error, because it would never fail. */
export function judge(agreement: Agreement, conditions: readonly Condition[]): Verdict {
  if (agreement.same) return { state: 'same', why: [], agreement };
  const why: string[] = [];
  let state: State = conditions.some(({ figure }) => figure !== undefined) ? 'ok' : 'compared';
  for (const condition of conditions) {
    if (condition.figure === undefined) continue;
    const { text, figure, below, orEqual, limit } = condition;
    const value = FIGURES[figure]?.of(agreement) ?? Number.NaN;
    if (Number.isNaN(value)) {
      why.push(`${text}: ${figure} is not defined for it`);
      if (state === 'ok') state = 'error';
      continue;
    }
    const isFailed = (orEqual && value === limit) || (below ? value < limit : value > limit);
    if (!isFailed) continue;
    why.push(`${text}: ${figure} is ${shortNumber(value)}`);
    state = 'failed';
  }
  return { state, why, agreement };
}

/** Formats a number with four digits. */
export function shortNumber(value: number): string {
  return String(Number(value.toPrecision(4)));
}
