import { argumentError } from '../../../base/errors';

/** Stands for NaN between the text and the tree. Texts of JSON cannot hold it, because it has a control character. */
const NAN = 'NaN\u0000';

/** Numbers that JSON does not have but Python writes. */
const ODD = /([-+]?)(?:Infinity|Inf)\b|[-+]?NaN\b/g;

/** Returns the text with numbers of JSON in place of infinities, and `NAN` in place of NaN. Strings are left as they are. */
function plainNumbers(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    parts.push(
      text
        .slice(at, end)
        // JSON.parse makes an infinity of a number that is too large.
        .replace(ODD, (found, sign: string | undefined) =>
          found.endsWith('NaN') ? '"NaN\\u0000"' : `${sign === '-' ? '-' : ''}1e999`,
        ),
    );
    let close = end + 1;
    while (close < text.length && text[close] !== '"') close += text[close] === '\\' ? 2 : 1;
    parts.push(text.slice(end, close + 1));
    at = close + 1;
  }
  return parts.join('');
}

/**
 * Parses JSON in which numbers may be NaN, Infinity and -Infinity, as Python writes them and correctionlib reads them. Throws
 * ARGUMENT.
 */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (thrown) {
    if (/Infinity|NaN|Inf\b/.test(text)) {
      const plain = plainNumbers(text);
      try {
        return JSON.parse(plain, (_key, value: unknown) => (value === NAN ? Number.NaN : value)) as unknown;
      } catch {
        // The first message names the place in the text as it is.
      }
    }
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw argumentError(`${name} is not JSON: ${why}.`);
  }
}
