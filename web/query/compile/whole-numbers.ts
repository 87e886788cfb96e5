import type { BranchInfo } from '../../api/api';
import { bareName, trimEndOf } from '../../base/text';
import { LEVEL } from '../../core/expr-levels';
import { classAt, type Leaf } from './leaf';
import type { FoundPath } from './paths';
import { isLong, mayBeInteger } from './plain-branch';
import { type Shapes, shapesOf } from './shapes';

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
  const { branch, scope, member } = found;
  const lists = levels.filter((level) => level.kind === LEVEL.list).length;
  if (kind !== 'number' || !mayBeInteger(scope.model.info, branch, dtype, lists)) return false;
  if (members.length > 0) {
    const inside = typeInside({ found, members });
    return inside === undefined || ![LONG, UNSIGNED_LONG, BITS].includes(inside);
  }
  if (branch.depth === 0) return !isLong(branch.title, member);
  const type = typeOfSplit(shapesOf(scope.model), branch, scope.model.info.branches[branch.parent]);
  return type !== LONG && type !== UNSIGNED_LONG && (type !== BITS || lists > 0);
}

/** Returns the type of the member that a branch of a split object holds; undefined if its class is not found. */
function typeOfSplit(shapes: Shapes, branch: BranchInfo, above: BranchInfo | undefined): number | undefined {
  const words = bareName(branch.name).split('.');
  const last = words.pop() ?? '';
  let className = elementClass(shapes, above?.typeName ?? '');
  // The name begins with that of the branch above, and may go through members that have no branch.
  const start =
    above && bareName(branch.name).startsWith(`${bareName(above.name)}.`) ? bareName(above.name) : '';
  for (const word of start === '' ? words : words.slice(start.split('.').length)) {
    className = shapes.memberName(className, word) ?? '';
  }
  return shapes.memberType(className, last);
}

/** Returns the class of the objects in a collection. If the name is a class itself, returns that name. */
function elementClass(shapes: Shapes, typeName: string): string {
  if (shapes.isClass(typeName)) return typeName;
  const inside = /^[\w:]+<(.+)>$/.exec(typeName)?.[1];
  return inside === undefined ? typeName : trimEndOf(inside, '* ');
}

/** Returns the type of a member of an object that is not split; undefined if its class is not found. */
function typeInside({ found, members }: Pick<FoundPath, 'found' | 'members'>): number | undefined {
  const shapes = shapesOf(found.scope.model);
  const schema = shapes.branch(found.branch);
  const above = members.slice(0, -1);
  const className = schema && classAt(schema, above, shapes.of(found.branch));
  return className ? shapes.memberType(className, members[members.length - 1] ?? '') : undefined;
}

/** Whether ROOT treats the size of a collection as an integer. True for a TClonesArray. */
export function countsAsIntegerSize({ found, members }: FoundPath): boolean {
  const { branch, scope } = found;
  if (members.length === 0) return /^TClonesArray\b/.test(branch.typeName);
  const shapes = shapesOf(scope.model);
  const schema = shapes.branch(branch);
  const className = schema && classAt(schema, members.slice(0, -1), shapes.of(branch));
  return className
    ? shapes.memberName(className, members[members.length - 1] ?? '') === 'TClonesArray'
    : false;
}
