import { typesetPdf } from '../../../pdf/work/drawing-pdf';
import type { Figure } from '../figure';
import type { UsedFont } from '../fonts/font-set';
import { setLine, startOf } from '../fonts/typeset';
import { recordText } from '../record';

/** Millimetres in a point. */
const MM = 25.4 / 72;

/** Returns a figure as a PDF of one page of its size, with its fonts and its query within. */
export async function figurePdf({ drawing, fonts, record }: Figure): Promise<Uint8Array<ArrayBuffer>> {
  const used: UsedFont[] = [];
  const indexOf = (font: UsedFont): number => {
    const at = used.indexOf(font);
    return at >= 0 ? at : used.push(font) - 1;
  };
  const { width, height } = drawing.paper;
  return await typesetPdf(drawing, {
    ...{ width: width / MM, height: height / MM },
    setText(shape) {
      const line = setLine(fonts, shape);
      const pieces: { font: number; numbers: number[]; size: number; x: number; up: number; end: number }[] =
        [];
      for (const { used: font, number, glyph, size, x, up } of line.glyphs) {
        const index = indexOf(font);
        const { advanceOf, unitsPerEm } = font.subset.font;
        const end = x + (advanceOf(glyph) * size) / unitsPerEm;
        const last = pieces.at(-1);
        const goesOn =
          last?.font === index && last.size === size && last.up === up && Math.abs(last.end - x) < 1e-6;
        if (last && goesOn) {
          last.numbers.push(number);
          last.end = end;
        } else pieces.push({ font: index, numbers: [number], size, x, up, end });
      }
      return { ...startOf(shape, line.width), pieces };
    },
    fonts: () =>
      used.map(({ family, face, subset }) => {
        const { unitsPerEm, ascent, descent, capHeight, bounds, italicAngle } = subset.font;
        return {
          name: `${family}-${NAMES[face]}`,
          file: subset.file(),
          ...{ unitsPerEm, ascent, descent, capHeight, bounds, italicAngle },
          widths: subset.widths(),
          characters: new Map([...subset.codes].map(([code, number]) => [number, code])),
        };
      }),
    info: {
      creator: record.program,
      subject: recordText(record),
      record: JSON.stringify(record),
    },
  });
}

const NAMES = { regular: 'Regular', bold: 'Bold', italic: 'Italic', bolditalic: 'BoldItalic' } as const;
