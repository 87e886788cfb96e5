import { unsupported } from '../../../base/data-errors';
import { UsageError } from '../../../cli/arguments';
import { drawnTree } from '../../../cli/commands/draw';
import { checkDecoded, isStored } from '../../../cli/commands/draw-stored';
import { type Context, withFile } from '../../../cli/context';
import { outputsOf } from '../../../cli/terminal/show-drawn';
import { withTree } from '../../../cli/trees';
import { parseLayerText } from '../../../plot/layers/layer-spec';
import { withLayers } from '../../layers/cli/draw-layers';
import { withUse } from '../../snippets/cli/print-code';
import type { Fitted } from '../work/fit';
import { type FitProgram, type FitSource, fitProgram, togetherProgram } from '../work/programs/program';
import { type FitToolId, fitToolIds } from '../work/programs/tools';
import { type DrawFitGiven, fittedObject, functionOf, optionsOf, togetherOf } from './draw-fit';
import { partsOf } from './draw-together';
import { columnValues } from './values';

/** Prints a program of another tool that fits the same. Returns the exit status. */
export async function printFit(
  given: DrawFitGiven,
  words: readonly string[],
  context: Context,
): Promise<number> {
  const tool = fitToolIds.find((id) => id === given.code);
  if (tool === undefined)
    throw new UsageError(`--fit has programs for ${fitToolIds.join(' and ')}, not for ${given.code}.`);
  const other = given.json ? '--json' : outputsOf(given).length > 0 ? '--svg' : undefined;
  if (other !== undefined) throw new UsageError(`${other} does not go with --code.`);
  if (given['fit-shared'] !== undefined || given.layer !== undefined)
    return await printTogether(tool, given, words, context);
  const { source, fitted } = await sourceOf(given, words, context);
  return put(fitProgram(tool, source, fitted, functionOf(given), optionsOf(given)), context);
}

function put({ tool, text, why }: FitProgram, { out }: Context): number {
  if (text === undefined) throw unsupported(`There is no program for ${tool}: ${why}`);
  out.put(text);
  return 0;
}

async function printTogether(
  tool: FitToolId,
  given: DrawFitGiven,
  words: readonly string[],
  context: Context,
): Promise<number> {
  const options = togetherOf(given);
  return await withLayers(given, words, context, async ({ layers }) => {
    const parts = partsOf(layers, given.fit);
    const [address = '', path = ''] = words;
    const specs: { src?: string | undefined; draw?: string | undefined }[] = [
      {},
      ...(given.layer ?? []).map(parseLayerText),
    ];
    if (layers.every(({ object }) => object)) {
      const sources = layers.map(({ object }, k) => ({
        kind: 'stored' as const,
        address: specs[k]?.src ?? address,
        path: specs[k]?.draw ?? path,
        className: object?._typename ?? '',
      }));
      return put(togetherProgram(tool, sources, parts, options), context);
    }
    return await withUse({ ...given, trace: undefined }, words, context, (use) =>
      put(togetherProgram(tool, use, parts, options), context),
    );
  });
}

async function sourceOf(
  given: DrawFitGiven,
  words: readonly string[],
  context: Context,
): Promise<{ source: FitSource; fitted: Fitted }> {
  const [address = '', ...rest] = words;
  const [path = ''] = rest;
  const values = given['fit-unbinned'] === true;
  const stored = await withFile(address, given, context, async (open) => {
    if (rest.length !== 1 || !(await isStored(open, path))) return undefined;
    if (values) throw new UsageError('A stored object has no values; --fit-unbinned is for trees.');
    if (given.project !== undefined) throw new UsageError('--project does not go with --fit.');
    const object = await open.object(path);
    checkDecoded(object, path);
    const source: FitSource = { kind: 'stored', address, path, className: object._typename };
    return { source, fitted: fittedObject(object, path) };
  });
  if (stored) return stored;
  return await withUse(given, words, context, async (use) => {
    const fitted = await withFile(address, { ...given, trace: undefined }, context, (open) =>
      withTree(open, rest, 'EXPR', async (chosen) =>
        values ? columnValues(open, chosen, given, context) : drawnTree(open, chosen, given, context),
      ),
    );
    if (fitted.kind !== 'histogram' && fitted.kind !== 'values')
      throw unsupported('Only histograms are fitted, not texts and lists.');
    return { source: { kind: 'drawn', use, values } satisfies FitSource, fitted };
  });
}
