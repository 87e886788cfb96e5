import { scaledTitle } from '../../../../plot/layers/layered';
import { namedBranch } from '../../../../query/compile/named-branch';
import { translate, Untranslated } from '../../../snippets/work/translate/translate';
import { nameOfLayer, normOf, type Use, type UsedLayer } from '../../../snippets/work/use';
import { type StyledLayer, styledLayer } from '../drawn/look';
import type { WholeStyle } from '../presets';

/** How a layer is drawn by a program. Lengths are points. */
export interface CodeLayer extends StyledLayer {
  /** Its name in the legend, as TLatex; empty for none. */
  label: string;
  errors: boolean;
}

/** A figure that programs draw. */
export interface CodeFigure {
  use: Use;
  style: WholeStyle;
  layers: CodeLayer[];
  /** Titles of the axes, as TLatex: those of the style, or of the drawing. */
  titles: { x: string; y: string; z: string };
  log: { x: boolean; y: boolean };
  /** The panel below. */
  below: 'none' | 'ratio' | 'difference';
}

/** Returns a figure with what its style does not say. `log`: the axes of the plot that are logarithmic. */
export function codeFigure(use: Use, style: WholeStyle, log: CodeFigure['log']): CodeFigure {
  const [first] = use.layers;
  const dims = use.axes.length;
  const expr = first.tree === undefined ? first.item : first.expr;
  const isProfile = first.tree !== undefined && first.profile === true;
  // The text has y before x.
  const words =
    first.tree !== undefined && (dims > 1 || isProfile) ? expr.split(/(?<!:):(?!:)/).reverse() : [expr];
  // As the axis of a plot, which has the title of its first layer.
  const counts = scaledTitle(isWeighted(first) ? 'Sum of weights' : 'Entries', normOf(use));
  // As the axes of a plot have the unit of a branch.
  const named = (text: string): string => {
    const unit = first.tree && namedBranch({ text }, first.tree)?.unit;
    return unit === undefined ? text : `${text} (${unit})`;
  };
  const own = dims > 1 || isProfile ? named(words[1] ?? '') : counts;
  return {
    use,
    style,
    layers: use.layers.map((layer, i) => codeLayer(layer, i, style, use)),
    titles: {
      x: style.x?.title ?? named(words[0] ?? ''),
      y: style.y.title ?? own,
      z: style.z?.title ?? counts,
    },
    log: { x: style.x?.log ?? log.x, y: (dims === 1 ? style.y.log : style.z?.log) ?? log.y },
    below: dims === 1 && use.layers.length > 1 ? style.ratio.show : 'none',
  };
}

/** Whether the cut of a layer gives other weights than 0 and 1. */
function isWeighted(layer: UsedLayer): boolean {
  if (layer.tree === undefined || layer.cut.trim() === '') return false;
  try {
    return translate(layer.tree, layer).weight?.isTruth !== true;
  } catch (thrown) {
    if (thrown instanceof Untranslated) return true;
    throw thrown;
  }
}

function codeLayer(layer: UsedLayer, i: number, style: WholeStyle, use: Use): CodeLayer {
  const isProfile = layer.tree !== undefined && layer.profile === true;
  const own = styledLayer(style, i, { as: isProfile ? 'points' : 'line' });
  return {
    ...own,
    label: style.layers?.[i]?.label ?? (use.layers.length > 1 ? nameOfLayer(layer) : ''),
    errors: own.errors ?? own.as === 'points',
  };
}

/** Height of the lines of the label that stand in the upper left corner of the frame, in points. */
export function insideHeight({ label, font }: WholeStyle): number {
  const { place, experiment, text = '', extra = '' } = label;
  const name = experiment === '' ? 0 : 1.3;
  const words = text === '' ? 0 : 1;
  const more = extra === '' || place === 'above' ? 0 : 1 / 1.3;
  const lines = {
    above: 0,
    split: words,
    inside: Math.max(name, words),
    lines: name + words,
    beside: Math.max(name, words) + 1 / 1.1,
  }[place];
  return 1.25 * font.label * (lines + more);
}
