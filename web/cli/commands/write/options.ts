import type { Options } from '../../options';

/** Options of commands that write a ROOT file. */
export const writeOptions = {
  reproducible: {
    type: 'boolean',
    about: 'write the same bytes for the same input: without dates, and with a UUID made of the content',
  },
  verify: { type: 'boolean', about: 'read the new file back and compare it with what was copied' },
} as const satisfies Options;

/** Shape of the summary that commands print with --json. */
export const WRITTEN_JSON = '{"out", "bytes", "keys", "trees", "baskets", "notes"}';
