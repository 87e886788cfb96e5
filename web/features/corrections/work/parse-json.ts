import { argumentError } from '../../../base/errors';

/** Stands for NaN between the text and the tree. Texts of JSON cannot hold it, because it has a control character. */
const NAN = 'NaN\u0000';

/** A string of JSON, or a number that JSON does not have but Python writes. */
const ODD = /"[^"\\]*(?:\\.[^"\\]*)*"|([-+]?)(?:Infinity|Inf\b)|[-+]?NaN/g;

/**
 * Parses JSON in which numbers may be NaN, Infinity and -Infinity, as Python writes them and correctionlib reads them. Throws
 * ARGUMENT.
 */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (thrown) {
    if (/Infinity|NaN|Inf\b/.test(text)) {
      const plain = text.replace(ODD, (found, sign: string | undefined) => {
        if (found.startsWith('"')) return found;
        // JSON.parse makes an infinity of a number that is too large.
        return found.endsWith('NaN') ? '"NaN\\u0000"' : `${sign === '-' ? '-' : ''}1e999`;
      });
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
