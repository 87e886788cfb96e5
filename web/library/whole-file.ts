import type { SourceSpec, WholeSource } from '../api/api';
import { overBudget } from '../base/data-errors';
import { argumentError } from '../base/errors';
import type { ByteSource } from '../io/source';
import { type OneSource, specOf } from './sources';

/** Bytes of a read. */
const BLOCK = 1 << 24;

/** A file that was read as a whole. */
export interface WholeFile {
  bytes: Uint8Array;
  /** For messages. */
  name: string;
}

/** Reads a file that is not a ROOT file as a whole: at most `maxBytes`. Throws BUDGET, and the errors of reading. */
export async function wholeFile(
  source: OneSource,
  named: (text: string) => WholeSource,
  open: (spec: WholeSource) => Promise<ByteSource>,
  maxBytes: number,
): Promise<WholeFile> {
  const spec: SourceSpec = specOf(source, named);
  if (spec.kind === 'chain' || spec.kind === 'within')
    throw argumentError('This is not one file.', 'Give a path, an address, a Blob, or bytes in memory.');
  const opened = await open(spec);
  try {
    const parts: Uint8Array[] = [];
    let length = 0;
    for (;;) {
      const size = opened.info().size;
      if (size !== undefined && length >= size) break;
      const part = await opened.read(length, BLOCK);
      parts.push(part);
      length += part.length;
      if (length > maxBytes) throw overBudget(`${opened.name} has more than ${maxBytes} bytes.`);
      if (part.length < BLOCK) break;
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return { bytes, name: opened.name };
  } finally {
    await opened.close?.();
  }
}
