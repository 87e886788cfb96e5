/** A new UUID: 16 bytes. */
export function randomIdentity(): Uint8Array {
  return marked(crypto.getRandomValues(new Uint8Array(16)), 4);
}

/**
 * A UUID that is the same for the same content: it is made of that of the input and of the lists of keys, which have
 * names, places and sizes of all records.
 */
export async function identityOf(uuid: string, lists: Uint8Array): Promise<Uint8Array> {
  const name = new TextEncoder().encode(uuid);
  const content = new Uint8Array(name.length + lists.length);
  content.set(name);
  content.set(lists, name.length);
  return marked(new Uint8Array(await crypto.subtle.digest('SHA-256', content)).slice(0, 16), 8);
}

/** Marks bytes as a UUID of a version: RFC 9562. */
function marked(bytes: Uint8Array, version: number): Uint8Array {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes;
}
