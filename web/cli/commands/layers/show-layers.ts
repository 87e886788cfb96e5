import type { Histogram } from '../../../api/api';
import { unsupported } from '../../../base/data-errors';
import { membersJson } from '../../../base/json';
import { binsCsv, csvText } from '../../../bins/to-csv';
import { readableLatex } from '../../../plot/drawing/latex';
import { withNames } from '../../../plot/layers/histogram-names';
import { type LayerPart, layered, withoutParts } from '../../../plot/layers/layered';
import { type Context, writeText } from '../../context';
import { givenLook } from '../../terminal/look-options';
import { wantsPicture, writePlot } from '../../terminal/picture';
import type { DrawnGiven } from '../../terminal/show-drawn';

/** A layer that was read. */
export interface ShownLayer {
  part: LayerPart;
  /** Its bins. Throws UNSUPPORTED for what has none. */
  histogram(): Histogram;
}

/** Writes layers in the form that the options name, or draws them in the terminal. */
export async function showLayers(
  layers: readonly ShownLayer[],
  given: DrawnGiven,
  context: Context,
): Promise<void> {
  const { out } = context;
  const named = () => layers.map(({ part: { label }, histogram }) => ({ label, histogram: histogram() }));
  if (given.json) {
    const texts = named().map(({ label, histogram }) => membersJson({ label, ...histogram }));
    out.line(`{"kind": "layers", "layers": [${texts.join(', ')}]}`);
  } else if (given.csv !== undefined) await writeText(given.csv, layersCsv(named()), context);
  else if (given.root !== undefined) {
    const { saveHistogram } = await import('../../terminal/save-histogram');
    await saveHistogram(given.root, withNames(named()), given, context);
  } else if (given.uhi !== undefined) {
    const { uhiJson } = await import('../../../bins/to-uhi');
    const members = withNames(named()).map((one) => `${JSON.stringify(one.name)}:${uhiJson(one)}`);
    await writeText(given.uhi, `{${members.join(',')}}`, context, 'json');
  } else if (given['root-json'] !== undefined) {
    const { rootJson } = await import('../../../bins/to-root');
    const list = withNames(named()).map(rootJson);
    const options = JSON.stringify(list.map(() => ''));
    const text = `{"_typename":"TList","name":"TList","arr":[${list.join(',')}],"opt":${options}}`;
    await writeText(given['root-json'], text, context, 'json');
  } else await showPicture(layers, given, context);
}

async function showPicture(
  layers: readonly ShownLayer[],
  given: DrawnGiven,
  context: Context,
): Promise<void> {
  const isPicture = wantsPicture(given);
  const look = givenLook(given);
  const base = layers[0]?.part.model;
  const isScaled = look.norm === 'area' || look.norm === 'max';
  if (isScaled && base?.kind === 'graph' && base.stack) {
    const message = 'The contents of a stack stay as they are.';
    const fix = 'Use --normalise first, which scales what lies over it to its sum.';
    throw unsupported(message, fix);
  }
  const { model, refused, why } = layered(
    // Letters have no colours for the histograms of a stack.
    layers.map(({ part }) => (isPicture ? part : withoutParts(part))),
    look,
  );
  const [first = why] = refused.values();
  if (first !== undefined) throw unsupported(first);
  if (isPicture) return await writePlot(model, given, context);
  const width = context.out.columns ?? 80;
  if (model.kind === 'map' && look.below !== 'difference') {
    // One below the other: letters cannot lie over each other.
    const { terminalHeat } = await import('../../terminal/terminal-heat');
    const shown = look.below === 'none' ? layers.map(({ part }) => part) : [{ model, label: model.title }];
    for (const one of shown) {
      if (one.model.kind !== 'map') continue;
      const map = { ...one.model, title: readableLatex(one.label) };
      for (const line of terminalHeat(map, width, look.log.y)) context.out.line(line);
    }
    return;
  }
  if (model.kind !== 'bins' || model.points?.length) {
    const message = 'A terminal shows layers of histograms only, and no difference of maps.';
    throw unsupported(message, 'Use --svg OUT.');
  }
  const { terminalLayers } = await import('../../terminal/terminal-layers');
  for (const line of terminalLayers(model, { width, logY: look.log.y })) context.out.line(line);
}

/** The lines of all layers, with the name of the layer first. */
function layersCsv(layers: readonly { label: string; histogram: Histogram }[]): string {
  const tables = layers.map(({ label, histogram }) => {
    const [head = '', ...lines] = binsCsv(histogram).split('\n');
    return { head: `layer,${head}`, lines: lines.map((line) => `${csvText(label)},${line}`) };
  });
  const heads = new Set(tables.map(({ head }) => head));
  if (heads.size > 1) {
    const message = 'The layers have different columns: bins with names, or profiles, beside others.';
    throw unsupported(message, 'Use --json.');
  }
  return [...heads, ...tables.flatMap(({ lines }) => lines)].join('\n');
}
