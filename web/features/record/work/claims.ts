import type { RecordField, RecordFields } from '../../../api/engine-api';
import { formatBytes, formatCount } from '../../../base/format';

/** The fields of a record, and those of other records to compare them with. */
export interface Claims {
  own: RecordFields;
  header: RecordFields;
  /** Returns the fields at another place; undefined if it is not in the file. */
  recordAt(place: number): Promise<RecordFields | undefined>;
}

/** The meaning of a field, and whether it can be right. */
export interface Judgement {
  means?: string | undefined;
  wrong?: string | undefined;
  target?: number | undefined;
}

/** A field, with its neighbours in the same part of the record. */
interface Around extends Claims {
  field: RecordField;
  /** Returns the number in another field of the same part; NaN for none. */
  near(name: string): number;
  /** End of the file by its header, or of the bytes that are there if these are fewer. */
  end: number;
}

type Found = Judgement | Promise<Judgement>;
type Rules<V> = Readonly<Record<string, (value: V, around: Around) => Found>>;

/** Says what the value of a field means, and whether it can be right. */
export async function judge(field: RecordField, claims: Claims): Promise<Judgement> {
  const { group, item, name, value } = field;
  const { own, header } = claims;
  if (value === undefined) return { wrong: 'The file ends before this field does.' };
  const part = own.fields.filter((one) => one.group === group && one.item === item);
  const end = Math.min(valueIn(header.fields, 'header', 'fEND') || own.size, own.size);
  const around: Around = { ...claims, field, end, near: (other) => valueIn(part, group, other) };
  const id = `${group}.${name}`;
  const textRule = TEXTS[id];
  if (textRule) return textRule(String(value), around);
  // A text is a number above 2^53, which is no place and no size of a file.
  return (await NUMBERS[id]?.(Number(value), around)) ?? {};
}

const valueIn = (fields: readonly RecordField[], group: string, name: string): number => {
  const found = fields.find((one) => one.name === name && one.group === group);
  return typeof found?.value === 'number' ? found.value : Number.NaN;
};

const textIn = (fields: readonly RecordField[], group: string, name: string): string => {
  const found = fields.find((one) => one.name === name && one.group === group);
  return typeof found?.value === 'string' ? found.value : '';
};

const bytes = (value: number): Judgement =>
  Math.abs(value) < 1000 ? {} : { means: formatBytes(Math.abs(value)) };

/** A version, of which `wide` is added if places have 8 bytes. */
const classVersion = (value: number): Judgement =>
  value % 1000 === 0
    ? { wrong: 'A class has no version 0.' }
    : value > 1000
      ? { means: `version ${value - 1000}, places of 8 bytes` }
      : { means: `version ${value}` };

/** TDatime: 6 bits of years from 1995, then month, day, hour, minute, second. */
function date(value: number): Judgement {
  const part = (shift: number, bits: number) => (value >>> shift) & ((1 << bits) - 1);
  const [year, month, day] = [part(26, 6) + 1995, part(22, 4), part(17, 5)];
  const [hour, minute, second] = [part(12, 5), part(6, 6), part(0, 6)];
  // Files that are written the same each time have a date without a month.
  if (month === 0 || day === 0) return { means: 'no date' };
  if (month > 12 || hour > 23 || minute > 59 || second > 59) return { wrong: 'This is not a date.' };
  const two = (n: number) => String(n).padStart(2, '0');
  return { means: `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}` };
}

const ALGORITHMS = ['zlib', 'zlib', 'LZMA', 'old deflate', 'LZ4', 'zstd'];

function compression(value: number): Judgement {
  const [algorithm, level] = [Math.trunc(value / 100), value % 100];
  if (value < 0) return {};
  const name = ALGORITHMS[algorithm];
  if (name === undefined) return { wrong: `ROOT has no algorithm ${algorithm}.` };
  return level === 0 ? { means: 'not compressed' } : { means: `${name}, level ${level}` };
}

/** A place in the file: the record there has to name this place. */
async function recordPlace(value: number, around: Around, what: string): Promise<Judgement> {
  if (!(value >= around.end) && value >= 0) {
    const there = await around.recordAt(value);
    if (there && valueIn(there.fields, 'key', 'fSeekKey') === value) return { target: value };
    return {
      wrong: `No record begins at byte ${formatCount(value)}, where ${what} should be.`,
      target: value,
    };
  }
  return {
    wrong: `Byte ${formatCount(value)} is not in the file, which ends at byte ${formatCount(around.end)}.`,
  };
}

/** The size of a record elsewhere, which says its own size. */
async function sizeOf(value: number, place: number, { recordAt }: Around): Promise<Judgement> {
  const there = await recordAt(place);
  const own = there ? valueIn(there.fields, 'key', 'fNbytes') : Number.NaN;
  if (own === value || Number.isNaN(own) || place === 0) return bytes(value);
  return { wrong: `The record at byte ${formatCount(place)} says that it has ${formatCount(own)} bytes.` };
}

async function directoryPlace(value: number, around: Around): Promise<Judgement> {
  const found = await recordPlace(value, around, 'the directory');
  const there = found.wrong === undefined ? await around.recordAt(value) : undefined;
  if (!there || there.shape === 'root') return found;
  const name = textIn(there.fields, 'key', 'fClassName');
  return /Directory|File$/.test(name)
    ? found
    : { ...found, wrong: `The record there is a ${name}, not a directory.` };
}

/** A number of a listed key, which the record that the key names has, too. */
async function sameInRecord(value: number | string, around: Around): Promise<Judgement> {
  const there = await around.recordAt(around.near('fSeekKey'));
  const record = there?.fields.find(({ group, name }) => group === 'key' && name === around.field.name);
  // The place itself is judged by its own field.
  const isRecord = there && valueIn(there.fields, 'key', 'fSeekKey') === around.near('fSeekKey');
  if (!isRecord || record?.value === undefined || record.value === value) return {};
  return { wrong: `The record that this key names has ${record.value}.` };
}

const and =
  (...rules: ((value: number, around: Around) => Found)[]) =>
  async (value: number, around: Around): Promise<Judgement> => {
    let all: Judgement = {};
    for (const rule of rules) all = { ...all, ...(await rule(value, around)) };
    return all;
  };

const notNegative = (value: number): Judgement => (value < 0 ? { wrong: 'It is negative.' } : {});

const keyBytes = (value: number, { own, end }: Around): Judgement => {
  if (value === 0) return { wrong: 'A record has bytes.' };
  if (value < 0) return { means: `a gap of ${formatBytes(-value)}` };
  return own.offset + value > end
    ? { wrong: `The file ends ${formatCount(own.offset + value - end)} bytes before the record would.` }
    : bytes(value);
};

const objectBytes = (value: number, { near }: Around): Judgement => {
  if (value < 0 || value > 2 ** 30) return { wrong: 'ROOT writes objects of at most 2^30 bytes.' };
  const stored = near('fNbytes') - near('fKeylen');
  if (stored === value) return { means: 'not compressed' };
  return stored > 0 ? { means: `compressed by a factor of ${(value / stored).toFixed(2)}` } : {};
};

const keyLength = (value: number, { own, near }: Around): Judgement => {
  if (value > near('fNbytes')) return { wrong: `The record has only ${formatCount(near('fNbytes'))} bytes.` };
  const last = own.fields.findLast(({ group }) => group === 'key' || group === 'basket');
  const least = last ? last.offset + last.length - own.offset : 0;
  return value < least ? { wrong: `The fields of the key have ${formatCount(least)} bytes.` } : {};
};

const inside = (value: number, { end }: Around): Judgement =>
  value < 0 || value > end ? { wrong: `The file ends at byte ${formatCount(end)}.` } : {};

const envelope =
  (place: string) =>
  (value: number, { near, end }: Around): Judgement =>
    near(place) + value > end ? { wrong: `The file ends at byte ${formatCount(end)}.` } : bytes(value);

const NUMBERS: Rules<number> = {
  'header.fVersion': (value) => {
    const plain = value % 1_000_000;
    if (value <= 0 || value >= 2_000_000) return { wrong: 'This is not a version of ROOT.' };
    const two = (n: number) => String(n).padStart(2, '0');
    const version = `${Math.trunc(plain / 10_000)}.${two(Math.trunc(plain / 100) % 100)}/${two(plain % 100)}`;
    return { means: value > plain ? `ROOT ${version}, places of 8 bytes` : `ROOT ${version}` };
  },
  'header.fBEGIN': (value, around) => recordPlace(value, around, 'the first record'),
  'header.fEND': (value, { own, near }) => {
    if (value > own.size)
      return {
        wrong: `The file has ${formatCount(own.size)} bytes: ${formatCount(value - own.size)} are missing at its end.`,
      };
    if (value < near('fBEGIN')) return { wrong: 'It is before the first record.' };
    return value === own.size
      ? { means: `${formatBytes(value)}, the whole file` }
      : { means: `${formatCount(own.size - value)} bytes follow that are not in use` };
  },
  'header.fSeekFree': async (value, around) =>
    value === 0 ? { means: 'none: the file was not closed' } : recordPlace(value, around, 'the free list'),
  'header.fNbytesFree': (value, around) => sizeOf(value, around.near('fSeekFree'), around),
  'header.nfree': async (value, { near, recordAt }) => {
    const list = await recordAt(near('fSeekFree'));
    const count = list?.fields.filter(
      ({ group, name }) => group === 'free segment' && name === 'fLast',
    ).length;
    return list?.shape !== 'free' || count === value ? {} : { wrong: `The list has ${count} segments.` };
  },
  'header.fNbytesName': async (value, { near, recordAt }) => {
    const first = await recordAt(near('fBEGIN'));
    const root = first?.fields.find(({ group }) => group === 'directory');
    if (root === undefined) return {};
    const least = root.offset - near('fBEGIN');
    return least === value
      ? {}
      : { wrong: `The directory follows ${formatCount(least)} bytes of the first record.` };
  },
  'header.fUnits': (value, { near }) => {
    const units = near('fVersion') >= 1_000_000 ? 8 : 4;
    if (value !== 4 && value !== 8) return { wrong: 'Places have 4 or 8 bytes.' };
    // Readers go by fVersion, and some writers leave the other number here.
    return value === units ? {} : { means: `by fVersion, places have ${units} bytes` };
  },
  'header.fCompress': compression,
  'header.fSeekInfo': (value, around) =>
    value === 0 ? { means: 'none' } : recordPlace(value, around, 'the streamer infos'),
  'header.fNbytesInfo': (value, around) => sizeOf(value, around.near('fSeekInfo'), around),

  'key.fNbytes': keyBytes,
  'key.fVersion': classVersion,
  'key.fObjlen': objectBytes,
  'key.fDatime': date,
  'key.fKeylen': keyLength,
  'key.fSeekKey': (value, { own }) =>
    value === own.offset ? {} : { wrong: `This record is at byte ${formatCount(own.offset)}.` },
  'key.fSeekPdir': (value, around) => (value === 0 ? { means: 'none' } : directoryPlace(value, around)),

  'listed key.fNbytes': and(bytes, sameInRecord),
  'listed key.fVersion': classVersion,
  'listed key.fObjlen': and(objectBytes, sameInRecord),
  'listed key.fDatime': date,
  'listed key.fKeylen': sameInRecord,
  'listed key.fCycle': sameInRecord,
  'listed key.fSeekKey': (value, around) => recordPlace(value, around, 'the object'),
  'listed key.fSeekPdir': directoryPlace,
  'list of keys.nkeys': (value, { own }) => {
    const there = own.fields.filter(({ group, name }) => group === 'listed key' && name === 'fTitle').length;
    const isWhole = own.bytes.length < (valueIn(own.fields, 'key', 'fNbytes') || 0);
    return there >= value || isWhole ? {} : { wrong: `The list has ${formatCount(there)} keys.` };
  },

  'basket.fVersion': classVersion,
  'basket.fBufferSize': and(bytes, notNegative),
  'basket.fNevBufSize': (value) => (value < 0 ? { means: `${formatCount(-value)}; fIOBits follows` } : {}),
  'basket.fNevBuf': notNegative,
  'basket.fLast': (value, { own }) => {
    const keylen = valueIn(own.fields, 'key', 'fKeylen');
    const most = keylen + valueIn(own.fields, 'key', 'fObjlen');
    return value < keylen || value > most
      ? {
          wrong: `The data lie between byte ${formatCount(keylen)} and byte ${formatCount(most)} of the record.`,
        }
      : { means: `${formatBytes(value - keylen)} of data` };
  },

  'directory.fVersion': classVersion,
  'directory.fDatimeC': date,
  'directory.fDatimeM': date,
  'directory.fNbytesKeys': (value, around) => sizeOf(value, around.near('fSeekKeys'), around),
  'directory.fNbytesName': (value, { own, header }) => {
    const said = valueIn(header.fields, 'header', 'fNbytesName');
    return own.shape === 'root' && said !== value ? { wrong: `The header says ${formatCount(said)}.` } : {};
  },
  'directory.fSeekDir': (value, { own }) =>
    value === own.offset ? {} : { wrong: `This record is at byte ${formatCount(own.offset)}.` },
  'directory.fSeekParent': (value, around) =>
    value === 0 ? { means: 'none: this is the root directory' } : directoryPlace(value, around),
  'directory.fSeekKeys': (value, around) =>
    value === 0 ? { means: 'none: the file was not closed' } : recordPlace(value, around, 'the list of keys'),

  'free segment.fVersion': classVersion,
  'free segment.fFirst': inside,
  'free segment.fLast': (value, { near, header }) => {
    const free = value - near('fFirst') + 1;
    if (free < 0) return { wrong: 'It is before the first free byte.' };
    return near('fFirst') === valueIn(header.fields, 'header', 'fEND')
      ? { means: 'behind the end of the file' }
      : { means: `${formatBytes(free)} free` };
  },

  'anchor of an RNTuple.byte count': (value) => {
    const count = value & 0x3fffffff;
    return (value & 0x40000000) === 0
      ? { wrong: 'The bit of a byte count is not set.' }
      : { means: `${count} bytes` };
  },
  'anchor of an RNTuple.fVersionEpoch': (value) =>
    value === 0 ? { means: 'a pre-release of the format' } : {},
  'anchor of an RNTuple.fSeekHeader': inside,
  'anchor of an RNTuple.fNBytesHeader': envelope('fSeekHeader'),
  'anchor of an RNTuple.fLenHeader': bytes,
  'anchor of an RNTuple.fSeekFooter': inside,
  'anchor of an RNTuple.fNBytesFooter': envelope('fSeekFooter'),
  'anchor of an RNTuple.fLenFooter': bytes,
  'anchor of an RNTuple.fMaxKeySize': bytes,

  'compressed block.compressed size': (value, { own }) => {
    const stored = valueIn(own.fields, 'key', 'fNbytes') - valueIn(own.fields, 'key', 'fKeylen');
    return value + 9 > stored
      ? { wrong: `The record has only ${formatCount(stored)} bytes for it.` }
      : bytes(value);
  },
  'compressed block.uncompressed size': (value, { own }) => {
    const most = valueIn(own.fields, 'key', 'fObjlen');
    return value > most ? { wrong: `The object has only ${formatCount(most)} bytes.` } : bytes(value);
  },
};

const BLOCKS: Readonly<Record<string, string>> = {
  ZL: 'zlib',
  CS: 'old deflate',
  XZ: 'LZMA',
  L4: 'LZ4',
  ZS: 'zstd',
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: names of classes have none
const CONTROL = /[\x00-\x1f\x7f\ufffd]/;

const className = (value: string, { own, header }: Around): Judgement => {
  // RNTuple's writer of small files names no class of lists.
  const isList = own.shape !== 'key' || own.offset === valueIn(header.fields, 'header', 'fSeekInfo');
  if (value === '' && !isList) return { wrong: 'A record names the class of its object.' };
  return CONTROL.test(value) ? { wrong: 'This is not the name of a class.' } : {};
};

const TEXTS: Rules<string> = {
  'header.magic': (value) => (value === 'root' ? {} : { wrong: 'A ROOT file begins with "root".' }),
  'key.fClassName': className,
  'listed key.fClassName': async (value, around) => ({
    ...className(value, around),
    ...(await sameInRecord(value, around)),
  }),
  'listed key.fName': sameInRecord,
  'compressed block.algorithm': (value) => {
    const name = BLOCKS[value];
    return name === undefined ? { wrong: 'ROOT has no such algorithm.' } : { means: name };
  },
};
