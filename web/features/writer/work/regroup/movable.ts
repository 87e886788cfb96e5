import type { BranchInfo } from '../../../../api/api';
import { toXylemError, type XylemError } from '../../../../base/errors';
import type { ClassCodec } from '../encode/class-codec';
import type { Records } from '../file/records';
import type { Input } from '../input/input';
import type { TreeJob } from '../input/tree-copy';
import { type RegroupOptions, regroupBaskets } from './regroup';
import { groupTrees } from './regroup-trees';

/**
 * Returns the first branch of a tree whose chosen entries cannot be moved to other baskets, with the reason;
 * undefined if all can be moved. Baskets of entries with pointers are made for this test and dropped. Throws the
 * errors of reading.
 */
export async function firstStuck(
  { input, records, codec }: { input: Input; records: Records; codec: ClassCodec },
  job: TreeJob,
  options: RegroupOptions,
): Promise<{ branch: BranchInfo; error: XylemError } | undefined> {
  try {
    const { sources, groups } = await groupTrees(
      { input, records, codec },
      [job],
      { order: 'file' },
      options,
    );
    const moved = groups.filter(({ branch, parts }) => {
      const isWhole = parts.length === 1 && parts[0]?.ranges === undefined;
      return !isWhole && sources[0]?.forms[branch]?.plan !== undefined;
    });
    // They are made one by one only to find errors. Their bytes count as copied when they are made again.
    const tried = { ...input, taken: { bytes: 0 } };
    for await (const _ of regroupBaskets(tried, records, sources, moved, options));
  } catch (thrown) {
    const error = toXylemError(thrown);
    const { tree } = job.source;
    const branch = tree.branches.find(({ path }) => `${tree.path}/${path}` === error.where?.path);
    if (error.code !== 'UNSUPPORTED' || !branch) throw thrown;
    return { branch, error };
  }
  return undefined;
}
