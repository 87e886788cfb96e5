import type { Column } from '../../../core/columns';
import { decodeText } from '../../../core/tape';
import { rowWriter } from '../../../export/canonical';

/** Texts one after another, and the offset of each. */
export interface Texts {
  offsets: Int32Array;
  bytes: Uint8Array;
}

const encoder = new TextEncoder();
const strict = new TextDecoder('utf-8', { fatal: true });

/** Texts as they are where all are UTF-8; otherwise each as people see it, encoded anew. */
export function validUtf8(column: Column & { kind: 'string' }): Texts {
  const { length, offsets } = column;
  const bytes = column.bytes.subarray(0, offsets[length] ?? 0);
  if (isUtf8(bytes) && beginCharacters(bytes, offsets)) return { offsets, bytes };
  return encoded(length, (row) => decodeText(bytes.subarray(offsets[row] ?? 0, offsets[row + 1] ?? 0)));
}

/** Each row as one text of JSON, perhaps changed by `change`. */
export function jsonTexts(column: Column, change = (text: string): string => text): Texts {
  const write = rowWriter(column);
  return encoded(column.length, (row) => {
    let text = '';
    write(row, (piece) => {
      text += piece;
    });
    return change(text);
  });
}

export function textsOf(texts: readonly string[]): Texts {
  return encoded(texts.length, (i) => texts[i] ?? '');
}

function encoded(length: number, text: (row: number) => string): Texts {
  const offsets = new Int32Array(length + 1);
  const rows: Uint8Array[] = [];
  let size = 0;
  for (let row = 0; row < length; row++) {
    const bytes = encoder.encode(text(row));
    rows.push(bytes);
    size += bytes.length;
    offsets[row + 1] = size;
  }
  const bytes = new Uint8Array(size);
  for (const [row, piece] of rows.entries()) bytes.set(piece, offsets[row] ?? 0);
  return { offsets, bytes };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** A character must not be cut in two by the end of a text. */
function beginCharacters(bytes: Uint8Array, offsets: Int32Array): boolean {
  return offsets.every((at) => ((bytes[at] ?? 0) & 0xc0) !== 0x80);
}
