import { argumentError } from '../../../base/errors';
import { MAX_SESSION, tooLarge } from './session';

/** Maximum length of a link to a session. Programs for mail and chat cut or refuse longer ones. */
export const MAX_LINK = 8000;

/** Returns a text, compressed, as a fragment of an address can hold it. */
export async function packText(text: string): Promise<string> {
  const packed = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  const letters = Array.from(packed, (byte) => String.fromCharCode(byte)).join('');
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Returns the text that `packText` packed. Throws ARGUMENT if it is damaged, and BUDGET if it is too large. */
export async function unpackText(packed: string): Promise<string> {
  if (packed.length > MAX_SESSION) throw tooLarge();
  try {
    const letters = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const text = await through(bytes, new DecompressionStream('deflate-raw'));
    return new TextDecoder('utf-8', { fatal: true }).decode(text);
  } catch (thrown) {
    if (thrown instanceof Error && thrown.name === 'XylemError') throw thrown;
    throw argumentError(
      'The link to the session is damaged: a part of it is missing or was changed.',
      'Copy the whole link, or ask for the session as a file.',
    );
  }
}

/** Returns what a stream makes of bytes. Throws BUDGET as soon as that is larger than a session. */
async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const made = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await made.read();
    if (done) break;
    length += value.length;
    if (length > MAX_SESSION) {
      void made.cancel().catch(() => undefined);
      throw tooLarge();
    }
    parts.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
