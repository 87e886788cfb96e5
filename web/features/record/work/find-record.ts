import type { CallOptions, FileId, KeyInfo } from '../../../api/api';
import type { EngineApi, RecordFields } from '../../../api/engine-api';
import { argumentError, toXylemError } from '../../../base/errors';
import { formatCount } from '../../../base/format';
import { notFound } from '../../../base/suggest';
import { cyclePath, findKey } from '../../../model/keys';

type Api = Pick<EngineApi, 'fields' | 'keys' | 'layout' | 'records'>;

/** Maximum number of records that are stepped over where no list names them, as around the pages of an RNTuple. */
const MAX_STEPS = 256;

/** Whether a text is a position in the file, and not the name of a key. */
export const isOffset = (text: string): boolean => /^(\d+|0x[\da-f]+)$/i.test(text);

/** Returns the position that a text means: a number, or the key of an object. Throws NOT_FOUND. */
export async function placeOf(api: Api, file: FileId, text: string, options: CallOptions): Promise<number> {
  if (isOffset(text)) return Number(text);
  const keys = await api.keys(file, options);
  const key = findKey(keys, text);
  if (key === undefined)
    throw notFound(
      'key',
      text,
      keys.map(({ path }) => path),
    );
  return key.offset;
}

/**
 * Returns the position of the record that holds byte `at`; 0 for the header. It is found by the lists of the file, by the
 * baskets that trees name, or by stepping from record to record behind the last one that a list names. Throws
 * NOT_FOUND if none of them leads to it.
 */
export async function recordAround(
  api: Api,
  file: FileId,
  at: number,
  options: CallOptions = {},
): Promise<number> {
  const header = await api.fields(file, 0, options);
  const begin = numberIn(header, 'fBEGIN');
  if (at < begin) return 0;
  if (nameOwnPlace(await api.fields(file, at, options))) return at;
  const lists = await unlessDamaged(api.records(file, options));
  const listed = lists?.records.findLast(({ offset, length }) => offset <= at && at < offset + length);
  if (listed) return listed.offset;
  const basket = await basketAround(api, file, at, options);
  if (basket !== undefined) return basket;
  const before = lists?.records.findLast(
    ({ offset, length, kind }) => kind !== 'header' && offset + length <= at,
  );
  let place = before ? before.offset + before.length : begin;
  for (let i = 0; i < MAX_STEPS && place <= at; i++) {
    const here = await api.fields(file, place, options);
    const length = Math.abs(numberIn(here, 'fNbytes'));
    const isRecord = numberIn(here, 'fNbytes') < 0 || nameOwnPlace(here);
    if (!isRecord || !(length > 0)) break;
    if (at < place + length) return place;
    place += length;
  }
  throw argumentError(
    `No list of the file and no tree names a record around byte ${formatCount(at)}.`,
    'With --here, the fields are shown as if a record began at this byte; "xylem map --walk" lists the records of the file.',
    { offset: at },
  );
}

const numberIn = ({ fields }: RecordFields, name: string): number => {
  const value = fields.find((field) => field.name === name)?.value;
  return typeof value === 'number' ? value : Number.NaN;
};

const nameOwnPlace = (record: RecordFields): boolean => numberIn(record, 'fSeekKey') === record.offset;

/** Returns undefined if the lists of the file are damaged. */
async function unlessDamaged<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (thrown) {
    if (toXylemError(thrown).code === 'ABORTED') throw thrown;
    return undefined;
  }
}

/** Returns the position of the basket of a TTree that holds a byte, from the records of the trees. */
async function basketAround(
  api: Api,
  file: FileId,
  at: number,
  options: CallOptions,
): Promise<number | undefined> {
  const keys = (await unlessDamaged(api.keys(file, options))) ?? [];
  for (const key of keys.filter(({ kind }: KeyInfo) => kind === 'tree')) {
    const layout = await unlessDamaged(api.layout(file, cyclePath(key), options));
    const basket = layout?.offset.findIndex((offset, i) => {
      return offset > 0 && offset <= at && at < offset + (layout.storedBytes[i] ?? 0);
    });
    if (layout && basket !== undefined && basket >= 0) return layout.offset[basket];
  }
  return undefined;
}
