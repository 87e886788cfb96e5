import { cppText } from '../../../base/literal';
import { CppWriter, nameOf } from './translate/cpp';
import { translate, Untranslated } from './translate/translate';
import { areTogether, type Filling, type Value } from './translate/value';
import { belowOf, type FilledUse, nameOfLayer, normOf, type Use, type UsedAxis } from './use';

const AXES = ['x', 'y', 'z'];

/** Lines that fill histograms, and the names of these. */
export interface FilledNames {
  text: string;
  names: string[];
}

/** A program for ROOT's RDataFrame. Throws Untranslated. */
export function dataFrameProgram(use: Use): string {
  const { text, names } = dataFrameFilling(use);
  return text + shownLayers(use, names, true);
}

/** The lines that fill. The histograms are results of RDataFrame. Throws Untranslated. */
export function dataFrameFilling(use: Use): FilledNames {
  const frames = new Map<string, { name: string; text: string }>();
  const isAlone = use.layers.length === 1;
  const chains = use.layers.map((layer, i) => {
    if (layer.tree === undefined)
      throw new Untranslated(
        `"${nameOfLayer(layer)}" is a stored object, and this program fills its histograms.`,
      );
    const { address, tree } = layer;
    const key = JSON.stringify([address, tree.path]);
    const name = frames.size === 0 ? 'frame' : `frame${frames.size + 1}`;
    const text = `ROOT::RDataFrame ${name}(${cppText(tree.path)}, ${cppText(address)});\n`;
    const frame = frames.get(key) ?? { name, text };
    frames.set(key, frame);
    return chain(layer, use.axes, frame.name, isAlone ? 'h' : `h${i + 1}`);
  });
  const names = use.layers.map((_, i) => (isAlone ? 'h' : `h${i + 1}`));
  return { text: [...frames.values()].map(({ text }) => text).join('') + chains.join(''), names };
}

/** Lines that scale, draw and compare histograms. `isResult`: they are results of RDataFrame, not pointers. */
export function shownLayers(use: Use, names: readonly string[], isResult: boolean): string {
  const [first = 'h', ...others] = names;
  const norm = normOf(use);
  const lines = norm === 'none' ? [] : scaleLines(norm, names);
  const option = use.axes.length === 2 ? 'colz' : '';
  lines.push(`${first}->Draw(${option === '' ? '' : cppText(option)});`);
  others.forEach((name, i) => {
    lines.push(`${name}->SetLineColor(${i + 2});`, `${name}->Draw("same");`);
  });
  const below = belowOf(use);
  if (below !== 'none') {
    lines.push('new TCanvas;');
    const pointer = isResult ? `${first}.GetPtr()` : first;
    others.forEach((name, i) => {
      const own = `${below}${i + 2}`;
      lines.push(`auto ${own} = static_cast<TH1 *>(${name}->Clone(${cppText(own)}));`);
      lines.push(below === 'ratio' ? `${own}->Divide(${pointer});` : `${own}->Add(${pointer}, -1);`);
      lines.push(`${own}->Draw(${i === 0 ? '' : '"same"'});`);
    });
  }
  return `${lines.join('\n')}\n`;
}

/** Lines that scale histograms by their contents. */
export function scaleLines(norm: string, names: readonly string[]): string[] {
  const [first = 'h'] = names;
  if (norm === 'first') {
    return names
      .slice(1)
      .map(
        (name) => `if (${name}->Integral() > 0) ${name}->Scale(${first}->Integral() / ${name}->Integral());`,
      );
  }
  const size = norm === 'max' ? 'GetMaximum' : 'Integral';
  return names.map((name) => `if (${name}->${size}() > 0) ${name}->Scale(1 / ${name}->${size}());`);
}

/** One histogram: filters, definitions, and the filling. */
function chain(layer: FilledUse, axes: readonly UsedAxis[], frame: string, name: string): string {
  if (layer.tree === undefined) throw new Untranslated('A stored object is not filled.');
  const filling = translate(layer.tree, layer);
  const taken = new Set(layer.tree.branches.flatMap((one) => [one.name, ...one.name.split('.')]));
  const { calls, names } = columnsOf(filling, taken);
  const isProfile = layer.profile === true;
  const count = names.length - (filling.weight && !isSelection(filling.weight) ? 1 : 0) - (isProfile ? 1 : 0);
  const kind = `${isProfile ? 'Profile' : 'Histo'}${count}D`;
  const numbers = axes.flatMap(({ bins, low, high }) => [bins, low, high]).join(', ');
  const model = `{${cppText(name)}, ${cppText(nameOfLayer(layer))}, ${numbers}}`;
  const filled = `.${kind}(${[model, ...names.map(cppText)].join(', ')})`;
  const all = [...calls, filled];
  return all.length === 1
    ? `auto ${name} = ${frame}${filled};\n`
    : `auto ${name} = ${frame}\n${all.map((one) => `   ${one}`).join('\n')};\n`;
}

/** Whether a cut only selects: then the weights are 1. */
function isSelection(weight: Value): boolean {
  return weight.isTruth;
}

/** The calls that select and define columns, and the names of the columns that are filled, the weight last. */
function columnsOf(filling: Filling, taken: ReadonlySet<string>): { calls: string[]; names: string[] } {
  const { loop, values, weight } = filling;
  const calls = loop.needed.map(({ list, index }) => `.Filter("${nameOf(list)}.size() > ${index}")`);
  const isLooping = loop.lists.length > 0;
  const selects = weight !== undefined && isSelection(weight);
  const inLoop = isLooping && weight !== undefined && (weight.loops || !selects);
  if (weight && selects && !weight.loops) {
    const writer = new CppWriter(taken);
    calls.push(`.Filter(${textOf(writer, writer.truth(weight, ''))})`);
  }
  const isDirect = !inLoop && areTogether(loop.lists) && values.every((one) => !isLooping || one.loops);
  const names = values.map((value, i) => {
    if (isDirect && value.kind === 'column') return nameOf(value.column);
    const writer = new CppWriter(taken);
    const name = writer.free(AXES[i] ?? 'x');
    calls.push(`.Define("${name}", ${defined(writer, filling, value, inLoop && selects)})`);
    return name;
  });
  if (weight && !selects) {
    const writer = new CppWriter(taken);
    const name = writer.free('weight');
    calls.push(`.Define("${name}", ${defined(writer, filling, weight, false)})`);
    names.push(name);
  }
  return { calls, names };
}

/** The literal of an expression for one value an entry, or of lines that make a list of the instances that pass. */
function defined(writer: CppWriter, { loop, weight }: Filling, value: Value, isCut: boolean): string {
  if (loop.lists.length === 0) return textOf(writer, writer.number(value, ''));
  const [i, list] = [writer.free('i'), writer.free('values')];
  const push = `${list}.push_back(${writer.number(value, i)});`;
  const condition = isCut && weight ? [`if (${writer.truth(weight, i)})`] : [];
  const lines = [
    ...writer.lines(),
    `ROOT::RVec<double> ${list};`,
    `for (std::size_t ${i} = 0; ${i} < ${writer.size(loop)}; ++${i})`,
    ...[...condition, push].map((line, depth) => `${'   '.repeat(depth + 1)}${line}`),
    `return ${list};`,
  ];
  return raw(lines);
}

/** The literal of an expression, with the lines that it needs in front of it. */
export function textOf(writer: CppWriter, text: string): string {
  const lines = writer.lines();
  if (lines.length > 0) return raw([...lines, `return ${text};`]);
  return cppText(text);
}

/** Returns a literal of several lines. Nothing in it can end it: texts of the user are within quotes, followed by no bracket. */
export function raw(lines: readonly string[]): string {
  const body = lines.map((line) => `      ${line}\n`).join('');
  if (body.includes(')code"')) throw new Untranslated('This text ends a literal of C++.');
  return `R"code(\n${body}   )code"`;
}
