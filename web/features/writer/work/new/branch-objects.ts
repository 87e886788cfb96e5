import type { DType } from '../../../../core/columns';
import type { TapeValue } from '../../../../core/tape';
import type { ObjectData } from '../encode/types';
import type { BranchForm } from './branch-form';

type Data = { [member: string]: TapeValue };

/** A branch of a new tree. */
export interface BranchSketch {
  name: string;
  form: BranchForm;
  /** Its documentation; ROOT's list of leaves if there is none. */
  title?: string | undefined;
  /** The branch with the lengths of its arrays. */
  counter?: BranchSketch | undefined;
}

/** Letter of each type in a leaf list, and its C++ name. */
const TYPES: Record<DType, [letter: string, cpp: string]> = {
  bool: ['O', 'bool'],
  i8: ['B', 'char'],
  u8: ['b', 'unsigned char'],
  i16: ['S', 'short'],
  u16: ['s', 'unsigned short'],
  i32: ['I', 'int'],
  u32: ['i', 'unsigned int'],
  i64: ['L', 'Long64_t'],
  u64: ['l', 'ULong64_t'],
  f32: ['F', 'float'],
  f64: ['D', 'double'],
};

/** Initial size of the table of offsets of a basket: ROOT's default for entries of variable size. */
const OFFSET_LENGTH = 1000;

/** Adds branches to an empty tree. Existing branches of that tree are the patterns. `compress` is fCompress. */
export function putBranches(tree: ObjectData, branches: readonly BranchSketch[], compress: number): void {
  const lists = { branches: tree.fBranches as Data, leaves: tree.fLeaves as Data };
  const patterns = new Map((lists.branches.arr as Data[]).map((branch) => [String(branch.fName), branch]));
  const made = new Map<BranchSketch, Data>();
  for (const sketch of branches) {
    const branch = structuredClone(patterns.get(patternOf(sketch.form))) as Data;
    name(branch, sketch);
    branch.fCompress = compress;
    made.set(sketch, branch);
  }
  // A counter may come after its arrays.
  for (const [{ counter }, branch] of made) {
    const counting = counter && made.get(counter);
    if (!counting) continue;
    const leaf = leafOf(counting);
    leaf.fIsRange = true;
    leafOf(branch).fLeafCount = leaf;
  }
  lists.branches.arr = [...made.values()];
  lists.leaves.arr = [...made.values()].map(leafOf);
}

function patternOf({ element, vector }: BranchForm): string {
  if (vector) return 'vector';
  return element === 'string' ? 'string' : TYPES[element][0];
}

function leafOf(branch: Data): Data {
  return ((branch.fLeaves as Data).arr as Data[])[0] as Data;
}

function name(branch: Data, { name: own, form, counter, title }: BranchSketch): void {
  const { element, dimensions, levels, vector } = form;
  const leaf = leafOf(branch);
  branch.fName = own;
  leaf.fName = own;
  if (vector || element === 'string') {
    branch.fTitle = title ?? own;
    leaf.fTitle = own;
    if (!vector) return;
    const className = vectorName(element, levels);
    branch.fClassName = className;
    branch.fCheckSum = checksumOf(className);
    branch.fEntryOffsetLen = OFFSET_LENGTH;
    return;
  }
  const sizes = [...(counter ? [counter.name] : []), ...dimensions].map((size) => `[${size}]`).join('');
  leaf.fTitle = own + sizes;
  leaf.fLen = dimensions.reduce((product, size) => product * size, 1);
  branch.fTitle = title ?? `${own}${sizes}/${TYPES[element][0]}`;
  branch.fEntryOffsetLen = counter ? OFFSET_LENGTH : 0;
}

function vectorName(element: DType | 'string', levels: number): string {
  let className = element === 'string' ? 'string' : TYPES[element][1];
  for (let level = 0; level < levels; level++)
    className = `vector<${className}${className.endsWith('>') ? ' ' : ''}>`;
  return className;
}

/** Returns the checksum that TClass::GetCheckSum gives for a class without members. */
function checksumOf(className: string): number {
  let sum = 0;
  for (const character of className) sum = (Math.imul(sum, 3) + character.charCodeAt(0)) >>> 0;
  return sum;
}
