import { label, number } from '../../../plot/stored/members';
import { strokeOf } from '../../../plot/stored/paint/attributes';
import type { Point } from '../../../plot/stored/paint/ground';
import { paintAxis } from './axes';
import type { Members } from './pad';
import { miss, type Pad, type Painter } from './pad';

/** Draws a TGaxis from its first to its second point. It is often a second scale on the right. */
export const paintGaxis: Painter = (pad, object) => {
  const name = label(object.fFunctionName);
  const [low, high] = [number(object.fWmin), number(object.fWmax)];
  const options = label(object.fChopt).toUpperCase();
  const log = options.includes('G');
  if (name !== '' || options.includes('T') || !(high > low) || (log && !(low > 0))) {
    miss(pad, name === '' ? 'a TGaxis of times, or without a length' : `a TGaxis of the function ${name}`);
    return;
  }
  const [from, to] = [placeOf(pad, object, '1'), placeOf(pad, object, '2')];
  // Where neither is said, ticks are where those of a frame at the left or below are: within.
  const isUpright = Math.abs(to[1] - from[1]) > Math.abs(to[0] - from[0]);
  const [isPlus, isMinus] = [options.includes('+'), options.includes('-')];
  const sides =
    isPlus && isMinus
      ? ([1, -1] as const)
      : isMinus || (isUpright && !isPlus)
        ? ([-1] as const)
        : ([1] as const);
  // Labels are on the other side of the ticks, unless "=" says the same.
  const labels = options.includes('U') ? 0 : options.includes('=') === (sides[0] === 1) ? 1 : -1;
  paintAxis(pad, {
    members: {
      ...object,
      fNdivisions: object.fNdiv ?? 510,
      fLabelFont: number(object.fLabelFont) || 62,
      fTitleFont: number(object.fTextFont) || 62,
      fTitleSize: number(object.fTitleSize) || number(object.fTextSize) || 0.04,
      fTitleOffset: number(object.fTitleOffset) || 1,
      fTitleColor: object.fTextColor ?? 1,
    },
    ...{ from, to, log, sides, labels, isLeft: options.includes('L') },
    ends: log ? [Math.log10(low), Math.log10(high)] : [low, high],
    // A part of the length of the axis.
    length:
      (options.includes('S') ? number(object.fTickSize) : 0.03) *
      Math.hypot(to[0] - from[0], to[1] - from[1]),
    stroke: strokeOf(pad, object),
  });
};

function placeOf({ box, range }: Pad, object: Members, end: '1' | '2'): Point {
  const share = (value: number, low: number, high: number) => (value - low) / (high - low);
  return [
    box.left + share(number(object[`fX${end}`]), range.x1, range.x2) * (box.right - box.left),
    box.bottom - share(number(object[`fY${end}`]), range.y1, range.y2) * (box.bottom - box.top),
  ];
}
