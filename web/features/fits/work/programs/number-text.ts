import { Untranslated } from '../../../snippets/work/translate/translate';

/** A number in Python and C++. Throws Untranslated for those that have no text. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new Untranslated('A program has no number for infinity here.');
  return String(value);
}
