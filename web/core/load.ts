import { unsupported } from '../base/data-errors';
import { XylemError } from '../base/errors';

/** Throws UNSUPPORTED if WebAssembly is not available. */
export function checkWebAssembly(): void {
  if (typeof WebAssembly === 'object') return;
  throw unsupported(
    'This browser does not run WebAssembly, which xylem reads files with.',
    'Lockdown Mode of Apple devices and the level "Safest" of Tor Browser switch it off: allow it for this site, or use another browser.',
  );
}

/** Compiles the core. `place` says in messages where it was loaded from. Throws INTERNAL with a fix. */
export async function compileCore(bytes: BufferSource, place: string): Promise<WebAssembly.Module> {
  checkWebAssembly();
  try {
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    const policy = /content security policy|unsafe-eval|wasm-eval/i.test(String(cause));
    throw new XylemError({
      code: 'INTERNAL',
      message: policy
        ? 'The WebAssembly core may not be compiled: the content security policy of the page forbids it.'
        : `The WebAssembly core could not be compiled: what came from ${place} is not xylem.wasm (${reasonOf(cause)}).`,
      fix: policy
        ? "Add 'wasm-unsafe-eval' to script-src of the page's content security policy."
        : 'Give the address of xylem.wasm, which lies in the folder dist of the package, with the option `wasm`.',
      cause,
    });
  }
}

/** Returns the error for a core that cannot be loaded. */
export function noCore(place: string, cause: unknown): XylemError {
  return new XylemError({
    code: 'INTERNAL',
    message: `The WebAssembly core could not be loaded from ${place}: ${reasonOf(cause)}.`,
    fix: 'Copy xylem.wasm from the folder dist of the package to the folder of the script, or give its address with the option `wasm`. A content security policy has to allow its address in connect-src.',
    cause,
  });
}

function reasonOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.replace(/\.$/, '');
}
