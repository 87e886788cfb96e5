import { DTYPES } from '../../core/dtypes';
import { LEVEL } from '../../core/expr-ops';
import type { Leaf } from './leaf';
import type { FoundPath } from './paths';
import { shapesOf } from './shapes';

/** Values of TStreamerElement::fType in ROOT. */
const LONG = 4;
const UNSIGNED_LONG = 14;
const BITS = 15;

/**
 * Whether ROOT treats a branch as integers, so that the width of a bin is a whole number. ROOT does not do
 * so for single Long_t and ULong_t values, for the bits of a TObject, and for lists nested more than two
 * levels deep.
 */
export function countsAsInteger({ found, members }: FoundPath, { kind, dtype, levels }: Leaf): boolean {
  const name = DTYPES[dtype];
  if (kind !== 'number' || name === undefined || name === 'f32' || name === 'f64') return false;
  const lists = levels.filter((level) => level.kind === LEVEL.list).length;
  if (lists > 2) return false;
  const { branch, scope, member } = found;
  const { branches, kind: model } = scope.model.info;
  // The branch of a split collection holds only its size. A list of an RNTuple has a field for its
  // elements.
  if (model === 'TTree' && branches.some((one) => one.parent === branch.index)) return false;
  if (members.length > 0) return true;
  if (branch.depth === 0) return !/\/[Gg]$/.test(partOf(branch.title, member));
  const type = shapesOf(scope.model).memberType(
    branches[branch.parent]?.typeName ?? '',
    lastName(branch.name),
  );
  return type !== LONG && type !== UNSIGNED_LONG && (type !== BITS || lists > 0);
}

/** Returns the part of a leaf list's title that describes one leaf. */
function partOf(title: string, leaf: string | undefined): string {
  return title.split(':').find((part) => leaf === undefined || part.split(/[[/]/)[0] === leaf) ?? '';
}

function lastName(name: string): string {
  const [bare = ''] = name.split('[');
  return bare.slice(bare.lastIndexOf('.') + 1);
}
