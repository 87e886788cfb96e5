import { componentsOf, type TrueType } from './true-type';

/** The glyphs of a font that a document uses, with new numbers in the order of their first use. */
export class Subset {
  readonly #numbers = new Map<number, number>([[0, 0]]);
  /** New numbers by character. */
  readonly codes = new Map<number, number>();

  constructor(readonly font: TrueType) {}

  /** Returns the new number of the glyph of a character. */
  use(code: number): number {
    const number = this.#add(this.font.glyphOf(code));
    this.codes.set(code, number);
    return number;
  }

  #add(glyph: number): number {
    const known = this.#numbers.get(glyph);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(glyph, number);
    for (const part of componentsOf(this.font.dataOf(glyph))) this.#add(part.glyph);
    return number;
  }

  /** Widths of the glyphs in their new order, in units of the font. */
  widths(): number[] {
    return [...this.#numbers.keys()].map((glyph) => this.font.advanceOf(glyph));
  }

  /** Returns the font with these glyphs only, as a TrueType file. */
  file(): Uint8Array<ArrayBuffer> {
    const glyphs = [...this.#numbers.keys()];
    const data = glyphs.map((glyph) => this.#renumbered(glyph));
    const loca = new DataView(new ArrayBuffer(4 * (glyphs.length + 1)));
    let place = 0;
    data.forEach((one, i) => {
      loca.setUint32(4 * i, place);
      place += (one.length + 3) & ~3;
    });
    loca.setUint32(4 * data.length, place);
    const glyf = new Uint8Array(place);
    for (const [i, one] of data.entries()) glyf.set(one, loca.getUint32(4 * i));
    const hmtx = new DataView(new ArrayBuffer(4 * glyphs.length));
    glyphs.forEach((glyph, i) => {
      hmtx.setUint16(4 * i, this.font.advanceOf(glyph));
      hmtx.setInt16(4 * i + 2, this.font.sideOf(glyph));
    });
    const head = this.#copied('head');
    head.setUint32(8, 0);
    head.setInt16(50, 1);
    const [maxp, hhea, post] = [
      this.#copied('maxp'),
      this.#copied('hhea'),
      new DataView(new ArrayBuffer(32)),
    ];
    maxp.setUint16(4, glyphs.length);
    hhea.setUint16(34, glyphs.length);
    // Version 3 has no names of glyphs.
    post.setUint32(0, 0x00030000);
    for (const at of [4, 8, 12]) post.setUint32(at, this.#copied('post').getUint32(at));
    return sfnt(
      new Map<string, Uint8Array>([
        ['OS/2', bytesOf(this.#copied('OS/2'))],
        ['cmap', this.#cmap()],
        ...this.#hints('cvt ', 'fpgm'),
        ['glyf', glyf],
        ['head', bytesOf(head)],
        ['hhea', bytesOf(hhea)],
        ['hmtx', bytesOf(hmtx)],
        ['loca', bytesOf(loca)],
        ['maxp', bytesOf(maxp)],
        ['name', bytesOf(this.#copied('name'))],
        ['post', bytesOf(post)],
        ...this.#hints('prep'),
      ]),
    );
  }

  /** Tables for small screens, which glyphs may refer to. */
  #hints(...tags: readonly string[]): [string, Uint8Array][] {
    return tags.flatMap((tag) => {
      const table = this.font.tables.get(tag);
      return table ? [[tag, table]] : [];
    });
  }

  #copied(tag: string): DataView<ArrayBuffer> {
    return new DataView(new Uint8Array(this.font.tables.get(tag) ?? []).buffer);
  }

  #renumbered(glyph: number): Uint8Array {
    const data = new Uint8Array(this.font.dataOf(glyph));
    const view = new DataView(data.buffer);
    for (const part of componentsOf(data)) view.setUint16(part.at, this.#numbers.get(part.glyph) ?? 0);
    return data;
  }

  /** The table of characters in format 12, which has all of Unicode. */
  #cmap(): Uint8Array {
    const codes = [...this.codes].sort(([one], [other]) => one - other);
    const view = new DataView(new ArrayBuffer(12 + 16 + 12 * codes.length));
    view.setUint16(2, 1);
    view.setUint16(4, 3);
    view.setUint16(6, 10);
    view.setUint32(8, 12);
    view.setUint16(12, 12);
    view.setUint32(16, 16 + 12 * codes.length);
    view.setUint32(24, codes.length);
    codes.forEach(([code, glyph], i) => {
      for (const [k, value] of [code, code, glyph].entries()) view.setUint32(28 + 12 * i + 4 * k, value);
    });
    return bytesOf(view);
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: DataView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Sum of a table in units of four bytes. */
function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < bytes.length; i++) sum = (sum + (bytes[i] ?? 0) * 2 ** (24 - 8 * (i % 4))) % 2 ** 32;
  return sum;
}

/** Writes tables, which are in the order of their names, as a file. */
function sfnt(tables: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  const start = 12 + 16 * tables.size;
  const length = [...tables.values()].reduce((sum, table) => sum + ((table.length + 3) & ~3), start);
  const file = new Uint8Array(length);
  const view = new DataView(file.buffer);
  const power = Math.floor(Math.log2(tables.size));
  view.setUint32(0, 0x00010000);
  view.setUint16(4, tables.size);
  view.setUint16(6, 16 * 2 ** power);
  view.setUint16(8, power);
  view.setUint16(10, 16 * (tables.size - 2 ** power));
  let [entry, place, head] = [12, start, 0];
  for (const [tag, table] of tables) {
    file.set(
      Uint8Array.from(tag, (letter) => letter.charCodeAt(0)),
      entry,
    );
    for (const [k, value] of [checksum(table), place, table.length].entries())
      view.setUint32(entry + 4 + 4 * k, value);
    file.set(table, place);
    if (tag === 'head') head = place;
    entry += 16;
    place += (table.length + 3) & ~3;
  }
  view.setUint32(head + 8, (2 ** 32 + 0xb1b0afba - checksum(file)) % 2 ** 32);
  return file;
}
