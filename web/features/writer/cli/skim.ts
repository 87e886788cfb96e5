import { basename } from 'node:path';
import type { Selection, SkimChoice } from '../../../api/write';
import { chosenEntries, type EntryOptions, UsageError } from '../../../cli/arguments';
import { command } from '../../../cli/command';
import { type OpenFile, withSource } from '../../../cli/context';
import {
  branchesOption,
  commonOptions,
  entryOptions,
  flag,
  type Options,
  valued,
} from '../../../cli/options';
import { cyclePath } from '../../../model/keys';
import { sourcesOf } from './inputs';
import { codecOf, codecOption, WRITTEN_JSON, writeOptions } from './options';
import { saveRoot } from './save-root';
import { skimFiles } from './skim-files';
import { skimTool } from './skim-tool';
import { tellPlan } from './tell-plan';

const options = {
  tree: valued(
    'PATH',
    'only these trees, or one cycle as PATH;CYCLE; * stands for any characters, ? for one; may be repeated',
    { multiple: true },
  ),
  ...branchesOption,
  ...entryOptions,
  cut: valued('CUT', 'only entries for which CUT is not 0; it may name branches that are not copied'),
  'entries-of': valued('PATH', 'the tree of which entries are chosen, where several are copied'),
  objects: valued('PATH', 'of other objects only these, named in the same way; may be repeated', {
    multiple: true,
  }),
  'no-objects': flag('trees alone'),
  to: valued(
    'FORMAT',
    'rntuple writes trees as RNTuples, which are decoded for it; of one IN, and not with --dry-run',
    { choices: ['rntuple'] },
  ),
  ...codecOption,
  'dry-run': flag('say what would be read and written and what it brings, and write nothing'),
  ...writeOptions,
  ...commonOptions,
} as const satisfies Options;

export const skim = command({
  usage: ['IN… OUT', 'IN'],
  about: `Copies a ROOT file or a part of it with all cycles, without ROOT. Baskets and objects are copied compressed, whatever
their classes are; space that nothing uses is left out. Several IN (paths, addresses, patterns in quotes, lists as @files.txt)
become one file as with "xylem merge", and entries are counted over all of them; the last word is OUT. OUT has its name
when it is whole; a file of that name is kept unless --force is given.`,
  examples: [
    ["sample.root small.root --tree Events --branches 'Muon_*,nMuon'", 'some branches'],
    ["sample.root pairs.root --tree Events --cut 'nMuon==2'", 'the entries that pass a cut'],
  ],
  options,
  notes: `Names of branches must be found in each tree that is copied. The branches that others need come along: those that hold
the lengths of arrays, and those above. A line says which.

With --to rntuple of each path the newest cycle is taken, and the codec is zstd:5 unless --codec says another one. A line
says each branch and each object that is left out, because no field can hold it or it cannot be copied alone.`,
  json: `${WRITTEN_JSON}; with --to also "lost", a list of lines; with --dry-run as heal, without "level"; for several IN as merge`,
  exit: '1 with --to where something is left out; for several IN as with "xylem merge".',
  tool: skimTool,
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
    const to = given.to === undefined ? undefined : 'rntuple';
    if (to && given['dry-run']) throw new UsageError('--dry-run cannot say what --to writes.');
    const files = await sourcesOf(inputs, given, context);
    const [first] = files;
    if (files.length !== 1 || !first) {
      if (to) throw new UsageError('--to takes one IN. "xylem export --format rntuple" takes several files.');
      return await skimFiles(files, out, given, selection, context);
    }
    return await withSource({ source: first.source }, given, context, async (open) => {
      const choice = await choiceOf(open, given, selection);
      if (given['dry-run']) {
        const name = basename(out ?? first.name);
        await tellPlan(context, given, {}, (call) => open.planSkim({ ...call, name, ...choice, codec }));
        return 0;
      }
      if (out === undefined) throw new UsageError('OUT is missing; without it, only --dry-run is possible.');
      const { reproducible, verify } = given;
      const { lost = [] } = await saveRoot(out, given, context, (sink, call) =>
        open.skim(sink, { ...call, ...choice, codec, to, reproducible, verify }),
      );
      if (!given.json) for (const one of lost) context.err.line(`lost: ${one}`);
      return lost.length > 0 ? 1 : 0;
    });
  },
});

/** The options as the part of a file that is copied. */
async function choiceOf(
  { reader, info }: OpenFile,
  given: EntryOptions & {
    cut?: string | undefined;
    'entries-of'?: string | undefined;
    to?: string | undefined;
  },
  selection: Selection,
): Promise<SkimChoice> {
  const { cut, 'entries-of': entriesOf } = given;
  const choice = { selection, cut, entriesOf };
  if ((given.entries ?? given['entry-list'] ?? given.sample ?? given.seed) === undefined) return choice;
  const { treeOfEntries } = await import('../work/input/choose-entries');
  const tree = await treeOfEntries(reader, info, selection, entriesOf, {}, given.to !== undefined);
  const { entries } = await reader.tree(info.id, cyclePath(tree));
  return { ...choice, entries: await chosenEntries(given, entries) };
}
