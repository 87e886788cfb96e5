import type { CorrectionsLibrary } from '../../../api/corrections';
import { overBudget } from '../../../base/data-errors';
import { argumentError } from '../../../base/errors';
import { correctionSetOf } from './correction-set';
import { eventListOf } from './event-list';
import { goodRunsOf } from './good-runs';
import { pileupOf } from './pileup';

/** Largest text, in bytes. JavaScript has no longer strings. */
const MAX_BYTES = 500_000_000;

/** Implements `openCorrections` and what is beside it. Bytes may be gzip. */
export const correctionsLibrary: CorrectionsLibrary = {
  maxBytes: MAX_BYTES,
  corrections: async (bytes, name) => correctionSetOf(await textOf(bytes, name), name),
  goodRuns: async (bytes, name) => goodRunsOf(await textOf(bytes, name), name),
  eventList: async (bytes, name) => eventListOf(await textOf(bytes, name), name),
  pileup: pileupOf,
};

/** Returns the text of bytes, unpacked if they are gzip. Throws ARGUMENT, BUDGET. */
export async function textOf(bytes: Uint8Array, name: string): Promise<string> {
  if (!(bytes[0] === 0x1f && bytes[1] === 0x8b)) return decoded(bytes, name);
  const parts: Uint8Array[] = [];
  let length = 0;
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  try {
    for await (const part of stream.pipeThrough(new DecompressionStream('gzip'))) {
      length += part.length;
      if (length > MAX_BYTES) throw tooLarge(name);
      parts.push(part);
    }
  } catch (thrown) {
    if (length > MAX_BYTES) throw thrown;
    throw argumentError(`"${name}" is gzip that cannot be unpacked: it is damaged or not complete.`);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return decoded(whole, name);
}

function decoded(bytes: Uint8Array, name: string): string {
  if (bytes.length > MAX_BYTES) throw tooLarge(name);
  return new TextDecoder().decode(bytes);
}

function tooLarge(name: string) {
  return overBudget(
    `"${name}" has more than ${MAX_BYTES} bytes.`,
    'Keep only the corrections that are used.',
  );
}
