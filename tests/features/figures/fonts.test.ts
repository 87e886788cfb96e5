import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAMILIES, type FontFile, SIGNS } from '../../../web/features/figures/work/fonts/files';
import { FontSet } from '../../../web/features/figures/work/fonts/font-set';
import { Subset } from '../../../web/features/figures/work/fonts/subset';
import { drawGlyph, type TrueType, trueType } from '../../../web/features/figures/work/fonts/true-type';
import { setLine } from '../../../web/features/figures/work/fonts/typeset';
import { type Tables, woffTables } from '../../../web/features/figures/work/fonts/woff';
import { partsOf } from '../../../web/plot/drawing/latex';

async function fontOf(load: () => Promise<{ default: FontFile }>): Promise<TrueType> {
  const { default: address } = await load();
  if (typeof address !== 'string') throw new Error('The font is no address.');
  return trueType('font', await woffTables(Buffer.from(address.slice(address.indexOf(',') + 1), 'base64')));
}

/** The tables of a TrueType file, with the sum that each should have. */
function tablesOf(file: Uint8Array): Tables {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const count = view.getUint16(4);
  return new Map(
    Array.from({ length: count }, (_, i) => {
      const at = 12 + 16 * i;
      const name = String.fromCharCode(...file.subarray(at, at + 4));
      const place = view.getUint32(at + 8);
      return [name, file.subarray(place, place + view.getUint32(at + 12))] as const;
    }),
  );
}

function outlineOf(font: TrueType, code: number): string {
  let d = '';
  const put = (...parts: (string | number)[]) => {
    d += `${parts.join(' ')};`;
  };
  drawGlyph(font, font.glyphOf(code), {
    move: (x, y) => put('M', x, y),
    line: (x, y) => put('L', x, y),
    curve: (cx, cy, x, y) => put('Q', cx, cy, x, y),
    close: () => put('Z'),
  });
  return d;
}

describe('a part of a font', () => {
  it.each([
    ['Latin letters, also those of other glyphs', FAMILIES.Arimo[0]?.faces.regular, 'Mass éÅü ½ [GeV/c²]'],
    ['Greek letters', FAMILIES.Tinos[1]?.faces.italic, 'αβγΔΩϕ'],
    ['signs', SIGNS, '→∫∑√±≤⊗'],
  ])('has the outlines and the widths of %s', async (_, load, text) => {
    if (load === undefined) throw new Error('There is no such font.');
    const font = await fontOf(load);
    const subset = new Subset(font);
    for (const letter of text) subset.use(letter.codePointAt(0) ?? 0);
    const file = subset.file();
    expect(file.length).toBeLessThan(20_000);
    const read = trueType('part', tablesOf(file));
    for (const letter of text) {
      const code = letter.codePointAt(0) ?? 0;
      expect(read.glyphOf(code), letter).toBe(subset.codes.get(code));
      expect(outlineOf(read, code), letter).toBe(outlineOf(font, code));
      expect(letter === ' ' || outlineOf(read, code).length > 20, letter).toBe(true);
      expect(read.advanceOf(read.glyphOf(code))).toBe(font.advanceOf(font.glyphOf(code)));
    }
    expect(read.glyphOf('Q'.charCodeAt(0)), 'a letter that is not used').toBe(0);
    // All sums of a file add up to this number.
    let sum = 0;
    for (let i = 0; i < file.length; i += 4) sum = (sum + new DataView(file.buffer).getUint32(i)) % 2 ** 32;
    expect(sum).toBe(0xb1b0afba);
  });
});

describe('the fonts of a figure', () => {
  it('have all signs of TLatex', async () => {
    const source = readFileSync(join(import.meta.dirname, '../../../web/plot/drawing/latex.ts'), 'utf8');
    const commands = [...source.matchAll(/[A-Za-z0-9]+:[^\s:']/gu)].map(([pair]) => pair.split(':')[0] ?? '');
    expect(commands.length).toBeGreaterThan(100);
    const text = partsOf(commands.map((name) => `#${name} `).join('')).join('');
    for (const family of ['Arimo', 'Tinos'] as const)
      for (const face of ['regular', 'bolditalic'] as const) {
        const fonts = new FontSet(family);
        const codes = [...text, '−', '×', '⁻'.normalize('NFKC')].map((letter) => letter.codePointAt(0) ?? 0);
        await fonts.load(codes.map((code) => ({ code, face })));
        for (const code of codes) fonts.glyph(code, face);
        expect(fonts.missing.filter((letter) => letter.trim() !== '')).toEqual([]);
      }
  });

  it('place a mark over the middle of its letter, without width', async () => {
    const fonts = new FontSet('Arimo');
    const text = 'B\u0304W';
    await fonts.load([...text].map((letter) => ({ code: letter.codePointAt(0) ?? 0, face: 'regular' })));
    const { glyphs, width } = setLine(fonts, { text, size: 10 });
    const plain = setLine(fonts, { text: 'BW', size: 10 });
    expect(width).toBeCloseTo(plain.width, 9);
    expect(glyphs.map(({ code }) => code)).toEqual([66, 0x304, 87]);
    const [letter, mark] = glyphs;
    if (letter === undefined || mark === undefined) throw new Error('There are no glyphs.');
    const xs: number[] = [];
    const see = (x: number) => void xs.push(x);
    drawGlyph(mark.used.subset.font, mark.glyph, {
      move: see,
      line: see,
      curve: (_, __, x) => see(x),
      close: () => {},
    });
    const middle = mark.x + ((Math.min(...xs) + Math.max(...xs)) / 2 / 2048) * 10;
    expect(middle).toBeCloseTo((letter.used.subset.font.advanceOf(letter.glyph) / 2048) * 5, 6);
  });

  it('name the letters that they lack', async () => {
    const fonts = new FontSet('Tinos');
    await fonts.load([{ code: 0x65e5, face: 'regular' }]);
    setLine(fonts, { text: '日a' });
    expect(fonts.missing).toEqual(['日']);
  });
});
