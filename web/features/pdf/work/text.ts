import { titleRuns } from '../../../plot/drawing/latex';
import { textWidth } from '../../../plot/drawing/text-width';

/** Letters of one font at one height. Lengths are in units of the size of the text. */
export interface Piece {
  /** The codes of the letters in that font. */
  codes: number[];
  isSymbol: boolean;
  size: number;
  up: number;
  x: number;
}

/** Widths of the letters from the space to "~" in Helvetica, in thousandths, from Adobe's font metrics. */
const WIDTHS =
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 ' +
  '584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 ' +
  '278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 ' +
  '500 334 260 334 584';
const widths = WIDTHS.split(' ').map((width) => Number(width) / 1000);

/** Codes of letters in the encoding of text (WinAnsi) beyond Latin 1. */
const WIN = new Map(
  [...'€…†‡‰‹Œ‘’“”•–—™›œŸ'].map((letter, i) => [
    letter,
    [128, 133, 134, 135, 137, 139, 140, 145, 146, 147, 148, 149, 150, 151, 153, 155, 156, 159][i] ?? 63,
  ]),
);
/** Codes of letters in the font Symbol. */
const SYMBOLS = new Map([
  ...codesOf('αβγδεζηθικλμνξοπρστυφϕχψωϑς', 'abgdezhqiklmnxoprstufjcywJV'),
  ...codesOf('ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ', 'ABGDEZHQIKLMNXOPRSTUFCYW'),
  ...codesOf('−∼≅⊥∗∀∃', '-~@^*"$'),
  ...codesOf(
    '′≤∞↔←↑→↓≥∝∂≠≡≈ℵℑℜ⊗⊕∩∪⊃⊂∈∉∠∇√∧∨⇐⇒∑∫',
    '\xa2\xa3\xa5\xab\xac\xad\xae\xaf\xb3\xb5\xb6\xb9\xba\xbb\xc0\xc1\xc2\xc4\xc5\xc7\xc8\xc9\xcc\xce\xcf\xd0\xd1\xd6\xd9\xda\xdc\xde\xe5\xf2',
  ),
]);
/** Signs that stand higher and smaller. */
const RAISED = new Map([...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻'].map((sign, i) => [sign, '0123456789+-'.charCodeAt(i)]));
/** Marks over the letter before them. */
const MARKS = new Map([
  ['\u0304', 0xaf],
  ['\u0302', 0x88],
  ['\u0303', 0x98],
  ['\u0308', 0xa8],
  ['\u0301', 0xb4],
  ['\u0300', 0x60],
]);

function codesOf(letters: string, codes: string): [string, number][] {
  return [...letters].map((letter, i) => [letter, codes.charCodeAt(i)]);
}

/**
 * Returns a text as pieces from x = 0 on, its width, and the number of characters missing in the standard PDF fonts,
 * which become "?".
 */
export function textPieces(
  text: string,
  latex: boolean,
  factor: number,
): { pieces: Piece[]; width: number; missing: number } {
  const pieces: Piece[] = [];
  let [x, missing] = [0, 0];
  const put = (code: number, isSymbol: boolean, size: number, up: number, wide: number) => {
    const last = pieces.at(-1);
    if (last && last.isSymbol === isSymbol && last.size === size && last.up === up && !isMark)
      last.codes.push(code);
    else pieces.push({ codes: [code], isSymbol, size, up, x });
    x += wide;
    isMark = false;
  };
  let isMark = false;
  let before = 0;
  for (const run of latex ? titleRuns(text) : [{ text, size: 1, up: 0, back: 0 }]) {
    x -= run.back;
    if (run.back !== 0) isMark = true;
    for (const letter of run.text) {
      const code = letter.codePointAt(0) ?? 63;
      const [symbol, raised, mark] = [SYMBOLS.get(letter), RAISED.get(letter), MARKS.get(letter)];
      const plain =
        WIN.get(letter) ?? ((code >= 32 && code < 127) || (code > 160 && code < 256) ? code : undefined);
      const wide = (one: number) => (widths[one - 32] ?? textWidth(letter, 1)) * factor;
      if (mark !== undefined) {
        const end = x;
        x -= (before + 0.333 * run.size) / 2;
        isMark = true;
        put(mark, false, run.size, run.up + (/\p{Lu}/u.test(run.text) ? 0.2 * run.size : 0), 0);
        isMark = true;
        x = end;
        continue;
      }
      if (raised !== undefined)
        put(raised, false, run.size * 0.65, run.up + 0.34 * run.size, wide(raised) * run.size * 0.65);
      else if (symbol !== undefined) {
        before = textWidth(letter, run.size);
        put(symbol, true, run.size, run.up, before);
      } else {
        if (plain === undefined) missing++;
        before = wide(plain ?? 63) * run.size;
        put(plain ?? 63, false, run.size, run.up, before);
      }
    }
  }
  return { pieces, width: x, missing };
}
