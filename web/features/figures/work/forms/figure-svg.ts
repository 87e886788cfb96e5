import { drawingSvg, escapeXml, type Shape } from '../../../../plot/drawing/drawing';
import type { Figure } from '../figure';
import type { FontSet, UsedFont } from '../fonts/font-set';
import { setLine } from '../fonts/typeset';

/** Names of fonts for letters that are not in the document, and for programs that do not read fonts in it. */
const OTHERS = {
  Arimo: 'Liberation Sans, Helvetica, Arial, sans-serif',
  Tinos: 'Liberation Serif, Times, serif',
};

/** Returns a figure as an SVG document of its size in mm, with its fonts and its query within. */
export function figureSvg({ drawing, fonts, record }: Figure): string {
  useLetters(drawing.shapes, fonts);
  const { width, height } = drawing.paper;
  return drawingSvg(drawing, {
    id: 'figure-',
    size: { width: `${width}mm`, height: `${height}mm` },
    head: `<metadata>${escapeXml(JSON.stringify(record))}</metadata>\n<style>\n${faceRules(fonts).join('\n')}\n</style>`,
    fonts: `${fonts.family}, Noto Sans Math, ${OTHERS[fonts.family]}`,
  });
}

/** Notes the letters of all texts, so that the fonts in the document have them. */
function useLetters(shapes: readonly Shape[], fonts: FontSet): void {
  for (const shape of shapes) {
    if (shape.kind === 'clip') useLetters(shape.shapes, fonts);
    if (shape.kind === 'text') setLine(fonts, shape);
  }
}

function faceRules(fonts: FontSet): string[] {
  return fonts.used().map((used) => {
    const { family, face, subset } = used;
    const [weight, style] = [
      face.startsWith('bold') ? 700 : 400,
      face.endsWith('italic') ? 'italic' : 'normal',
    ];
    const source = `url(data:font/ttf;base64,${base64(subset.file())}) format("truetype")`;
    return `@font-face{font-family:"${family}";font-weight:${weight};font-style:${style};src:${source};unicode-range:${rangeOf(used)}}`;
  });
}

/** The characters of a part of a font, of which a family may have several. */
function rangeOf({ subset }: UsedFont): string {
  return [...subset.codes.keys()]
    .sort((one, other) => one - other)
    .map((code) => `U+${code.toString(16)}`)
    .join(',');
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000)
    text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}
