import { UsageError } from '../../../cli/arguments';
import type { Given, OtherForm } from '../../../cli/command';
import { type Options, valued } from '../../../cli/options';
import { lookOptions } from '../../../cli/terminal/look-options';

/** Options that draw several things over each other. */
export const layerOptions = {
  layer: valued(
    "'EXPR; KEY=…'",
    'draw this, too: an expression or the path of a stored object, then cut=…, file=…, tree=…, label=…, option=prof, ' +
      'colour=1 to 24, as=boxes or contours (over a map), with ";" between. What is missing is that of EXPR: "cut=n>1" is the same under another cut, ' +
      '"file=other.root" the same in another file; an expression has the cut that it says. May be repeated',
    { multiple: true },
  ),
  label: valued('TEXT', 'the name of EXPR in the legend of layers'),
  ...lookOptions('layers'),
} as const satisfies Options;

export type LayersGiven = Given<typeof layerOptions>;

/** Whether a line draws layers. Throws UsageError. */
function wantsLayers({ layer, ratio, difference, label, normalise }: LayersGiven): boolean {
  if (ratio && difference) throw new UsageError('Take --ratio or --difference, not both.');
  if (layer !== undefined || normalise !== undefined) return true;
  const other = [ratio && '--ratio', difference && '--difference', label !== undefined && '--label'].find(
    Boolean,
  );
  if (other) throw new UsageError(`${other} is for several layers: name others with --layer.`);
  return false;
}

/** Layers over what "xylem draw" draws. */
export const layersForm: OtherForm = {
  options: layerOptions,
  about: '--layer draws others over it: with the same axes, whose ends are found from the values of all.',
  json: 'With --layer {"kind": "layers", "layers": [{"label", …}, …]}, each a histogram.',
  async run(given, words, context) {
    if (!wantsLayers(given)) return undefined;
    return await (await import('./draw-layers')).drawLayers(given, words, context);
  },
};
