/** The tables of a font by their names. */
export type Tables = ReadonlyMap<string, Uint8Array>;

/** Returns the tables of a font in the format WOFF (https://www.w3.org/TR/WOFF/). Throws RangeError if it is another format. */
export async function woffTables(bytes: Uint8Array): Promise<Tables> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0) !== 0x774f4646) throw new RangeError('The font is not in the format WOFF.');
  const count = view.getUint16(12);
  const tables = Array.from({ length: count }, async (_, i): Promise<[string, Uint8Array]> => {
    const at = 44 + 20 * i;
    const name = String.fromCharCode(...bytes.subarray(at, at + 4));
    const [offset, stored, whole] = [4, 8, 12].map((k) => view.getUint32(at + k)) as [number, number, number];
    const part = bytes.slice(offset, offset + stored);
    return [name, stored < whole ? await inflated(part) : part];
  });
  return new Map(await Promise.all(tables));
}

async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
