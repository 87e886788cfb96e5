import type { BranchInfo, TreeInfo } from '../../api/api';
import type { Schema } from '../../core/decoder';
import { DTYPES } from '../../core/dtypes';
import { LIMITS } from '../../core/expr-levels';
import type { DataModel } from '../../model/data-model';
import type { Compiled } from './compile';

/** A branch that is a whole expression: decoding it gives all values. */
export interface PlainBranch {
  branch: BranchInfo;
  /** Whether ROOT treats the values as whole numbers; undefined if this depends on classes described in the file. */
  integer: boolean | undefined;
}

/**
 * Returns a branch that contains only numbers or strings, possibly in lists and arrays. Returns undefined for other
 * branches, and for those that cannot be decoded; compiling an expression with them throws the reason.
 */
export function plainBranch(model: DataModel, branch: BranchInfo): PlainBranch | undefined {
  if ((branch.kind !== 'number' && branch.kind !== 'string') || mayBeText(model.info, branch))
    return undefined;
  let schema = schemaOf(model, branch);
  let [depth, lists] = [0, 0];
  for (; schema?._typename === 'list' || schema?._typename === 'fixed'; schema = schema.child) {
    depth += 1;
    if (schema._typename === 'list') lists += 1;
  }
  if (depth > LIMITS.dims) return undefined;
  if (schema?._typename === 'string' && branch.kind === 'string') return { branch, integer: false };
  if (schema?._typename !== 'primitive' || branch.kind !== 'number') return undefined;
  if (DTYPES[schema.dtype] === undefined) return undefined;
  const may = mayBeInteger(model.info, branch, schema.dtype, lists);
  return { branch, integer: may && branch.depth > 0 ? undefined : may && !isLong(branch.title) };
}

function schemaOf(model: DataModel, branch: BranchInfo): Schema | undefined {
  try {
    return model.plan(branch).schema;
  } catch {
    return undefined;
  }
}

/** Whether a branch is a fixed-size array of characters, which TTree::Draw treats as a text. */
export function mayBeText({ kind }: TreeInfo, { typeName }: BranchInfo): boolean {
  return kind === 'TTree' && /^int8_t\[\d+\]$/.test(typeName);
}

/**
 * Whether ROOT may treat the values of a branch as integers by their type. It does not do so in lists nested more than
 * two levels deep.
 */
export function mayBeInteger(info: TreeInfo, branch: BranchInfo, dtype: number, lists: number): boolean {
  const name = DTYPES[dtype];
  if (name === undefined || name === 'f32' || name === 'f64' || lists > 2) return false;
  // The branch of a split collection holds only its size. A list of an RNTuple has a field for its elements.
  return info.kind !== 'TTree' || !info.branches.some((one) => one.parent === branch.index);
}

/** Whether a leaf is a Long_t or ULong_t by the title of its branch; the first leaf if none is named. */
export function isLong(title: string, leaf?: string): boolean {
  const part = title.split(':').find((one) => leaf === undefined || one.split(/[[/]/)[0] === leaf);
  return part !== undefined && /\/[Gg]$/.test(part);
}

/** Returns what `compile` returns for a plain branch, except for its program. */
export function withoutProgram({ branch, integer = false }: PlainBranch): Compiled {
  const none = { dims: 0, loops: false, text: false, dtype: 'f64', missing: false, lacking: [] } as const;
  const program = { program: new Uint8Array(0), columns: [], math: false, together: false };
  const facts = { perEntry: false, random: false, placed: false, plain: branch };
  return { ...program, ...facts, outputs: [{ kind: 'number', integer, ...none }] };
}
