import { escapeXml } from '../../../plot/drawing/drawing';

/** The information that a document has of itself. */
export interface PdfInfo {
  /** The program that made it. */
  creator: string;
  /** In one line. */
  subject: string;
  /** All that is known of its contents, as JSON. */
  record: string;
}

/** Writes a text as a string of PDF: UTF-16 with its mark, in hexadecimal digits. */
export function hexText(text: string): string {
  const units = Array.from({ length: text.length }, (_, i) =>
    text.charCodeAt(i).toString(16).padStart(4, '0'),
  );
  return `<feff${units.join('')}>`;
}

/** Returns the same as an XMP packet, in which other programs look for it. */
export function xmpPacket(title: string, { creator, subject, record }: PdfInfo): Uint8Array<ArrayBuffer> {
  const alternative = (tag: string, text: string) =>
    `<${tag}><rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(text)}</rdf:li></rdf:Alt></${tag}>`;
  const text = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:xylem="https://xylem.invalid/ns/figure/">
${alternative('dc:title', title)}
${alternative('dc:description', subject)}
<xmp:CreatorTool>${escapeXml(creator)}</xmp:CreatorTool>
<xylem:figure>${escapeXml(record)}</xylem:figure>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`;
  return new TextEncoder().encode(text);
}
