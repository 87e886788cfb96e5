import type { TreeLayout } from '../../../../api/layout';
import { itemAt } from '../../../../base/item-at';
import type { BasketForm } from '../../../../core/basket-packer';
import type { ClassCodec } from '../encode/class-codec';
import { branchesOf } from '../encode/tree-edit';
import type { ObjectData } from '../encode/types';

/** Properties of the baskets of a branch, other than their values. */
export interface BranchForm extends BasketForm {
  /** Reason why its baskets cannot be divided or joined; undefined if they can. */
  whole?: string | undefined;
}

/** Bit of fIOFeatures: kGenerateOffsetMap. */
const GENERATED_OFFSETS = 1;
/** Values of fType of a TBranchElement whose entries are numbers of elements: TClonesArray and collections. */
const COUNTS = new Set([3, 4]);

/**
 * Returns the forms of the branches of a tree, in the order of the branch table. `record` is the tree's record,
 * `data` its object, and `several` are the classes for which the file describes several layouts.
 */
export function branchForms(
  { tree }: TreeLayout,
  record: Uint8Array,
  data: ObjectData,
  codec: Pick<ClassCodec, 'entryPlans'>,
  several: ReadonlySet<string>,
): BranchForm[] {
  const branches = branchesOf(data);
  const mayPoint = branches.map(
    ({ branch }) =>
      Number(branch.fEntryOffsetLen ?? 0) > 0 &&
      branch._typename !== 'TBranch' &&
      !COUNTS.has(Number(branch.fType)),
  );
  const plans = mayPoint.includes(true) ? codec.entryPlans(record, mayPoint) : [];
  return branches.map(({ branch }, i) => {
    const offsets = Number(branch.fEntryOffsetLen ?? 0) > 0;
    const features = branch.fIOFeatures as { fIOBits?: unknown } | null | undefined;
    const generated = offsets && (Number(features?.fIOBits ?? 0) & GENERATED_OFFSETS) !== 0;
    const plan = plans[i];
    // Objects of such a branch have no header with their layout, so all objects of a basket must have the same one.
    const isWithoutHeader =
      branch._typename === 'TBranchElement' && Number(branch.fType) === 0 && Number(branch.fID) < 0;
    const name = String(branch.fClassName);
    const isMixed = isWithoutHeader && itemAt(tree.branches, i, 'branch').baskets > 1 && several.has(name);
    const mixed = isMixed ? `may hold objects of several layouts of ${name} without headers` : undefined;
    const unknown = typeof plan === 'string' ? `hold pointers that cannot be found (${plan})` : undefined;
    return {
      offsets,
      path: `${tree.path}/${tree.branches[i]?.path}`,
      plan: typeof plan === 'string' ? undefined : (plan ?? undefined),
      whole: generated ? 'leave out where entries begin (kGenerateOffsetMap)' : (mixed ?? unknown),
    };
  });
}
