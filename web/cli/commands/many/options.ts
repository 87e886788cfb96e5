import type { FileOptions } from '../../context';
import type { Options } from '../../options';
import type { DrawnGiven } from '../../terminal/show-drawn';

/** Options of "xylem draw" for many files, each read by itself. */
export const manyOptions = {
  partial: {
    type: 'string',
    value: 'OUT',
    about:
      'read each file by itself, and write a result that "xylem combine" adds to others; TREE must be named, and the ' +
      'axes need bins and ends. A file may name a range of its entries: file.root?#tree[0:1000]',
  },
  resume: {
    type: 'string',
    value: 'FILE',
    about:
      'go on from this partial result where it exists, with what it lacks and what failed; it is written again',
  },
  jobs: { type: 'string', value: 'N', about: 'files that are read at once, each by itself; default 4' },
  'axes-from': {
    type: 'string',
    value: 'FILE',
    about: 'of a partial result, the axes that this file alone would have',
  },
} as const satisfies Options;

export interface ManyGiven extends DrawnGiven, FileOptions {
  partial?: string | undefined;
  resume?: string | undefined;
  jobs?: string | undefined;
  'axes-from'?: string | undefined;
}

/** Whether the options ask for reading file by file. */
export function wantsMany(given: ManyGiven): boolean {
  return (given.partial ?? given.resume ?? given.jobs ?? given['axes-from']) !== undefined;
}
