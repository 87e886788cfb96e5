import { argumentError, XylemError } from '../../base/errors';
import { checkOptions, type Rules } from '../../base/options';
import { FLAG, listOf, OBJECT, oneOf, TEXT, whole } from '../../base/shape';
import { LOOKS, type OverMap, overMaps } from './choices';

/**
 * A layer of a plot, in links, for the element and for programs. Missing members are those of the plot: an empty
 * layer is the plot itself, one with only a cut is the same with another cut, and one with only an address is the
 * same from another file.
 */
export interface LayerSpec {
  /** Path of a branch, or expressions of TTree::Draw. The cut of the plot does not apply to it. */
  draw?: string | undefined;
  /** Selection and weight; empty for all values. */
  cut?: string | undefined;
  /** "prof": the mean of y in bins of x. */
  opt?: 'prof' | undefined;
  tree?: string | undefined;
  /** Path of a stored object. */
  item?: string | undefined;
  /** Address of the file. */
  src?: string | undefined;
  /** Its name in the legend. Default: the part in which it differs from the other layers. */
  label?: string | undefined;
  /** Number of a line style, 1 to 24: six colours, then the same with dashes. Default: its index among the layers. */
  colour?: number | undefined;
  hidden?: boolean | undefined;
  /** How a map is drawn over another one: as boxes, or as contour lines. Default: boxes. */
  as?: OverMap | undefined;
}

const RULES: Rules<LayerSpec> = {
  draw: TEXT,
  cut: TEXT,
  opt: oneOf('prof'),
  tree: TEXT,
  item: TEXT,
  src: TEXT,
  label: TEXT,
  colour: whole(1, LOOKS),
  hidden: FLAG,
  as: oneOf(...overMaps),
};
const LIST = listOf(OBJECT);
const MAX_LAYERS = 50;

/** The layers of a JSON text. Throws ARGUMENT. */
export function parseLayers(text: string): LayerSpec[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (cause) {
    throw mistake('The layers are not JSON.', cause);
  }
  if (!LIST.is(list)) throw mistake('The layers are not a list of objects.');
  const layers = list as LayerSpec[];
  if (layers.length > MAX_LAYERS) throw mistake(`A plot has ${MAX_LAYERS} layers at most.`);
  for (const layer of layers) {
    checkOptions('a layer', layer, RULES);
    if (layer.draw !== undefined && layer.item !== undefined)
      throw mistake('A layer draws something, or shows an item, not both.');
  }
  return layers;
}

/** Whether a layer is the plot itself. */
export function isOwn({ draw, cut, opt, tree, item, src }: LayerSpec): boolean {
  return (draw ?? cut ?? opt ?? tree ?? item ?? src) === undefined;
}

/** Returns layers including the plot itself, which comes first unless the list contains it. */
export function withOwn(layers: readonly LayerSpec[]): LayerSpec[] {
  return layers.some(isOwn) ? [...layers] : [{}, ...layers];
}

/** Returns the layers that are kept when another plot is shown, as text: the same drawing from other files. */
export function stayingLayers(layers: readonly LayerSpec[]): string {
  return formatLayers(layers.filter(({ src, ...one }) => isOwn(one)));
}

function mistake(message: string, cause?: unknown): XylemError {
  const fix = 'Write [{ "draw": "pt", "cut": "n > 1" }, { "item": "histograms/pt" }].';
  return new XylemError({ code: 'ARGUMENT', message, fix, ...(cause !== undefined && { cause }) });
}

/** Returns the JSON that `parseLayers` reads; an empty text for a plot without layers. */
export function formatLayers(layers: readonly LayerSpec[]): string {
  const plain = layers.map((layer) =>
    Object.fromEntries(
      Object.keys(RULES).flatMap((name) => {
        const value = layer[name as keyof LayerSpec];
        return value === undefined || value === false ? [] : [[name, value]];
      }),
    ),
  );
  return plain.every((one) => Object.keys(one).length === 0) ? '' : JSON.stringify(plain);
}

/** A word of WORDS, with its meaning. */
const FIRST_WORD = /^\s*(cut|tree|file|label|option|colour|as)\s*=(?!=)/;
const WORDS = {
  cut: 'cut',
  tree: 'tree',
  file: 'src',
  label: 'label',
  option: 'opt',
  colour: 'colour',
  as: 'as',
} as const;

/**
 * A layer of the command line: "EXPR; cut=…; tree=…; file=…; label=…; option=prof; colour=N;
 * as=contours". The first part may be missing,
 * and names an expression or a stored object. Throws ARGUMENT.
 */
export function parseLayerText(text: string): LayerSpec {
  const pieces: string[] = [''];
  for (const piece of text.split(';')) {
    // A semicolon that no such word follows is of the text before it.
    if (FIRST_WORD.test(piece)) pieces.push(piece);
    else if (piece.trim() !== '') {
      const before = pieces.pop() ?? '';
      pieces.push(before === '' ? piece : `${before};${piece}`);
    }
  }
  const [what = '', ...rest] = pieces.map((piece) => piece.trim());
  const layer: Record<string, unknown> = what === '' ? {} : { draw: what };
  for (const part of rest) {
    const at = part.indexOf('=');
    const name = WORDS[part.slice(0, at).trim() as keyof typeof WORDS];
    const value = part.slice(at + 1).trim();
    if (name in layer) throw textMistake(`"${text}" says ${part.slice(0, at).trim()} twice.`);
    layer[name] = name === 'colour' ? Number(value) : value;
  }
  if (Object.keys(layer).length === 0) throw textMistake('A layer says nothing.');
  checkOptions('a layer', layer, RULES);
  return layer;
}

function textMistake(message: string): XylemError {
  return argumentError(message, 'Write "EXPR; cut=…; tree=…; file=…; label=…".');
}
