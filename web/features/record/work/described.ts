import type { CallOptions, FileId } from '../../../api/api';
import type { EngineApi, RecordField, RecordFields } from '../../../api/engine-api';
import { ABOUT } from './about';
import { type Claims, judge } from './claims';

/** A field with its meaning. */
export interface DescribedField extends RecordField {
  /** Its bytes, two digits each; of a long text only the first ones. */
  hex: string;
  /** The purpose of the field. */
  about: string;
  /** The meaning of its value, for example a date. */
  means?: string | undefined;
  /** Why the value cannot be right. */
  wrong?: string | undefined;
  /** The position of the record that it names. */
  target?: number | undefined;
}

/** The header of a file, or a record of it, as it is stored. */
export interface DescribedRecord extends Pick<RecordFields, 'offset' | 'size'> {
  /** Says in a few words what it is: "the key of the TTree Events;1". */
  title: string;
  fields: DescribedField[];
  /** Number of fields that cannot be right. */
  wrong: number;
  notes: string[];
  /** The first bytes, at least those of the fields. */
  bytes: Uint8Array;
}

/** Maximum number of bytes of a field that are printed. */
const MAX_HEX = 64;
/** Maximum number of records that are read to check what a list says of them. */
const MAX_LISTED = 16;

/**
 * Describes the record that begins at byte `at`, or the header at byte 0. Reads the beginnings of the records that it
 * names, to check it. Throws ARGUMENT if the file has no such byte, and the errors of reading.
 */
export async function describeRecord(
  api: Pick<EngineApi, 'fields'>,
  file: FileId,
  at: number,
  options: CallOptions = {},
): Promise<DescribedRecord> {
  const own = await api.fields(file, at, options);
  const known = new Map([[at, own]]);
  const read = async (offset: number): Promise<RecordFields> => {
    const found = known.get(offset) ?? (await api.fields(file, offset, options));
    known.set(offset, found);
    return found;
  };
  const claims: Claims = { own, header: await read(0), recordAt };
  async function recordAt(place: number): Promise<RecordFields | undefined> {
    return Number.isSafeInteger(place) && place >= 0 && place < own.size ? read(place) : undefined;
  }
  const fields: DescribedField[] = [];
  let listed = 0;
  for (const field of own.fields) {
    if (field.group === 'listed key') listed = field.item + 1;
    // Records of a long list are not read.
    const isSkipped = field.group === 'listed key' && field.item >= MAX_LISTED;
    const start = field.offset - at;
    const bytes = own.bytes.subarray(start, start + Math.min(field.length, MAX_HEX));
    fields.push({
      ...field,
      hex: hexOf(bytes) + (field.length > MAX_HEX ? ' …' : ''),
      about: ABOUT[`${field.group === 'listed key' ? 'key' : field.group}.${field.name}`] ?? '',
      ...(isSkipped ? {} : await judge(field, claims)),
    });
  }
  const notes =
    listed > MAX_LISTED
      ? [`Of ${listed} listed keys, the first ${MAX_LISTED} were compared with the records that they name.`]
      : [];
  return {
    ...{ offset: at, size: own.size, title: titleOf(own), fields },
    wrong: fields.filter(({ wrong }) => wrong !== undefined).length,
    ...{ notes, bytes: own.bytes },
  };
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');

function titleOf({ shape, fields }: RecordFields): string {
  const value = (name: string) => fields.find((field) => field.name === name)?.value;
  if (shape === 'header') return 'header of the file';
  if (shape === 'root') return 'first record: the file itself, and its root directory';
  if (shape === 'keys') return `list of keys of ${value('fName') || 'a directory'}`;
  if (shape === 'free') return 'list of free space';
  const bytes = value('fNbytes');
  if (typeof bytes === 'number' && bytes < 0) return 'gap';
  const name = value('fName') ?? '';
  const named = name === '' ? '' : ` ${name};${value('fCycle') ?? '?'}`;
  return `record of a ${value('fClassName') || 'class without a name'}${named}`;
}
