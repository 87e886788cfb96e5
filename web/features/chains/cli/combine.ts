import { formatCount } from '../../../base/format';
import { type Command, command } from '../../../cli/command';
import { type Context, tellPartial, writeText } from '../../../cli/context';
import { type Input, inputsOf } from '../../../cli/inputs';
import { filesOptions, type Options, valued } from '../../../cli/options';
import { checkForms, shownOptions } from '../../../cli/terminal/show-drawn';
import { type AnyPartial, askedKey, Combiner, commandsText, failuresOf, foundIn } from '../work/partial';
import { parsePartial, partialText } from '../work/partial-text';
import { readPartials } from './read-partials';
import { noteFailed } from './run-many';
import { partialForms, showPartial, wantsShown } from './show-partial';
import { findSides, nameSides } from './side-files';

/** The command, with the options of all kinds of partial results. */
export async function combineCommand(): Promise<Command> {
  const own: Options = Object.assign(
    {},
    ...Array.from((await partialForms()).values(), ({ options }) => options),
  );
  return command({
    usage: ['PARTIAL…'],
    about: `Adds results that --partial of ${commandsText('disjunction')} wrote, in any order and any grouping: the sum has the same bits as
one run over all files. PARTIAL is a path, a quoted pattern ('out/*.json'), a text file of paths (@list.txt), or - for
stdin. Refuses results of different queries or axes, and a file or a range of entries that occurs twice.`,
    examples: [
      ['part1.json part2.json', 'adds partial results'],
      ['part1.json part2.json --svg sum.svg', 'the sum as a picture'],
    ],
    options: {
      partial: valued('OUT', 'write the sum as a partial result'),
      expect: valued(
        'FILES',
        'say which of these files are in no result, and end with status 1 then; files as "xylem draw" takes them',
      ),
      tree: valued('TREE', 'the tree of the files of --expect; by default that of the first input'),
      ...filesOptions,
      ...shownOptions,
      ...(own as object),
    },
    json: `as "xylem draw", "xylem summary" and "xylem check" print it; of a scan {"lines", "passed", "entries"}. The inputs
that could not be read are in "partial".`,
    exit: `0 everything was read, 1 something is missing, cannot be combined, or has errors that a check found, 2 the command
line was not understood.`,
    async run(given, names, context) {
      checkForms(given);
      const combiner = new Combiner();
      let count = 0;
      for await (const { text, name } of readPartials(names, context.files, undefined, context.living)) {
        const one = await parsePartial(text, name);
        await findSides(one, name);
        combiner.add(one);
        count += 1;
      }
      const all = combiner.result();
      noteFailed(all, [], context);
      if (given.partial !== undefined) {
        nameSides(all, given.partial);
        await writeText(given.partial, await partialText(all), context, 'json');
      }
      const shown = given.partial === undefined || (await wantsShown(all.kind, given));
      const ended = shown ? await showPartial(all, given, context) : 0;
      const files = all.inputs.length + all.failed.length;
      context.err.line(
        `${formatCount(count)} results of ${formatCount(files)} inputs, ${formatCount(all.failed.length)} of them failed`,
      );
      const absent = given.expect === undefined ? [] : await absentOf(all, given.expect, given, context);
      for (const input of absent) context.files.failed.add(input);
      for (const { file, entries } of absent.slice(0, 10))
        context.err.line(`missing: ${entries ? `${file} [${entries.join(':')}]` : file}`);
      if (absent.length > 10) context.err.line(`  … and ${formatCount(absent.length - 10)} more`);
      const status = tellPartial(failuresOf(all), 'inputs', context, true);
      return absent.length > 0 || foundIn(all) ? 1 : Math.max(status, ended);
    },
  });
}

/** The files that occur in no result, neither as read nor as failed. */
async function absentOf(
  { inputs, failed }: AnyPartial,
  target: string,
  given: { tree?: string | undefined; header?: string[] | undefined },
  context: Context,
): Promise<Input[]> {
  const there = [...inputs, ...failed];
  const whole = new Set(there.map(askedKey));
  const files = new Set(there.map(({ file, tree }) => askedKey({ file, tree })));
  const expected = await inputsOf(target, given.tree ?? there[0]?.tree ?? '', given, context);
  // Ranges of a file that was expected as a whole count as the file.
  return expected.filter(
    (input) => !(whole.has(askedKey(input)) || (!input.entries && files.has(askedKey(input)))),
  );
}
