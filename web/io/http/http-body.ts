import type { Answer, AnswerReader } from './http-client';

export interface BodyRead {
  bytes: Uint8Array;
  /** `end`: all of it was read. `enough`: stopped at `limit`, there may be more. `broken`: cut off. */
  how: 'end' | 'enough' | 'broken';
  cause?: unknown;
}

const FIRST_GUESS = 1024 * 1024;

/**
 * Reads a body up to `limit` bytes, then cancels the rest.
 * - `exact`: the body should have `limit` bytes; `enough` means that it has more.
 * - `start`: only its first `limit` bytes are wanted.
 * - `whole`: all of it is wanted; `enough` means that it is longer than `limit`.
 * `announced` is the length that the server announced, for `whole`. `onChunk` is called with the bytes so far and
 * must not throw. Never rejects: a broken connection is part of the result.
 */
export async function readBody(
  response: Answer,
  limit: number,
  mode: 'exact' | 'start' | 'whole',
  onChunk: (bytes: Uint8Array, got: number) => void,
  announced = FIRST_GUESS,
): Promise<BodyRead> {
  let buffer = new Uint8Array(mode === 'whole' ? Math.min(limit, announced) : limit);
  let got = 0;
  if (!response.body) return { bytes: buffer.subarray(0, 0), how: 'end' };
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || !value) return { bytes: trim(buffer, got), how: 'end' };
      const taken = Math.min(value.length, limit - got);
      if (got + taken > buffer.length) {
        const larger = new Uint8Array(Math.min(limit, Math.max(2 * buffer.length, got + taken)));
        larger.set(buffer.subarray(0, got));
        buffer = larger;
      }
      buffer.set(value.subarray(0, taken), got);
      got += taken;
      onChunk(buffer, got);
      if (taken < value.length || (mode === 'start' && got === limit)) {
        discard(response, reader);
        return { bytes: trim(buffer, got), how: 'enough' };
      }
    }
  } catch (cause) {
    return { bytes: trim(buffer, got), how: 'broken', cause };
  }
}

/** Cancels the transfer of a body that is not needed. Errors are ignored. */
export function discard(response: Answer, reader?: AnswerReader): void {
  const cancelled = reader ? reader.cancel() : response.body?.cancel();
  cancelled?.catch(() => {});
}

function trim(buffer: Uint8Array, length: number): Uint8Array {
  return length === buffer.length ? buffer : buffer.slice(0, length);
}
