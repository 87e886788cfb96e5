import { quotedText } from '../../../base/literal';
import type { Column } from './translate/columns';
import { keyOf, PythonWriter } from './translate/python';
import { translate, Untranslated } from './translate/translate';
import { areTogether, eachValue, type Filling } from './translate/value';
import { belowOf, type FilledUse, nameOfLayer, normOf, type Use } from './use';

const FILL = `def fill(axes, weight, *values):
    """Fills a histogram. Values on the edge of two bins go where ROOT puts them."""
    h = hist.Hist(*(hist.axis.Regular(*axis) for axis in axes), storage=hist.storage.Weight())
    arrays = ak.broadcast_arrays(weight, *values)
    weight, *values = (ak.to_numpy(ak.flatten(one, axis=None)) for one in arrays)
    chosen = weight != 0
    centres = []
    for value, (bins, low, high) in zip(values, axes):
        place = np.floor(bins * (value[chosen] - low) / (high - low))
        centres.append(low + (place + 0.5) * (high - low) / bins)
    return h.fill(*centres, weight=weight[chosen].astype(np.float64))`;
const PASSING = `def passing(weight, value):
    """The values that pass, and their weights."""
    weight, value = (ak.to_numpy(ak.flatten(one, axis=None)) for one in ak.broadcast_arrays(weight, value))
    chosen = weight != 0
    return value[chosen], weight[chosen].astype(np.float64)`;
const SCALED = `def scaled(h, factor):
    return h * factor if np.isfinite(factor) and factor > 0 else h`;
/** Names of Python that no variable may have. */
const RESERVED = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield abs isinstance len print zip float ' +
    'ak hist np uproot axes events rows fill passing scaled layers name h first others sums counts squares'
  ).split(' '),
);

/** A tree that a program reads, and the branches that it needs. */
export interface Source {
  name: string;
  layer: Pick<FilledUse, 'address' | 'tree'>;
  columns: Map<number, Column>;
  hasEntry: boolean;
}

/** The end of a program: contents are printed, bins are filled only, or `values` and `weights` take the place of bins. */
export type UprootEnd = 'printed' | 'bins' | 'values';

/**
 * A program for uproot, awkward and hist, with the histogram `h` or all `layers`. With `end` "bins" a profile is in the
 * histograms `counts`, `sums` and `squares`. Throws Untranslated.
 */
export function uprootProgram(use: Use, end: UprootEnd = 'printed'): string {
  const layers = use.layers.map((layer): { layer: FilledUse; filling: Filling } => {
    if (layer.tree === undefined)
      throw new Untranslated(
        `"${nameOfLayer(layer)}" is a stored object, and this program fills its histograms.`,
      );
    return { layer, filling: translate(layer.tree, layer) };
  });
  const sources = sourcesOf(layers);
  const helpers = new Map<string, string>();
  const blocks = layers.map(({ layer, filling }) => {
    const source = sources.get(keyOfSource(layer));
    return block(use, { layer, filling, rows: source?.name ?? 'events', helpers, end });
  });
  const body = layers.length === 1 ? (blocks[0] ?? '') : layersText(use, blocks, end === 'printed');
  const functions = [
    end === 'values' ? PASSING : FILL,
    ...(normOf(use) === 'none' ? [] : [SCALED]),
    ...[...helpers.values()],
  ];
  const axes = use.axes.map(({ bins, low, high }) => `(${bins}, ${low}, ${high})`).join(', ');
  return `import awkward as ak
import hist
import numpy as np
import uproot


${functions.join('\n\n\n')}


${end === 'values' ? '' : `axes = [${axes}]  # bins, low and high of each\n`}${[...sources.values()].map(reading).join('')}
${body}`;
}

function keyOfSource({ address, tree }: FilledUse): string {
  return JSON.stringify([address, tree?.path]);
}

/** The trees that are read, each once, with all branches that its layers need. */
function sourcesOf(layers: readonly { layer: FilledUse; filling: Filling }[]): Map<string, Source> {
  const sources = new Map<string, Source>();
  for (const { layer, filling } of layers) {
    const key = keyOfSource(layer);
    const name = sources.size === 0 ? 'events' : `events${sources.size + 1}`;
    const source = sources.get(key) ?? { name, layer, columns: new Map(), hasEntry: false };
    sources.set(key, source);
    for (const column of filling.columns) source.columns.set(column.branch.index, column);
    for (const value of [...filling.values, filling.weight])
      eachValue(value, ({ kind }) => {
        source.hasEntry ||= kind === 'entry';
      });
  }
  return sources;
}

/** Lines that read the branches. Throws Untranslated if there are none. */
export function reading({ name, layer, columns, hasEntry }: Source): string {
  if (columns.size === 0) throw new Untranslated('The expressions name no branch.');
  const all = [...columns.values()];
  const keys = all.map(keyOf);
  const list = `[${keys.map(quotedText).join(', ')}]`;
  const tree = `uproot.open(${quotedText(layer.address)})[${quotedText(layer.tree?.path ?? '')}]`;
  const isPlain = keys.every((key) => /^[A-Za-z_]\w*$/.test(key));
  // uproot would take other names for expressions.
  const read = isPlain
    ? `${name} = ${tree}.arrays(${list})\n`
    : `tree = ${tree}\n${name} = ak.zip({key: tree[key].array() for key in ${list}}, depth_limit=1)\n`;
  const doubles = `${name} = ak.values_astype(${name}, np.float64)  # TTree::Draw computes with doubles\n`;
  const lists = all
    .filter(({ size }) => size !== undefined)
    .map((column) => {
      const text = `${name}[${quotedText(keyOf(column))}]`;
      return `${text} = ak.from_regular(${text})\n`;
    });
  const entry = hasEntry ? `${name}["Entry$"] = np.arange(len(${name}), dtype=np.float64)\n` : '';
  return read + doubles + lists.join('') + entry;
}

interface Block {
  layer: FilledUse;
  filling: Filling;
  rows: string;
  helpers: Map<string, string>;
  end: UprootEnd;
}

/** The lines that fill a layer. */
function block(use: Use, { layer, filling, rows, helpers, end }: Block): string {
  const { loop, values, weight } = filling;
  const isAlone = use.layers.length === 1;
  const lines: string[] = [];
  let name = rows;
  if (loop.needed.length > 0) {
    const plain = new PythonWriter(rows);
    const tests = loop.needed.map(({ list, index }) => `ak.num(${plain.column(list)}) > ${index}`);
    name = isAlone ? rows : 'rows';
    lines.push(
      `${name} = ${rows}[${tests.length === 1 ? tests[0] : tests.map((one) => `(${one})`).join(' & ')}]`,
    );
  }
  const names = new Map<Column, string>();
  if (!areTogether(loop.lists)) {
    const plain = new PythonWriter(name);
    loop.lists.forEach((list, i) => {
      const own = list.branch.name;
      const isFree = /^[A-Za-z_]\w*$/.test(own) && !RESERVED.has(own) && !/^events\d*$/.test(own);
      names.set(list, isFree ? own : `list${i + 1}`);
    });
    const all = loop.lists.map((list) => plain.column(list)).join(', ');
    lines.push(`${[...names.values()].join(', ')} = ${plain.helpers.use('together')}(${all})`);
    keepHelpers(plain, helpers);
  }
  const writer = new PythonWriter(name, names);
  const weightText = weight === undefined ? '1' : writer.weight(weight);
  const texts = values.map((value) => writer.number(value));
  const isProfile = layer.profile === true;
  const coordinates = (isProfile ? texts.slice(0, -1) : texts).join(', ');
  if (end === 'values') {
    if (!isAlone || texts.length !== 1) throw new Untranslated('Values of one expression are taken.');
    lines.push(`values, weights = passing(${weightText}, ${texts[0]})`);
  } else if (isProfile) {
    const last = texts.at(-1);
    const times = weight === undefined ? last : `(${weightText}) * (${last})`;
    if (!isAlone) throw new Untranslated('Profiles among several layers are not translated.');
    lines.push(
      `sums = fill(axes, ${times}, ${coordinates})`,
      `counts = fill(axes, ${weightText}, ${coordinates})`,
      end === 'printed'
        ? 'print(sums.values() / counts.values())'
        : `squares = fill(axes, (${times}) * (${last}), ${coordinates})`,
    );
  } else {
    const filled = `fill(axes, ${weightText}, ${coordinates})`;
    if (isAlone) lines.push(`h = ${filled}`, ...(end === 'printed' ? ['print(h.values())'] : []));
    else lines.push(`layers.append((${quotedText(nameOfLayer(layer))}, ${filled}))`);
  }
  keepHelpers(writer, helpers);
  return `${lines.join('\n')}\n`;
}

/** Adds the functions that a writer has used. */
export function keepHelpers({ helpers }: PythonWriter, all: Map<string, string>): void {
  const texts = helpers.texts();
  for (const [i, name] of helpers.names().entries()) all.set(name, texts[i] ?? '');
}

/** All layers, scaled and compared. */
function layersText(use: Use, blocks: readonly string[], prints: boolean): string {
  const factor = {
    none: undefined,
    area: '1 / h.values().sum()',
    max: '1 / h.values().max()',
    first: 'layers[0][1].values().sum() / h.values().sum()',
  }[normOf(use)];
  const scale = factor === undefined ? '' : `layers = [(name, scaled(h, ${factor})) for name, h in layers]\n`;
  const sign = { none: undefined, ratio: '/', difference: '-' }[belowOf(use)];
  const word = sign === '/' ? 'over' : 'less';
  const below =
    sign === undefined
      ? ''
      : `\n(first, reference), *others = layers\nfor name, h in others:\n    print(name, "${word}", first, h.values() ${sign} reference.values())\n`;
  if (!prints) return `layers = []\n${blocks.join('')}${scale}`;
  return `layers = []\n${blocks.join('')}${scale}for name, h in layers:\n    print(name, h.values())\n${below}`;
}
