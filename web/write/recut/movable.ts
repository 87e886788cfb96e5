import type { BranchInfo } from '../../api/api';
import { toXylemError, type XylemError } from '../../base/errors';
import type { ClassCodec } from '../encode/class-codec';
import type { Input } from '../input';
import type { Records } from '../records';
import type { TreeJob } from '../tree-copy';
import { type RecutOptions, recutBaskets } from './recut';
import { cutTrees } from './recut-trees';

/**
 * The first branch of a tree of which chosen entries cannot be moved to other baskets, and why; undefined where all can.
 * Baskets of entries with pointers are made for it, and dropped. Throws the errors of reading.
 */
export async function firstStuck(
  { input, records, codec }: { input: Input; records: Records; codec: ClassCodec },
  job: TreeJob,
  options: RecutOptions,
): Promise<{ branch: BranchInfo; error: XylemError } | undefined> {
  try {
    const { sources, cuts } = await cutTrees({ input, records, codec }, [job], { order: 'file' }, options);
    const moved = cuts.filter(({ branch, parts }) => {
      const isWhole = parts.length === 1 && parts[0]?.ranges === undefined;
      return !isWhole && sources[0]?.forms[branch]?.plan !== undefined;
    });
    // They are made one after another, for the error alone, and count as bytes that are copied when they are made again.
    const tried = { ...input, taken: { bytes: 0 } };
    for await (const _ of recutBaskets(tried, records, sources, moved, options));
  } catch (thrown) {
    const error = toXylemError(thrown);
    const { tree } = job.source;
    const branch = tree.branches.find(({ path }) => `${tree.path}/${path}` === error.where?.path);
    if (error.code !== 'UNSUPPORTED' || !branch) throw thrown;
    return { branch, error };
  }
  return undefined;
}
