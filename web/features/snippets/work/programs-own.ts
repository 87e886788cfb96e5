import type { TreeInfo } from '../../../api/api';
import { cppText, fileWord, quotedText, shellWord } from '../../../base/literal';
import { type LayerSpec, parseLayerText } from '../../../plot/layers/layer-spec';
import { namesOf } from '../../../query/compile/branches-of-query';
import { parseDraw } from '../../../query/compile/draw-spec';
import { chainOf } from '../../../query/language/names';
import { type Expr, parseExpression } from '../../../query/language/parser';
import { titleOf } from '../../../query/language/source';
import { type FilledNames, shownLayers } from './programs-dataframe';
import { type Drawing, reasonOf, translate, Untranslated } from './translate/translate';
import { areTogether, eachValue, type Filling, type Value } from './translate/value';
import { belowOf, type FilledUse, nameOfLayer, normOf, type Use, type UsedAxis, type UsedLayer } from './use';

// Programs for tools that take the expressions as they are.

/** A program for TTree::Draw. Throws Untranslated. */
export function treeDrawProgram(use: Use): string {
  const { text, names } = treeDrawFilling(use);
  return text + (names.length === 1 ? '' : shownLayers(use, names, false));
}

/** The lines that fill. The histograms are pointers. Throws Untranslated. */
export function treeDrawFilling(use: Use): FilledNames {
  const trees = new Map<string, string>();
  const isAlone = use.layers.length === 1;
  const names = use.layers.map((_, i) => (isAlone ? 'h' : `h${i + 1}`));
  const opening: string[] = [];
  const filling = use.layers.map((layer, i) => {
    if (layer.tree === undefined) throw stored(layer);
    if (layer.tree.kind === 'RNTuple') throw new Untranslated('TTree::Draw reads no RNTuple.');
    checkForRoot(layer.tree, layer);
    const key = JSON.stringify([layer.address, layer.tree.path]);
    const number = trees.size === 0 ? '' : String(trees.size + 1);
    const tree = trees.get(key) ?? `tree${number}`;
    if (!trees.has(key)) {
      trees.set(key, tree);
      opening.push(
        `std::unique_ptr<TFile> file${number}(TFile::Open(${cppText(layer.address)}));\n` +
          `auto ${tree} = file${number}->Get<TTree>(${cppText(layer.tree.path)});\n`,
      );
    }
    return treeDraw(layer, use.axes, tree, names[i] ?? 'h', isAlone);
  });
  return { text: opening.join('') + filling.join(''), names };
}

/** Throws Untranslated for a drawing of which ROOT 6.40 makes other bins. */
export function checkForRoot(tree: TreeInfo, drawing: Drawing): void {
  const { branch, expr, cut } = drawing;
  const { expressions } = branch === undefined ? parseDraw(expr) : { expressions: [] };
  for (const text of [...expressions.map(titleOf), cut.trim()]) {
    if (text.includes('\\')) throw new Untranslated('TTree::Draw does not read a backslash in texts.');
    if (text !== '') checkCalls(tree, text);
  }
  let all: Filling;
  let drawn: Filling;
  try {
    all = translate(tree, drawing);
    drawn = translate(tree, { ...drawing, cut: '' });
  } catch (thrown) {
    // Nothing is known about the lists of other expressions.
    reasonOf(thrown);
    return;
  }
  const own = new Set(drawn.loop.lists.map((list) => list.branch.index));
  const [first] = drawn.loop.lists;
  const other = all.loop.lists.find(
    (list) =>
      first && !own.has(list.branch.index) && !areTogether([first, list]) && (list.length ?? first.length),
  );
  if (first && other)
    throw new Untranslated(
      `TTree::Draw fills weights that are not numbers if only the cut pairs lists of different lengths (${first.branch.name}, ${other.branch.name}).`,
    );
  for (const value of [...all.values, all.weight])
    eachValue(value, (one) => {
      if (
        one.kind === 'select' &&
        one.condition.kind !== 'there' &&
        one.condition.loops &&
        [one.yes, one.no].some(readsBranch)
      )
        throw new Untranslated(
          'TTree::Draw reads a branch behind "?" or ":" only if the first element of the lists asks for it, and has values of other entries for the other elements.',
        );
    });
}

function readsBranch(value: Value): boolean {
  let reads = false;
  eachValue(value, ({ kind }) => {
    reads ||= ['column', 'element', 'beside'].includes(kind);
  });
  return reads;
}

/** Functions of xylem that TTreeFormula does not have. */
const NOT_IN_ROOT = new Set(['DeltaPhi', 'DeltaR', 'InvMass', 'std::min', 'std::max']);

/** Throws Untranslated for functions that ROOT does not have. */
function checkCalls(tree: TreeInfo, text: string): void {
  eachCall(parseExpression(text, { names: namesOf(tree) }), (name) => {
    if (NOT_IN_ROOT.has(name)) throw new Untranslated(`TTree::Draw has no function ${name}.`);
  });
}

/** Calls `use` for the name of each function. */
function eachCall(expr: Expr | undefined, use: (name: string) => void): void {
  const all = (list: readonly (Expr | undefined)[]): void => {
    for (const one of list) eachCall(one, use);
  };
  switch (expr?.kind) {
    case 'call':
      use(expr.name);
      all(expr.args);
      break;
    case 'unary':
      all([expr.operand]);
      break;
    case 'binary': {
      const { first, operations } = chainOf(expr);
      all([first, ...operations.map(({ right }) => right)]);
      break;
    }
    case 'ternary':
      all([expr.condition, expr.yes, expr.no]);
      break;
    case 'path':
      all(expr.segments.flatMap(({ subscripts, args = [] }) => [...subscripts, ...args]));
  }
}

function treeDraw(
  { expr, cut, profile, ...layer }: FilledUse & { tree: NonNullable<FilledUse['tree']> },
  axes: readonly UsedAxis[],
  tree: string,
  name: string,
  isAlone: boolean,
): string {
  const type = profile ? ['TProfile', 'TProfile2D'][axes.length - 1] : `TH${axes.length}D`;
  const numbers = axes.flatMap(({ bins, low, high }) => [bins, low, high]).join(', ');
  const look = profile ? 'prof' : axes.length === 2 ? 'colz' : '';
  const option = isAlone ? look : [look, 'goff'].filter(Boolean).join(' ');
  const more = [cut, option].map(cppText).slice(0, option === '' ? (cut === '' ? 0 : 1) : 2);
  return `auto ${name} = new ${type}(${cppText(name)}, ${cppText(isAlone ? expr : nameOfLayer({ ...layer, expr, cut }))}, ${numbers});
${tree}->Draw(${[cppText(`${expr}>>${name}`), ...more].join(', ')});
`;
}

/** A program for the library of xylem. Throws Untranslated. */
export function libraryProgram(use: Use): string {
  const files = new Map<string, string>();
  const trees = new Map<string, string>();
  const opening: string[] = [];
  const isAlone = use.layers.length === 1;
  const draws = use.layers.map((layer) => {
    if (layer.tree === undefined) throw stored(layer);
    const { address, tree } = layer;
    const number = (count: number): string => (count === 0 ? '' : String(count + 1));
    const file = files.get(address) ?? `file${number(files.size)}`;
    if (!files.has(address)) {
      files.set(address, file);
      opening.push(`const ${file} = await openRoot(${quotedText(address)});\n`);
    }
    const key = JSON.stringify([address, tree.path]);
    const name = trees.get(key) ?? `tree${number(trees.size)}`;
    if (!trees.has(key)) {
      trees.set(key, name);
      opening.push(`const ${name} = await ${file}.tree(${quotedText(tree.path)});\n`);
    }
    return `await ${name}.draw(${quotedText(layer.branch ?? layer.expr)}, { ${optionsOf(layer, use.axes).join(', ')} })`;
  });
  const closing = [...files.values()].map((file) => `await ${file}.close();\n`).join('');
  const isPlain = use.axes.length === 1 && !use.layers.some((one) => one.tree && one.profile);
  const start = `import { openRoot } from 'xylem';\n\n${opening.join('')}`;
  if (isAlone) {
    const print = isPlain
      ? 'for (const { low, high, count } of histogram) console.log(low, high, count);'
      : 'for (const bin of histogram) console.log(bin);';
    return `${start}const histogram = ${draws[0]};\n${print}\n${closing}`;
  }
  const list = use.layers.map(
    (layer, i) => `  { name: ${quotedText(nameOfLayer(layer))}, counts: (${draws[i]}).counts },\n`,
  );
  return `${start}const layers = [\n${list.join('')}];\n${scaleLines(use)}for (const { name, counts } of layers) console.log(name, counts);\n${belowLines(use)}${closing}`;
}

function optionsOf(
  { cut, profile }: { cut: string; profile?: boolean | undefined },
  axes: readonly UsedAxis[],
): string[] {
  const [axis] = axes;
  return [
    ...(cut === '' ? [] : [`cut: ${quotedText(cut)}`]),
    ...(profile ? ["option: 'prof'"] : []),
    ...(axes.length === 1 && axis
      ? [`bins: ${axis.bins}`, `range: [${axis.low}, ${axis.high}]`]
      : [
          `bins: [${axes.map(({ bins }) => bins).join(', ')}]`,
          `range: [${axes.map(({ low, high }) => `[${low}, ${high}]`).join(', ')}]`,
        ]),
  ];
}

function scaleLines(use: Use): string {
  const norm = normOf(use);
  if (norm === 'none') return '';
  const sum = 'const sum = (counts) => counts.reduce((total, count) => total + count, 0);\n';
  const factor = {
    area: '1 / sum(counts)',
    max: '1 / Math.max(...counts)',
    first: 'total / sum(counts)',
  }[norm];
  const total = norm === 'first' ? 'const total = sum(layers[0].counts);\n' : '';
  return `${norm === 'max' ? '' : sum}${total}for (const layer of layers) {
  const { counts } = layer;
  const factor = ${factor};
  if (factor > 0 && Number.isFinite(factor)) layer.counts = counts.map((count) => count * factor);
}
`;
}

function belowLines(use: Use): string {
  const below = belowOf(use);
  if (below === 'none') return '';
  const [sign, word] = below === 'ratio' ? ['/', 'over'] : ['-', 'less'];
  return `const [first, ...others] = layers;
for (const { name, counts } of others)
  console.log(name, '${word}', first.name, counts.map((count, i) => count ${sign} first.counts[i]));
`;
}

/** A command line of xylem. Throws Untranslated. */
export function commandProgram(use: Use): string {
  const [first, ...others] = use.layers;
  const { axes } = use;
  const [axis] = axes;
  const words = first.tree === undefined ? [first.item] : wordsOf(first);
  const end = words.some((word) => word.startsWith('-')) ? '-- ' : '';
  const plain = [fileWord(first.address), ...words.map(shellWord)].join(' ');
  const numbers = axes.map(({ bins, low, high }) => `${bins},${low},${high}`).join(',');
  const norm = normOf(use);
  const below = belowOf(use);
  const isFilled = use.layers.some(({ tree }) => tree !== undefined);
  const options = [
    ...(first.tree && first.profile ? ['--option prof'] : []),
    ...(isFilled
      ? [
          axes.length === 1 && axis
            ? `--bins ${axis.bins} --range=${axis.low}:${axis.high}`
            : `--hist=${numbers}`,
        ]
      : []),
    ...(others.length > 0 && first.label ? [`--label=${shellWord(first.label)}`] : []),
    ...others.map((layer) => `--layer=${shellWord(layerText(layer, first))}`),
    ...(norm === 'none' ? [] : [`--normalise ${norm}`]),
    ...(below === 'none' ? [] : [`--${below}`]),
  ];
  // With --no, npx never fetches a package of this name.
  return `npx --no xylem draw ${options.map((one) => `${one} `).join('')}${end}${plain}\n`;
}

function wordsOf({
  tree,
  branch,
  expr,
  cut,
}: UsedLayer & { tree: NonNullable<UsedLayer['tree']> }): string[] {
  return [tree.path, branch ?? expr, ...(cut === '' ? [] : [cut])];
}

/** A layer as --layer takes it. */
function layerText(layer: UsedLayer, first: UsedLayer): string {
  const spec: LayerSpec = {
    draw: layer.tree === undefined ? layer.item : (layer.branch ?? layer.expr),
    ...(layer.tree && layer.cut !== '' && { cut: layer.cut }),
    ...(layer.tree && layer.tree.path !== first.tree?.path && { tree: layer.tree.path }),
    ...(layer.address !== first.address && { src: layer.address }),
    ...(layer.label && { label: layer.label }),
    ...(layer.tree && layer.profile && { opt: 'prof' as const }),
  };
  const { draw = '', cut, tree, src, label, opt } = spec;
  const named = { cut, tree, file: src, label, option: opt };
  const parts = Object.entries(named).flatMap(([key, text]) =>
    text === undefined ? [] : [`${key}=${text}`],
  );
  const text = [draw, ...parts].join('; ');
  // Texts with semicolons may be read as others.
  const read = parseLayerText(text);
  const keys = Object.keys({ ...read, ...spec }) as (keyof LayerSpec)[];
  if (keys.some((key) => read[key] !== spec[key]))
    throw new Untranslated(`--layer does not take the texts of "${nameOfLayer(layer)}".`);
  return text;
}

function stored(layer: UsedLayer): Untranslated {
  return new Untranslated(
    `"${nameOfLayer(layer)}" is a stored object, and this program fills its histograms.`,
  );
}
