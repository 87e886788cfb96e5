import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { cyclePath } from '../../../model/find-key';
import type { Selection } from '../../../write/selection';
import type { SkimChoice } from '../../../write/skim';
import { chosenEntries, type EntryOptions, UsageError } from '../../arguments';
import { command } from '../../command';
import { type OpenFile, withSource } from '../../context';
import { branchesOption, commonOptions, entryOptions, type Options } from '../../options';
import { sourcesOf } from './inputs';
import { codecOf, codecOption, WRITTEN_JSON, writeOptions } from './options';
import { saveRoot } from './save-root';
import { skimFiles } from './skim-files';
import { tellPlan } from './tell-plan';

const options = {
  tree: {
    type: 'string',
    multiple: true,
    value: 'PATH',
    about:
      'only these trees, or one cycle as PATH;CYCLE; * stands for any characters, ? for one; may be repeated',
  },
  ...branchesOption,
  ...entryOptions,
  cut: {
    type: 'string',
    value: 'CUT',
    about: 'only entries for which CUT is not 0; it may name branches that are not copied',
  },
  'entries-of': {
    type: 'string',
    value: 'PATH',
    about: 'the tree of which entries are chosen, where several are copied',
  },
  objects: {
    type: 'string',
    multiple: true,
    value: 'PATH',
    about: 'of other objects only these, named in the same way; may be repeated',
  },
  'no-objects': { type: 'boolean', about: 'trees alone' },
  ...codecOption,
  'dry-run': {
    type: 'boolean',
    about: 'say what would be read and written and what it brings, and write nothing',
  },
  ...writeOptions,
  ...commonOptions,
} as const satisfies Options;

export const skim = command({
  usage: ['IN… OUT', 'IN'],
  about: `Copies a ROOT file or a part of it with all cycles, without ROOT. Baskets and objects are copied compressed, whatever
their classes are; space that nothing uses is left out. Several IN (paths, addresses, patterns in quotes, lists as @files.txt)
become one file as with "xylem merge", and entries are counted over all of them; the last word is OUT, which must not
exist then if IN has several words. OUT has its name when it is whole.`,
  options,
  notes: `Names of branches must be found in each tree that is copied. The branches that others need come along: those that hold
the lengths of arrays, and those above. A line says which.`,
  json: `${WRITTEN_JSON}; with --dry-run as heal, without "level"; for several IN as merge`,
  exit: 'Exit status 1 for several IN says what it says for "xylem merge".',
  async run(given, words, context) {
    const inputs = words.length > 1 ? words.slice(0, -1) : words;
    const out = words.length > 1 ? words.at(-1) : undefined;

    if (given.objects && given['no-objects'])
      throw new UsageError('Take --objects or --no-objects, not both.');
    const selection = {
      trees: given.tree,
      branches: given.branches,
      objects: given['no-objects'] ? [] : given.objects,
    };
    const codec = codecOf(given);
    const files = await sourcesOf(inputs, given, context);
    const [first] = files;
    if (files.length !== 1 || !first) {
      if (inputs.length > 1 && out !== undefined && existsSync(out))
        throw new UsageError(`OUT exists already: ${out}. Several files are copied only into a new one.`);
      return await skimFiles(files, out, given, selection, context);
    }
    return await withSource({ source: first.file }, given, context, async (open) => {
      const { planSkim, skimFile } = await import('../../../write/skim');
      const choice = await choiceOf(open, given, selection);
      if (given['dry-run']) {
        const name = basename(out ?? first.name);
        await tellPlan(context, given, {}, (call) =>
          planSkim(open.reader, open.info, { ...call, name, ...choice, codec }),
        );
        return 0;
      }
      if (out === undefined) throw new UsageError('OUT is missing; without it, only --dry-run is possible.');
      await saveRoot(out, open, { ...given, verify: given.verify === true }, context, (sink, call) =>
        skimFile(open.reader, open.info, sink, { ...call, name: basename(out), ...choice, codec }),
      );
      return 0;
    });
  },
});

/** The options as the part of a file that is copied. */
async function choiceOf(
  { reader, info }: OpenFile,
  given: EntryOptions & { cut?: string | undefined; 'entries-of'?: string | undefined },
  selection: Selection,
): Promise<SkimChoice> {
  const { cut, 'entries-of': entriesOf } = given;
  const choice = { selection, cut, entriesOf };
  if ((given.entries ?? given['entry-list'] ?? given.sample ?? given.seed) === undefined) return choice;
  const { treeOfEntries } = await import('../../../write/choose-entries');
  const tree = await treeOfEntries(reader, info, selection, entriesOf, {});
  const { entries } = await reader.tree(info.id, cyclePath(tree));
  return { ...choice, entries: await chosenEntries(given, entries) };
}
