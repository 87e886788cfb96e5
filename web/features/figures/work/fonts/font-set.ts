import { FAMILIES, type Face, type Family, type FontFile, SIGNS } from './files';
import { Subset } from './subset';
import { type TrueType, trueType } from './true-type';
import { woffTables } from './woff';

/** Fonts that were read. A page draws many figures with the same. */
const read = new Map<string, Promise<TrueType>>();

function fontOf(name: string, load: () => Promise<{ default: FontFile }>): Promise<TrueType> {
  const known = read.get(name);
  if (known) return known;
  const made = load().then(async ({ default: file }) => {
    const content = typeof file === 'string' ? file : await file();
    return trueType(name, await woffTables(bytesOf(content)));
  });
  read.set(name, made);
  // A failed download is tried again.
  made.catch(() => read.delete(name));
  return made;
}

/** Returns the bytes of a font; a text has them as base64 after the head of an address. */
function bytesOf(content: ArrayBuffer | string): Uint8Array {
  if (typeof content !== 'string') return new Uint8Array(content);
  const mark = ';base64,';
  const from = content.indexOf(mark) + mark.length;
  const end = /[^\w+/=]/.exec(content.slice(from))?.index;
  const base64 = content.slice(from, end === undefined ? undefined : from + end);
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** A font of a figure with the glyphs that it uses. */
export interface UsedFont {
  family: Family | 'Noto Sans Math';
  face: Face;
  subset: Subset;
}

/** The glyph of a character: its font, and its number there. */
export interface Glyph {
  used: UsedFont;
  code: number;
  /** Number in the subset, and in the whole font. */
  number: number;
  glyph: number;
}

export const faceOf = (bold = false, italic = false): Face =>
  bold ? (italic ? 'bolditalic' : 'bold') : italic ? 'italic' : 'regular';

/** The fonts of one figure. Letters are loaded by `load` before they are asked for. */
export class FontSet {
  readonly #fonts = new Map<string, UsedFont>();
  readonly #missing = new Set<string>();

  constructor(readonly family: Family) {}

  /** Loads the parts of the fonts that have these letters. */
  async load(letters: Iterable<{ code: number; face: Face }>): Promise<void> {
    const wanted = new Map<string, Promise<TrueType>>();
    const parts = FAMILIES[this.family];
    const all = [...letters];
    for (const { code, face } of all)
      for (const [i, { ranges, faces }] of parts.entries())
        if (ranges.some(([from, to]) => code >= from && code <= to)) {
          const name = `${this.family}-${i}-${face}`;
          wanted.set(name, fontOf(name, faces[face]));
        }
    await this.#keep(wanted);
    if (all.some(({ code, face }) => code > 32 && this.#find(code, face) === undefined))
      await this.#keep(new Map([[SIGN_NAME, fontOf(SIGN_NAME, SIGNS)]]));
  }

  async #keep(fonts: ReadonlyMap<string, Promise<TrueType>>): Promise<void> {
    for (const [name, font] of fonts) {
      if (this.#fonts.has(name)) continue;
      const face = name.split('-').pop() as Face;
      const family = name === SIGN_NAME ? 'Noto Sans Math' : this.family;
      this.#fonts.set(name, {
        family,
        face: name === SIGN_NAME ? 'regular' : face,
        subset: new Subset(await font),
      });
    }
  }

  #find(code: number, face: Face): UsedFont | undefined {
    for (const used of this.#fonts.values())
      if (used.face === face && used.family === this.family && used.subset.font.glyphOf(code) !== 0)
        return used;
    const signs = this.#fonts.get(SIGN_NAME);
    return signs && signs.subset.font.glyphOf(code) !== 0 ? signs : undefined;
  }

  /** Returns the glyph of a character; undefined, and the character is noted, if no font has it. */
  glyph(code: number, face: Face): Glyph | undefined {
    const used = this.#find(code, face);
    if (used === undefined) {
      this.#missing.add(String.fromCodePoint(code));
      return undefined;
    }
    return { used, code, number: used.subset.use(code), glyph: used.subset.font.glyphOf(code) };
  }

  /** Characters that no font has. */
  get missing(): string[] {
    return [...this.#missing];
  }

  /** The fonts with at least one glyph that is used. */
  used(): UsedFont[] {
    return [...this.#fonts.values()].filter(({ subset }) => subset.codes.size > 0);
  }
}

const SIGN_NAME = 'signs';
