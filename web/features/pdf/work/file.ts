import type { Resources } from './content';
import { type EmbeddedFont, type FontParts, fontParts } from './embedded-font';
import { hexText, type PdfInfo, xmpPacket } from './info';

export type { PdfInfo };

/** A page: its size in points (1/72 inch), and the size in the units of its instructions. */
export interface PdfPage {
  width: number;
  height: number;
  scale: number;
  content: string;
}

/** A PDF file (version 1.7) of pages. */
export async function pdfFile(
  pages: readonly PdfPage[],
  title: string,
  { fonts, opacities }: Resources,
  more: { fonts: readonly EmbeddedFont[]; info?: PdfInfo | undefined } = { fonts: [] },
): Promise<Uint8Array<ArrayBuffer>> {
  const streams = await Promise.all(pages.map(contentStream));
  const embedded = await Promise.all(
    more.fonts.map(async (font): Promise<FontParts> => await fontParts(font, deflated)),
  );
  const parts: Uint8Array[] = [];
  const places: number[] = [];
  let length = 0;
  const put = (part: string | Uint8Array) => {
    const bytes = typeof part === 'string' ? Uint8Array.from(part, (sign) => sign.charCodeAt(0)) : part;
    parts.push(bytes);
    length += bytes.length;
  };
  /** Writes the next object and returns its number. */
  const object = (text: string, stream?: Uint8Array): number => {
    places.push(length);
    put(`${places.length} 0 obj\n${text}\n`);
    if (stream) {
      put('stream\n');
      put(stream);
      put('\nendstream\n');
    }
    put('endobj\n');
    return places.length;
  };
  put('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n');
  const fontText = fonts.map((name, i) => {
    const encoding = name === 'Symbol' ? '' : ' /Encoding /WinAnsiEncoding';
    return `/F${i} ${object(`<< /Type /Font /Subtype /Type1 /BaseFont /${name}${encoding} >>`)} 0 R`;
  });
  for (const [i, parts] of embedded.entries()) fontText.push(`/E${i} ${parts.write(object)} 0 R`);
  const opacityText = opacities.map((text, i) => `/G${i} << ${text} >>`);
  const shared = object(`<< /Font << ${fontText.join(' ')} >> /ExtGState << ${opacityText.join(' ')} >> >>`);
  // Each page has two objects, and the list of them comes after the last.
  const list = places.length + 2 * pages.length + 1;
  const kids = streams.map((stream, i) => {
    const { width = 0, height = 0 } = pages[i] ?? {};
    const drawn = object(`<< /Length ${stream.length} /Filter /FlateDecode >>`, stream);
    const box = `[0 0 ${width} ${height}]`;
    return `${object(`<< /Type /Page /Parent ${list} 0 R /MediaBox ${box} /Resources ${shared} 0 R /Contents ${drawn} 0 R >>`)} 0 R`;
  });
  object(`<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`);
  const packet = more.info && xmpPacket(title, more.info);
  const metadata =
    packet === undefined
      ? ''
      : ` /Metadata ${object(`<< /Type /Metadata /Subtype /XML /Length ${packet.length} >>`, packet)} 0 R`;
  const catalog = object(`<< /Type /Catalog /Pages ${list} 0 R${metadata} >>`);
  const { creator, subject } = more.info ?? {};
  const told = [
    ...(subject === undefined ? [] : [`/Subject ${hexText(subject)}`]),
    ...(creator === undefined ? [] : [`/Creator ${hexText(creator)}`]),
  ];
  const info = object(`<< ${[`/Title ${hexText(title)}`, ...told].join(' ')} /Producer (xylem) >>`);
  const start = length;
  const lines = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`);
  put(`xref\n0 ${places.length + 1}\n0000000000 65535 f \n${lines.join('')}`);
  put(
    `trailer\n<< /Size ${places.length + 1} /Root ${catalog} 0 R /Info ${info} 0 R >>\nstartxref\n${start}\n%%EOF\n`,
  );
  const file = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

/** The instructions of a page, compressed. */
async function contentStream({ scale, height, content }: PdfPage): Promise<Uint8Array> {
  const text = `${scale} 0 0 ${-scale} 0 ${height} cm\n${content}\n`;
  return await deflated(Uint8Array.from(text, (sign) => sign.charCodeAt(0)));
}

/** Compresses bytes as zlib does. */
async function deflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
