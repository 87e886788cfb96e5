import { engineOf, type RecordField } from '../../../web/api/engine-api';
import { describeRecord } from '../../../web/features/record/work/described';
import { openRoot } from '../../../web/node';

type Fields = Record<string, number | string>;

/** A record by ROOT's getters: see root_fields.py. */
interface RootRecord {
  at: number;
  gap?: number;
  key?: Fields;
  basket?: Fields;
  anchor?: Fields;
  directory?: Fields;
  keys?: Fields[];
  free?: [number, number][];
}

/** Fields of a file by ROOT's getters; null if ROOT does not open it, or repairs it first. */
export type RootFields = { header: Fields; records: RootRecord[] } | null;

/** Compares a stored value with that of ROOT, which replaces some values while it reads. */
function isSame(
  stored: number | string | undefined,
  value: number | string,
  fields: readonly Pick<RecordField, 'group' | 'name' | 'value'>[],
  group: string,
): boolean {
  if (stored === value) return true;
  const near = (name: string) => fields.find((one) => one.group === group && one.name === name)?.value;
  // TKey::ReadKeyBuffer makes a TDirectory a TDirectoryFile.
  if (stored === 'TDirectory' && value === 'TDirectoryFile') return true;
  // A UUID that is missing or zero is made anew. TFile::GetUUID is that of the root directory.
  if (/^[\da-f]{8}-/.test(String(value)))
    return group === 'header' || stored === undefined || /^[0-]+$/.test(String(stored));
  // TBasket::Streamer drops the sign that announces fIOBits, and makes the buffer as long as the data.
  if (near('fIOBits') !== undefined && near('fNevBufSize') === stored) return value === -Number(stored);
  return near('fBufferSize') === stored && near('fLast') === value;
}

/** Compares each field that ROOT has with that of xylem. Returns how many were compared, and the differences. */
export async function compareWithRoot(
  path: string,
  root: NonNullable<RootFields>,
): Promise<{ compared: number; differences: string[]; wrong: string[] }> {
  const file = await openRoot(path, { workers: 0 });
  const differences: string[] = [];
  const wrong: string[] = [];
  let compared = 0;
  const described = async (at: number) => {
    const found = await describeRecord(engineOf(file.reader), file.info.id, at);
    for (const field of found.fields)
      if (field.wrong) wrong.push(`${path} ${at} ${field.group}.${field.name}: ${field.wrong}`);
    return found.fields;
  };
  type Described = Awaited<ReturnType<typeof described>>;
  const compare = (fields: Described, group: string, expected: Fields, at: number, item = -1): void => {
    for (const [name, value] of Object.entries(expected)) {
      const found = fields.find((one) => one.group === group && one.name === name && one.item === item);
      compared++;
      if (!isSame(found?.value, value, fields, group))
        differences.push(`${path} ${at} ${group}.${name}: ROOT ${value}, xylem ${found?.value}`);
    }
  };
  compare(await described(0), 'header', root.header, 0);
  for (const { at, gap, key, basket, anchor, directory, keys, free } of root.records) {
    const fields = await described(at);
    if (gap !== undefined) compare(fields, 'key', { fNbytes: -gap }, at);
    if (key) compare(fields, 'key', key, at);
    if (basket) compare(fields, 'basket', basket, at);
    if (anchor) compare(fields, 'anchor of an RNTuple', anchor, at);
    if (directory) compare(fields, 'directory', directory, at);
    if (keys) compare(fields, 'list of keys', { nkeys: keys.length }, at);
    for (const [i, one] of (keys ?? []).entries()) compare(fields, 'listed key', one, at, i);
    for (const [i, [fFirst, fLast]] of (free ?? []).entries())
      compare(fields, 'free segment', { fFirst, fLast }, at, i);
  }
  await file.close();
  return { compared, differences, wrong };
}
