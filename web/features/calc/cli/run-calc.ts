import type { Histogram } from '../../../api/api';
import { unsupported } from '../../../base/data-errors';
import { argumentError, XylemError } from '../../../base/errors';
import { histogramOfObject } from '../../../bins/stored-histogram';
import { callOf } from '../../../cli/calls';
import { checkDecoded } from '../../../cli/commands/draw-stored';
import { type Context, type OpenFile, progressLine, withFiles } from '../../../cli/context';
import { branchNamed } from '../../../cli/drawn-branch';
import { onlyTree } from '../../../verbs/trees';
import type { Compiled } from '../work/language/compile';
import type { StoredName } from '../work/names';
import { type Held, heldOf } from '../work/ops/held';
import { runSteps } from '../work/run-steps';
import type { CalcGiven } from './calc';
import { splitName } from './names';
import { printProgram } from './print-program';
import { showValue } from './show-value';

/** Runs the steps of a line, and shows the result in the form that the options name. Returns the exit status. */
export async function runCalc(
  expression: string,
  compiled: Compiled,
  given: CalcGiven,
  context: Context,
): Promise<number> {
  if (given.code !== undefined) {
    printProgram(given.code, compiled.steps, given, context);
    return 0;
  }
  const targets = compiled.steps.flatMap(({ op, name, file }) => {
    if (op === 'fill') return [String(file)];
    const stored = op === 'open' ? splitName(String(name), given.file) : undefined;
    return stored && !isPartial(stored) ? [stored.file] : [];
  });
  const files = [...new Set(targets)];
  const progress = progressLine(context);
  return await withFiles(files, given, context, async (open) => {
    const values = await runSteps(compiled, {
      open: async (name) => heldOf(await storedHistogram(splitName(name, given.file), open, context)),
      fill: (request) => filled(request, open, progress.show),
    });
    await progress.wipe();
    const value = values.at(-1);
    if (value === undefined) throw argumentError('There is nothing to compute.');
    return await showValue(value, { expression, isComputed: compiled.steps.length > 1 }, given, context);
  });
}

const isPartial = ({ file, path }: StoredName): boolean => file.endsWith('.json') && path === '';

async function storedHistogram(
  { file, path }: StoredName,
  files: ReadonlyMap<string, OpenFile>,
  context: Context,
): Promise<Histogram> {
  if (isPartial({ file, path })) {
    const read = await callOf('histogramOfPartials', 'reads no partial results');
    return await read(file, context.files);
  }
  const open = files.get(file);
  if (open === undefined || path === '')
    throw argumentError(`"${file}" names a file and no histogram.`, 'Write FILE:PATH, as a.root:dir/h.');
  try {
    const object = await open.object(path);
    checkDecoded(object, path);
    return histogramOfObject(object);
  } catch (thrown) {
    throw hinted(thrown, path);
  }
}

/** Adds a hint, because an operator without spaces is a part of a name. */
function hinted(thrown: unknown, path: string): unknown {
  if (!(thrown instanceof XylemError) || thrown.code !== 'NOT_FOUND' || !/[-/]/.test(path)) return thrown;
  const hint = 'Operators need spaces around them beside names of files: a.root:h / b.root:h.';
  return new XylemError({
    ...thrown.toRecord(),
    fix: [thrown.fix, hint].filter(Boolean).join(' '),
    cause: thrown.cause,
  });
}

async function filled(
  {
    file,
    tree,
    expr,
    cut,
  }: { file: string; tree?: string | undefined; expr: string; cut?: string | undefined },
  files: ReadonlyMap<string, OpenFile>,
  onProgress: ReturnType<typeof progressLine>['show'],
): Promise<Held> {
  const open = files.get(file);
  if (open === undefined) throw argumentError(`"${file}" is not open.`);
  const path = tree ?? open.ownTree ?? (await onlyTree(open));
  const { info } = await open.tree(path);
  const branch = cut === undefined ? await branchNamed(info, expr) : undefined;
  const what = branch ? { branch: branch.index } : { expr, cut };
  const result = await open.reader.draw(open.info.id, { tree: path, ...what, labels: true }, { onProgress });
  if (result.kind !== 'histogram')
    throw unsupported(`"${expr}" fills no histogram.`, 'Draw numbers: pt>>(50,0,100).');
  if (result.partial !== undefined)
    throw unsupported(
      `Some baskets of "${file}" cannot be read, so that "${expr}" would lack entries.`,
      '"xylem draw" shows what there is.',
    );
  return heldOf(result);
}
