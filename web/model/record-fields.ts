import type { RecordFields } from '../api/records';
import { argumentError } from '../base/errors';
import { type RecordShape, readFields } from '../core/file-core';
import type { ReadOptions } from '../io/fetch/reader';
import type { RecordsContext } from './records';

/** Bytes that are read for the fields of a record: more only if a field does not fit into the first ones. */
const HEAD_BYTES = [512, 8 * 1024, 256 * 1024];

/** Returns the fields of the record that begins at byte `at`: see EngineApi. */
export async function recordFields(
  { core, reader, header }: Pick<RecordsContext, 'core' | 'reader' | 'header'>,
  keyLists: RecordsContext['keyLists'],
  at: number,
  options: ReadOptions,
): Promise<RecordFields> {
  const size = reader.source.info().size ?? header.end;
  if (!Number.isSafeInteger(at) || at < 0 || at >= size)
    throw argumentError(`Byte ${at} is not in the file, which has ${size} bytes.`);
  const shape = shapeAt(header, keyLists, at);
  for (const [i, most] of HEAD_BYTES.entries()) {
    const length = Math.min(most, size - at);
    const [read = new Uint8Array(0)] = await reader.read([{ offset: at, length }], {
      ...options,
      purpose: 'record',
    });
    const fields = readFields(core, read, shape);
    const isCut = fields.at(-1)?.value === undefined && length < size - at;
    if (isCut && i + 1 < HEAD_BYTES.length) continue;
    const end = shape === 'header' ? Math.max(header.begin, HEADER_BYTES) : read.length;
    return {
      ...{ offset: at, shape, size },
      fields: fields.map((field) => ({ ...field, offset: at + field.offset })),
      bytes: read.slice(0, end),
    };
  }
  throw argumentError(`Byte ${at} cannot be read.`);
}

/** Length of the header of files since ROOT 3. */
const HEADER_BYTES = 100;

function shapeAt(
  { begin, seekFree }: RecordsContext['header'],
  keyLists: RecordsContext['keyLists'],
  at: number,
): RecordShape {
  if (at === 0) return 'header';
  if (at === begin) return 'root';
  if (at === seekFree) return 'free';
  return keyLists.some(({ seekKeys }) => seekKeys === at) ? 'keys' : 'key';
}
