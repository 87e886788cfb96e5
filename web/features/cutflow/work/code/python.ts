import { quotedText } from '../../../../base/literal';
import { keepHelpers, reading, type Source } from '../../../snippets/work/programs-uproot';
import type { Column } from '../../../snippets/work/translate/columns';
import { PythonWriter } from '../../../snippets/work/translate/python';
import { Untranslated } from '../../../snippets/work/translate/translate';
import { areTogether, eachValue, type Value } from '../../../snippets/work/translate/value';
import { type Condition, conditionOf, weightOf } from './condition';
import { type FlowUse, namesOfCuts } from './use';

/** A program for uproot and awkward. Throws Untranslated. */
export function uprootFlow(use: FlowUse): string {
  const isWeighted = use.weight !== '';
  const printed = isWeighted
    ? `    return mask.sum(), weight[mask].sum(), np.sqrt((weight[mask] ** 2).sum())`
    : `    return mask.sum()`;
  return `${opening(use)}

def all_of(masks):
    return np.logical_and.reduce([np.full(len(events), True), *masks])


def count(mask):  # ${isWeighted ? 'entries, the sum of weights, and its error' : 'entries'}
${printed}


flow = [("all entries", count(all_of([])))]
alone, others = {}, {}
for i, (name, mask) in enumerate(passed):
    flow.append((name, count(all_of([one for _, one in passed[: i + 1]]))))
    alone[name] = count(mask)
    others[name] = count(all_of([one for other, one in passed if other != name]))  # N-1
for name, left in flow:
    print(name, left, alone.get(name, ""), others.get(name, ""))
`;
}

/** A program for coffea's PackedSelection. Throws Untranslated. */
export function coffeaFlow(use: FlowUse): string {
  const isWeighted = use.weight !== '';
  const weights = isWeighted
    ? `weights = Weights(len(events))
weights.add("weight", weight)
`
    : '';
  const given = `*names${isWeighted ? ', weights=weights' : ''}`;
  // Without other cuts, coffea would take all.
  const others = use.cuts.length > 1 ? `others = selection.nminusone(${given})\nothers.print()\n` : '';
  return `from coffea.analysis_tools import PackedSelection${isWeighted ? ', Weights' : ''}
${opening(use)}
selection = PackedSelection()
for name, mask in passed:
    selection.add(name, mask)
names = [name for name, _ in passed]
${weights}
flow = selection.cutflow(${given})
flow.print()
${others}`;
}

/** Imports, functions, and what is read and selected. */
function opening({ address, tree, cuts, weight }: FlowUse): string {
  const helpers = new Map<string, string>();
  const columns = new Map<number, Column>();
  const own: Pick<Condition, 'columns' | 'value'>[] = [];
  const lines: string[] = [];
  const names = namesOfCuts(cuts);
  cuts.forEach((cut, i) => {
    const condition = conditionOf(tree, cut);
    own.push(condition);
    const { before, text } = maskText(condition, helpers);
    lines.push(...before, `passed.append((${quotedText(names[i] ?? '')}, ak.to_numpy(${text})))`);
  });
  if (weight !== '') {
    const one = weightOf(tree, weight);
    own.push(one);
    const writer = new PythonWriter('events');
    const text = writer.number(one.value);
    keepHelpers(writer, helpers);
    // A number alone is no array.
    lines.push(`weight = np.broadcast_to(ak.to_numpy(${text}), len(events)).astype(np.float64)`);
  }
  for (const one of own) for (const column of one.columns) columns.set(column.branch.index, column);
  const source: Source = { name: 'events', layer: { address, tree }, columns, hasEntry: own.some(usesEntry) };
  const functions = [...helpers.values()].map((text) => `\n\n${text}\n`).join('');
  return `import awkward as ak
import numpy as np
import uproot
${functions}
${functions === '' ? '' : '\n'}${reading(source)}passed = []
${lines.join('\n')}
`;
}

function usesEntry({ value }: Pick<Condition, 'value'>): boolean {
  let uses = false;
  eachValue(value, ({ kind }: Value) => {
    uses ||= kind === 'entry';
  });
  return uses;
}

/** Returns the text of an array of True and False for the entries, and the lines that it needs before it. */
function maskText(
  { loop, value, isList }: Condition,
  helpers: Map<string, string>,
): { before: string[]; text: string } {
  const plain = new PythonWriter('events');
  const before: string[] = [];
  const names = new Map<Column, string>();
  if (isList && !areTogether(loop.lists)) {
    loop.lists.forEach((list, i) => {
      names.set(list, `list${i + 1}`);
    });
    const all = loop.lists.map((list) => plain.column(list)).join(', ');
    before.push(`${[...names.values()].join(', ')} = ${plain.helpers.use('together')}(${all})`);
  }
  const writer = new PythonWriter('events', names);
  if (value.kind === 'number')
    throw new Untranslated('A cut that is the same for all entries is not translated.');
  const truth = writer.weight(value);
  const own = isList ? `ak.any(${truth}, axis=1)` : truth;
  const there = loop.needed.map(({ list, index }) => `(ak.num(${plain.column(list)}) > ${index})`);
  for (const one of [plain, writer]) keepHelpers(one, helpers);
  return { before, text: there.length === 0 ? own : [...there, `(${own})`].join(' & ') };
}
