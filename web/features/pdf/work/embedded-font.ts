/** A font that a document has within, with its glyphs in the order of their numbers. Lengths are in units of the font. */
export interface EmbeddedFont {
  /** Its name without spaces. */
  name: string;
  /** The TrueType file. */
  file: Uint8Array<ArrayBuffer>;
  unitsPerEm: number;
  ascent: number;
  descent: number;
  capHeight: number;
  bounds: readonly [number, number, number, number];
  italicAngle: number;
  /** Widths of the glyphs. */
  widths: readonly number[];
  /** The character of each glyph that has one, for readers that copy or search text. */
  characters: ReadonlyMap<number, number>;
}

/** A font that is ready to be written. */
export interface FontParts {
  /** Writes its objects and returns the number of the font. */
  write(object: (text: string, stream?: Uint8Array) => number): number;
}

/** Compresses the file of a font and the table of its characters. */
export async function fontParts(
  font: EmbeddedFont,
  deflated: (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>,
): Promise<FontParts> {
  const { file, unitsPerEm, ascent, descent, capHeight, bounds, italicAngle, widths } = font;
  const [program, table] = await Promise.all([
    deflated(file),
    deflated(Uint8Array.from(characterTable(font), (sign) => sign.charCodeAt(0))),
  ]);
  const scaled = (length: number) => Math.round((length * 1000) / unitsPerEm);
  return {
    write(object) {
      // A name with six letters before it is that of a part of a font.
      const name = `/${tagOf(file)}+${font.name.replace(/[^A-Za-z0-9-]/g, '')}`;
      const data = object(
        `<< /Length ${program.length} /Length1 ${file.length} /Filter /FlateDecode >>`,
        program,
      );
      const map = object(`<< /Length ${table.length} /Filter /FlateDecode >>`, table);
      const descriptor = object(
        [
          `<< /Type /FontDescriptor /FontName ${name} /Flags ${italicAngle === 0 ? 4 : 68}`,
          `/FontBBox [${bounds.map(scaled).join(' ')}] /ItalicAngle ${Math.round(italicAngle * 100) / 100}`,
          `/Ascent ${scaled(ascent)} /Descent ${scaled(descent)} /CapHeight ${scaled(capHeight)} /StemV 80`,
          `/FontFile2 ${data} 0 R >>`,
        ].join(' '),
      );
      const descendant = object(
        [
          `<< /Type /Font /Subtype /CIDFontType2 /BaseFont ${name} /FontDescriptor ${descriptor} 0 R`,
          '/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /CIDToGIDMap /Identity',
          `/DW 500 /W [0 [${widths.map(scaled).join(' ')}]] >>`,
        ].join(' '),
      );
      return object(
        `<< /Type /Font /Subtype /Type0 /BaseFont ${name} /Encoding /Identity-H /DescendantFonts [${descendant} 0 R] /ToUnicode ${map} 0 R >>`,
      );
    },
  };
}

/** Returns six capital letters that depend on the bytes. */
function tagOf(file: Uint8Array): string {
  let sum = 0;
  for (const byte of file) sum = (sum * 31 + byte) % 26 ** 6;
  return Array.from({ length: 6 }, (_, i) => String.fromCharCode(65 + (Math.floor(sum / 26 ** i) % 26))).join(
    '',
  );
}

/** Maximum number of lines in one list of a table of characters. */
const MAX_LINES = 100;

/** Returns the table that tells the characters of glyphs (ToUnicode). */
function characterTable({ characters }: EmbeddedFont): string {
  const hex = (text: string) =>
    Array.from({ length: text.length }, (_, i) => text.charCodeAt(i).toString(16).padStart(4, '0')).join('');
  const lines = [...characters].map(
    ([glyph, code]) => `<${glyph.toString(16).padStart(4, '0')}> <${hex(String.fromCodePoint(code))}>`,
  );
  const lists: string[] = [];
  for (let i = 0; i < lines.length; i += MAX_LINES) {
    const part = lines.slice(i, i + MAX_LINES);
    lists.push(`${part.length} beginbfchar\n${part.join('\n')}\nendbfchar`);
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${lists.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
}
