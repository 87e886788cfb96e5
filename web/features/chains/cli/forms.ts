import { UsageError } from '../../../cli/arguments';
import type { OtherForm } from '../../../cli/command';
import type { FileOptions } from '../../../cli/context';
import { type Options, valued } from '../../../cli/options';
import type { SourceOptions } from '../../../cli/targets';
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

/** Loads what reads many files, which a command of one file does not need. */
const many = async () => ({ ...(await import('../../../cli/inputs')), ...(await import('./run-many')) });

/** The partial results of a check. */
export const checkMany: OtherForm = {
  options: wholeOptions,
  async run(given: PartialGiven & SourceOptions, files, context) {
    if ((given.partial ?? given.resume) === undefined) return undefined;
    if (['fail-on', 'trace', 'report'].some((name) => name in given))
      throw new UsageError('--fail-on, --report and --trace do not go with partial results.');
    const { inputsOf, runMany } = await many();
    const inputs = (await Promise.all(files.map((file) => inputsOf(file, '', given, context)))).flat();
    if (inputs.some(({ entries }) => entries))
      throw new UsageError('Whole files are checked; leave out the range of entries.');
    return await runMany('check', { depth: 'whole' }, inputs, given, context);
  },
};

/** Throws UsageError for an option that chooses or shows a part of one file. */
function refuseOne(given: object): void {
  const names = ['entries', 'entry-list', 'sample', 'seed', 'friend', 'friend-index', 'limit', 'project'];
  const other = [...names, 'trace', 'report'].find((name) => name in given);
  if (other) throw new UsageError(`--${other} does not go with reading file by file.`);
}

/** The partial results of a summary. */
export const summaryMany: OtherForm = {
  options: treesOptions,
  async run(given: PartialGiven & SourceOptions & { branches?: string[] }, [file = '', word], context) {
    if (!wantsMany(given)) return undefined;
    refuseOne(given);
    if (word === undefined) throw new UsageError('Of partial results, TREE must be named.');
    const { inputsOf, runMany } = await many();
    const inputs = await inputsOf(file, word, given, context);
    return await runMany('summary', { branches: given.branches ?? [] }, inputs, given, context);
  },
};

/** The partial results of a scan, which count lines. */
export const scanMany: OtherForm = {
  options: treesOptions,
  about: 'With --partial or --jobs the lines are counted in place of printed.',
  json: 'Where lines are counted: {"lines", "passed", "entries"}; "passed" are the entries that have lines.',
  async run(given: PartialGiven & SourceOptions & { by?: string; 'root-version'?: string }, words, context) {
    if (!wantsMany(given)) return undefined;
    refuseOne(given);
    const [file = '', tree, columns, cut = '', extra] = words;
    if (tree === undefined || columns === undefined || extra !== undefined)
      throw new UsageError('Of partial results, TREE and A:B:C must be named.');
    const [{ inputsOf, runMany }, { rulesOf }] = await Promise.all([
      many(),
      import('../../../cli/expressions'),
    ]);
    const by = given.by === 'entry' ? given.by : 'instance';
    const query = { columns, cut: cut.trim(), by, rootVersion: rulesOf(given) ?? '6.42' } as const;
    return await runMany('scan', query, await inputsOf(file, tree, given, context), given, context);
  },
};

/** The partial results of histograms. */
export const drawMany: OtherForm = {
  options: manyOptions,
  async run(given, words, context) {
    if (!wantsMany(given)) return undefined;
    refuseOne(given);
    return await (await import('./draw-many')).drawMany(given, words, context);
  },
};
