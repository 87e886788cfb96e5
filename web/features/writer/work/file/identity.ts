/** Returns a new random UUID: 16 bytes. */
export function randomIdentity(): Uint8Array {
  return marked(crypto.getRandomValues(new Uint8Array(16)), 4);
}

/**
 * Returns a UUID that depends only on the content: on the UUID of the input and the lists of keys, which contain the
 * names, positions and sizes of all records.
 */
export async function identityOf(uuid: string, lists: Uint8Array): Promise<Uint8Array> {
  const name = new TextEncoder().encode(uuid);
  const content = new Uint8Array(name.length + lists.length);
  content.set(name);
  content.set(lists, name.length);
  return marked(new Uint8Array(await crypto.subtle.digest('SHA-256', content)).slice(0, 16), 8);
}

/** Sets the version bits of a UUID: RFC 9562. */
function marked(bytes: Uint8Array, version: number): Uint8Array {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes;
}
