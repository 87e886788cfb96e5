import { expressionError, type Place } from './errors';

export type Token = Place &
  (
    | { kind: 'number'; value: number }
    | { kind: 'string'; value: string }
    | { kind: 'name'; text: string }
    | { kind: 'sign'; text: string }
    | { kind: 'end' }
  );

/** Longest first. */
const SIGNS = ['**', '||', '&&', '<<', '>>', '<=', '>=', '==', '!=', ...'+-*/%^<>|&!?:()[],.@~='.split('')];

const NUMBER = /(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/y;
const NAME = /[\p{L}_](?:[\p{L}\p{N}_$]|::(?=[\p{L}_~]))*/uy;
const SPACE = /\s*/y;
/** Longer text is no expression that a person has written. */
const MAX_TEXT = 100_000;
const MAX_TOKENS = 3000;

/**
 * The tokens of an expression, which is the part from..to of the text; the last is of kind `end`.
 * Throws ARGUMENT with the place.
 */
export function tokenize(text: string, from = 0, to = text.length): Token[] {
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
      throw expressionError(text, { at, end: at + 1 }, 'The expression is too long.');
    const token = readToken(part, text, at, match);
    tokens.push(token);
    at = token.end;
  }
  tokens.push({ kind: 'end', at, end: at });
  return tokens;
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

/** In double quotes, as ROOT has strings, or in single ones; a backslash takes the next character as it is. */
function readString(part: string, text: string, at: number, quote: string): Token {
  let value = '';
  for (let i = at + 1; i < part.length; i++) {
    if (part[i] === quote) return { kind: 'string', value, at, end: i + 1 };
    if (part[i] === '\\' && i + 1 < part.length) i++;
    value += part[i];
  }
  throw expressionError(text, { at, end: part.length }, 'The string has no end.', `Close it with ${quote}.`);
}
