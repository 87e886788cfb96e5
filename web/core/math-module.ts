import { toXylemError, XylemError } from '../base/errors';

/** Where the module of mathematical functions is: at an address, or with what loads and compiles it. */
export type MathSource = { url: string } | { load: () => Promise<WebAssembly.Module> };

/** Loads and compiles it. Throws INTERNAL when an address does not have it, and the errors of `load`. */
export async function loadMath(source: MathSource): Promise<WebAssembly.Module> {
  if ('load' in source) return source.load();
  try {
    return await WebAssembly.compile(await fetched(source.url));
  } catch (cause) {
    throw new XylemError({
      code: 'INTERNAL',
      message: 'The mathematical functions that this expression calls could not be loaded.',
      fix: 'Check that xylem-math.wasm is in the same folder as xylem.wasm.',
      cause: toXylemError(cause),
    });
  }
}

async function fetched(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`HTTP status ${response.status}`);
  return response.arrayBuffer();
}

/** Inflates bytes that a script holds deflated, as base64. */
export function inflate(base64: string): Promise<ArrayBuffer> {
  const deflated = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).arrayBuffer();
}
