import type { Histogram, PlainObject } from '../../../api/api';
import { unsupported } from '../../../base/data-errors';
import { membersJson } from '../../../base/json';
import type { BinWriter } from '../../../bins/formats';
import type { Context } from '../../../cli/context';
import { givenLook } from '../../../cli/terminal/look-options';
import { wantsPicture, writePlot } from '../../../cli/terminal/picture';
import { type DrawnGiven, writeBins } from '../../../cli/terminal/show-drawn';
import { readableLatex } from '../../../plot/drawing/latex';
import { type LayerPart, layered, withoutParts } from '../../../plot/layers/layered';
import { withNames } from '../work/histogram-names';

/** A layer that was read. */
export interface ShownLayer {
  part: LayerPart;
  /** The stored object; undefined for what was filled. */
  object?: PlainObject | undefined;
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
    return;
  }
  const renamed = () => withNames(named());
  const write = { text: ({ all }: BinWriter) => all(renamed()), file: renamed };
  if (!(await writeBins(given, write, context))) await showPicture(layers, given, context);
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
    const { terminalHeat } = await import('../../../cli/terminal/terminal-heat');
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
  const { terminalLayers } = await import('../../../cli/terminal/terminal-layers');
  for (const line of terminalLayers(model, { width, logY: look.log.y })) context.out.line(line);
}
