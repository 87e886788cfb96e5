import type { FileOptions } from '../../../cli/context';
import { type Options, valued } from '../../../cli/options';
import type { DrawnGiven } from '../../../cli/terminal/show-drawn';

const PARTIAL_ABOUT = 'read each file by itself, and write a result that "xylem combine" adds to others';
const resume = valued(
  'FILE',
  'go on from this partial result where it exists, with what it lacks and what failed; it is written again. When a ' +
    'file changed since, all are read again',
  { updated: true },
);
const RANGE_ABOUT = 'A file may name a range of its entries: file.root?#tree[0:1000]';

/** Options of commands that read each file whole. */
export const wholeOptions = {
  partial: valued('OUT', PARTIAL_ABOUT),
  resume,
} as const satisfies Options;

/** Options of commands that read a tree of many files, each by itself. */
export const treesOptions = {
  partial: {
    ...wholeOptions.partial,
    about: `${PARTIAL_ABOUT}; TREE must be named. ${RANGE_ABOUT}`,
  },
  resume,
  jobs: valued('N', 'files that are read at once, each by itself; default 4'),
} as const satisfies Options;

/** Options of "xylem draw" for many files, each read by itself. */
export const manyOptions = {
  partial: {
    ...wholeOptions.partial,
    about: `${PARTIAL_ABOUT}; TREE must be named, and the axes need bins and ends. ${RANGE_ABOUT}`,
  },
  resume,
  jobs: valued('N', 'files that are read at once, each by itself; default 4'),
  'axes-from': valued('FILE', 'of a partial result, the axes that this file alone would have'),
} as const satisfies Options;

export interface PartialGiven extends DrawnGiven {
  partial?: string | undefined;
  resume?: string | undefined;
  jobs?: string | undefined;
}

export interface ManyGiven extends PartialGiven, FileOptions {
  'axes-from'?: string | undefined;
}

/** Whether the options ask for reading file by file. */
export function wantsMany(
  given: Omit<PartialGiven, keyof DrawnGiven> & { 'axes-from'?: string | undefined },
): boolean {
  return (given.partial ?? given.resume ?? given.jobs ?? given['axes-from']) !== undefined;
}
