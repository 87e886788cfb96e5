import type { BranchInfo, TreeInfo } from '../../../../api/api';
import type { DType } from '../../../../core/dtypes';

/** A branch as programs of other tools see it: one value an entry, or one list of values. */
export interface Column {
  branch: BranchInfo;
  kind: 'number' | 'string';
  dtype: DType;
  /** Whether an entry has a list of values. */
  isList: boolean;
  /** A text that is equal for lists whose lengths are equal in each entry; undefined if nothing is known. */
  length: string | undefined;
  /** Number of elements of a list of fixed length. */
  size: number | undefined;
  /** Whether it has lists in lists, or is a part of an object: then it is only read whole. */
  isDeep: boolean;
}

/** A column, or the reason why programs of other tools do not get it. */
export type ColumnOrWhy = Column | { why: string };

const NUMBERS: Readonly<Record<string, DType>> = {
  bool: 'bool',
  Bool_t: 'bool',
  char: 'i8',
  'signed char': 'i8',
  int8_t: 'i8',
  'unsigned char': 'u8',
  uint8_t: 'u8',
  short: 'i16',
  int16_t: 'i16',
  'unsigned short': 'u16',
  uint16_t: 'u16',
  int: 'i32',
  int32_t: 'i32',
  'unsigned int': 'u32',
  uint32_t: 'u32',
  long: 'i64',
  'long long': 'i64',
  int64_t: 'i64',
  Long64_t: 'i64',
  'unsigned long': 'u64',
  'unsigned long long': 'u64',
  uint64_t: 'u64',
  ULong64_t: 'u64',
  float: 'f32',
  double: 'f64',
};

const LISTS = ['vector<', 'ROOT::VecOps::RVec<'];

/** Returns the column of a branch. */
export function columnOf({ kind }: TreeInfo, branch: BranchInfo): ColumnOrWhy {
  const { name, typeName, title } = branch;
  if (branch.parent >= 0 || branch.depth > 0) return { why: `"${branch.path}" is a part of an object.` };
  const type = typeName.replaceAll('std::', '').trim();
  const one = { branch, isList: false, length: undefined, size: undefined, isDeep: false };
  if (type === 'string') return { ...one, kind: 'string', dtype: 'u8' };
  const whole = numberType(type);
  if (whole) return { ...one, kind: 'number', dtype: whole };
  const list = LISTS.find((start) => type.startsWith(start) && type.endsWith('>'));
  const inList = list && numberType(type.slice(list.length, -1).trim());
  if (inList) return { ...one, kind: 'number', dtype: inList, isList: true };
  // Arrays of a TTree: "float[]" with the title "x[n]/F", and "float[3]".
  const open = type.indexOf('[');
  const inArray = kind === 'TTree' && open > 0 ? numberType(type.slice(0, open)) : undefined;
  const size = type.slice(open + 1, -1);
  if (inArray && size === '') {
    const counter = title.startsWith(`${name}[`) ? title.slice(name.length + 1, title.indexOf(']')) : '';
    const isNamed = /^[A-Za-z_]\w*$/.test(counter) && !title.includes('][');
    if (!isNamed) return { why: `The lengths of "${branch.path}" (${typeName}) are not known.` };
    return { ...one, kind: 'number', dtype: inArray, isList: true, length: counter };
  }
  const isText = inArray === 'i8' && kind === 'TTree';
  if (inArray && !isText && /^\d+$/.test(size)) {
    return { ...one, kind: 'number', dtype: inArray, isList: true, length: size, size: Number(size) };
  }
  return { why: `"${branch.path}" is of the type ${typeName}: neither a number nor a list of numbers.` };
}

/** Returns a branch of numbers in any lists, all of which are used without a cut; undefined for other branches. */
export function wholeColumn(branch: BranchInfo): Column | undefined {
  if (branch.kind !== 'number') return undefined;
  return {
    branch,
    kind: 'number',
    dtype: 'f64',
    isList: true,
    length: undefined,
    size: undefined,
    isDeep: true,
  };
}

function numberType(name: string): DType | undefined {
  return Object.hasOwn(NUMBERS, name) ? NUMBERS[name] : undefined;
}
