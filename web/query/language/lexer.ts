import { expressionError, type Place } from './errors';

export type Token = Place &
  (
    | { kind: 'number'; value: number }
    | { kind: 'string'; value: string }
    | { kind: 'name'; text: string }
    | { kind: 'sign'; text: string }
    | { kind: 'end' }
  );

/** Operators, the longest first. */
const SIGNS = [
  '->',
  '**',
  '||',
  '&&',
  '<<',
  '>>',
  '<=',
  '>=',
  '==',
  '!=',
  ...'+-*/%^<>|&!?:()[],.@~='.split(''),
];

const NUMBER = /(?:0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)/y;
const NAME = /[\p{L}_](?:[\p{L}\p{N}_$]|::(?=[\p{L}_~]))*/uy;
const SPACE = /\s*/y;
/** Maximum length of an expression. Nobody writes a longer one. */
const MAX_TEXT = 100_000;
const MAX_TOKENS = 20_000;

/**
 * Returns the tokens of an expression, which is the part from..to of the text. The last token has the kind
 * `end`. `odd` returns a name at a place that does not follow the rules of names; an empty text if there
 * is none. Throws ARGUMENT with the place.
 */
export function tokenize(
  text: string,
  from = 0,
  to = text.length,
  odd: (text: string, at: number, to: number) => string = () => '',
): Token[] {
  const part = text.slice(0, to);
  if (text.length > MAX_TEXT) {
    throw expressionError(
      text.slice(0, 60),
      { at: 0, end: 60 },
      `The expression has ${text.length} characters.`,
    );
  }
  const tokens: Token[] = [];
  let at = from;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(part)?.[0];
  };
  for (;;) {
    at += match(SPACE)?.length ?? 0;
    if (at >= to) break;
    if (tokens.length >= MAX_TOKENS)
      throw expressionError(
        text,
        { at, end: at + 1 },
        `The expression is too long: it has more than ${MAX_TOKENS} names, numbers and signs.`,
      );
    const token = oddToken(text, at, odd(text, at, to)) ?? readToken(part, text, at, match);
    tokens.push(token);
    at = token.end;
  }
  tokens.push({ kind: 'end', at, end: at });
  return tokens;
}

/**
 * Returns a name that does not follow the rules of names; undefined if a plain name at this place is
 * longer.
 */
function oddToken(text: string, at: number, word: string): Token | undefined {
  NAME.lastIndex = at;
  const plain = NAME.exec(text)?.[0] ?? '';
  return word.length > plain.length ? { kind: 'name', text: word, at, end: at + word.length } : undefined;
}

function readToken(
  part: string,
  text: string,
  at: number,
  match: (pattern: RegExp) => string | undefined,
): Token {
  const number = match(NUMBER);
  if (number !== undefined) {
    const end = at + number.length;
    if (/[\p{L}_$]/u.test(part[end] ?? '')) {
      throw expressionError(
        text,
        { at, end: end + 1 },
        `"${number}${text[end]}" is neither a number nor a name.`,
      );
    }
    return { kind: 'number', value: Number(number), at, end };
  }
  const name = match(NAME);
  if (name !== undefined) return { kind: 'name', text: name, at, end: at + name.length };
  const first = part[at] ?? '';
  if (first === '"' || first === "'") return readString(part, text, at, first);
  const sign = SIGNS.find((one) => part.startsWith(one, at));
  if (sign !== undefined && sign !== '~' && sign !== '=') {
    return { kind: 'sign', text: sign, at, end: at + sign.length };
  }
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  throw expressionError(
    text,
    { at, end: at + character.length },
    `"${character}" has no meaning in an expression.`,
    character === '=' ? 'Two values are compared with "==".' : undefined,
  );
}

/**
 * Reads a string in double quotes, as in ROOT, or in single quotes. The character after a backslash is
 * taken literally.
 */
function readString(part: string, text: string, at: number, quote: string): Token {
  let value = '';
  for (let i = at + 1; i < part.length; i++) {
    if (part[i] === quote) return { kind: 'string', value, at, end: i + 1 };
    if (part[i] === '\\' && i + 1 < part.length) i++;
    value += part[i];
  }
  throw expressionError(text, { at, end: part.length }, 'The string has no end.', `Close it with ${quote}.`);
}
