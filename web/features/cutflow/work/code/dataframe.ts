import { cppText } from '../../../../base/literal';
import { raw, textOf } from '../../../snippets/work/programs-dataframe';
import { CppWriter, nameOf } from '../../../snippets/work/translate/cpp';
import { type Condition, conditionOf, weightOf } from './condition';
import { type FlowUse, namesOfCuts } from './use';

/** A program for ROOT's RDataFrame: Filter with names, and Report. Throws Untranslated. */
export function dataFrameFlow({ address, tree, cuts, weight }: FlowUse): string {
  const taken = new Set(tree.branches.flatMap(({ name }) => [name, ...name.split('.')]));
  const free = (name: string): string => new CppWriter(taken).free(name);
  const names = namesOfCuts(cuts);
  const passes = cuts.map((_, i) => free(`pass${i + 1}`));
  const isWeighted = weight !== '';
  const [own, squared] = [free('weight'), free('weight2')];
  const columns = [
    ...cuts.map((cut, i) => `.Define("${passes[i]}", ${literalOf(conditionOf(tree, cut), taken)})`),
    ...(isWeighted
      ? [
          `.Define("${own}", ${weightLiteral(weightOf(tree, weight), taken)})`,
          `.Define("${squared}", "${own} * ${own}")`,
        ]
      : []),
  ];
  const steps = cuts.map(
    (_, i) =>
      `auto left${i + 1} = ${i === 0 ? 'all' : `left${i}`}.Filter("${passes[i]}", ${cppText(names[i] ?? '')});\n`,
  );
  const sums = isWeighted
    ? ['all', ...cuts.map((_, i) => `left${i + 1}`)].map(
        (node) => `auto ${node}_sum = ${node}.Sum("${own}"), ${node}_squares = ${node}.Sum("${squared}");\n`,
      )
    : [];
  const others = cuts.map((_, i) => {
    const filters = passes.filter((_one, k) => k !== i).map((pass) => `.Filter("${pass}")`);
    return `auto others${i + 1} = all${filters.join('')}.Count();\n`;
  });
  const shownSums = isWeighted
    ? ['all', ...cuts.map((_, i) => `left${i + 1}`)].map(
        (node, i) =>
          `std::cout << ${cuts[i - 1] === undefined ? '"all entries"' : cppText(names[i - 1] ?? '')} << ": " << *${node}_sum << " +- " << std::sqrt(*${node}_squares) << "\\n";\n`,
      )
    : [];
  const shownOthers = cuts.map(
    (_, i) => `std::cout << ${cppText(`All but ${names[i] ?? ''}`)} << ": " << *others${i + 1} << "\\n";\n`,
  );
  return [
    `ROOT::RDataFrame frame(${cppText(tree.path)}, ${cppText(address)});\n`,
    `auto all = frame\n${columns.map((one) => `   ${one}`).join('\n')};\n`,
    ...steps,
    `auto report = left${cuts.length}.Report();\n`,
    ...sums,
    '// Entries that pass all other cuts (N-1)\n',
    ...others,
    'report->Print();\n',
    ...shownSums,
    ...shownOthers,
  ].join('');
}

/** The literal of a condition: of one text, or of lines that look for an instance that passes. */
function literalOf({ loop, value, isList }: Condition, taken: ReadonlySet<string>): string {
  const writer = new CppWriter(taken);
  const there = loop.needed.map(({ list, index }) => `${nameOf(list)}.size() > ${index}`);
  if (!isList) {
    const truth = writer.truth(value, '');
    return textOf(writer, there.length === 0 ? truth : `${there.join(' && ')} && (${truth})`);
  }
  const i = writer.free('i');
  const truth = writer.truth(value, i);
  return raw([
    ...(there.length === 0 ? [] : [`if (!(${there.join(' && ')})) return false;`]),
    ...writer.lines(),
    `for (std::size_t ${i} = 0; ${i} < ${writer.size(loop)}; ++${i})`,
    `   if (${truth}) return true;`,
    'return false;',
  ]);
}

function weightLiteral({ value }: Pick<Condition, 'value'>, taken: ReadonlySet<string>): string {
  const writer = new CppWriter(taken);
  return textOf(writer, writer.number(value, ''));
}
