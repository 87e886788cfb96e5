import type { PlainObject } from '../../api/api';
import { isBinsClass } from './classes';
import { label, number } from './members';
import { wordsOf } from './option-words';

/** The option for histograms with one axis that leaves out the style that is stored with them. */
export const PLAIN = 'plain';

/** Colours of lines of histograms whose colour nobody has set: of ROOT 6 and of older versions. */
const UNSET = [1, 602];

/** Whether line or area of a histogram are not those that ROOT gives to all. */
export function hasOwnLook(object: { [member: string]: unknown }): boolean {
  const of = (member: string) => number(object[member] as never);
  const isFilled = of('fFillColor') !== 0 && of('fFillStyle') > 0;
  return isFilled || !UNSET.includes(of('fLineColor')) || of('fLineStyle') > 1 || of('fLineWidth') > 1;
}

/** Whether a histogram with one axis is drawn in a style of its own: it has one, or an option of ROOT asks for it. */
export function isStyled(object: PlainObject, how: string): boolean {
  if (!isBinsClass(object._typename) || how === PLAIN) return false;
  if (how !== '' || hasOwnLook(object)) return true;
  // HIST leaves out error bars, which a plot does without a style.
  return (
    wordsOf(label(object.fOption))
      .replace(/HIST|TEXT\d*|FUNC|AXIS/g, '')
      .trim() !== ''
  );
}
