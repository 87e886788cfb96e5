import type { TreeInfo } from '../../../../api/api';
import { cppText, fileWord, quotedText, shellWord } from '../../../../base/literal';
import { checkForRoot } from '../../../snippets/work/programs-own';
import { type Drawing, reasonOf, translate, Untranslated } from '../../../snippets/work/translate/translate';
import { areTogether, eachValue, type Filling } from '../../../snippets/work/translate/value';
import { passes } from '../passes';
import { type FlowUse, namesOfCuts } from './use';

// Programs for tools that take the cuts as they are.

/** A program for TTree::Draw, which lists the entries that pass each cut. Throws Untranslated. */
export function treeFlow({ address, tree, cuts, weight }: FlowUse): string {
  if (tree.kind === 'RNTuple') throw new Untranslated('TTree::Draw reads no RNTuple.');
  for (const cut of cuts) checkCut(tree, { expr: '0', cut });
  if (weight !== '') checkCut(tree, { expr: weight, cut: '' });
  const isWeighted = weight !== '';
  const reading = isWeighted
    ? `// One weight for each entry
tree->SetEstimate(entries + 1);
tree->Draw(${cppText(weight)}, "", "goff");
const std::vector<double> weights(tree->GetV1(), tree->GetV1() + tree->GetSelectedRows());
`
    : '';
  const sums = isWeighted ? ', sum[n + 1] = {}, squares[n + 1] = {}' : '';
  const add = isWeighted
    ? `   for (std::size_t i = 0; i <= first; ++i) { kept[i] += 1; sum[i] += weights[entry]; squares[i] += weights[entry] * weights[entry]; }\n`
    : '   for (std::size_t i = 0; i <= first; ++i) kept[i] += 1;\n';
  const shown = isWeighted ? ' << " " << sum[i] << " +- " << std::sqrt(squares[i])' : '';
  return `std::unique_ptr<TFile> file(TFile::Open(${cppText(address)}));
auto tree = file->Get<TTree>(${cppText(tree.path)});
const auto entries = tree->GetEntries();
constexpr std::size_t n = ${cuts.length};
const char *cuts[n] = {${cuts.map(cppText).join(', ')}};
// A list of entries has those for which tree->GetEntries(cut) counts: at least one element passes
std::vector<TEntryList *> lists;
for (std::size_t i = 0; i < n; ++i) {
   tree->Draw(TString::Format(">>cut%zu", i), cuts[i], "entrylist");
   lists.push_back(static_cast<TEntryList *>(gDirectory->Get(TString::Format("cut%zu", i))));
}
${reading}double kept[n + 1] = {}, alone[n] = {}, others[n] = {}${sums};
for (Long64_t entry = 0; entry < entries; ++entry) {
   std::size_t first = n, failed = 0, last = n;
   for (std::size_t i = 0; i < n; ++i) {
      if (lists[i]->Contains(entry)) { alone[i] += 1; continue; }
      first = std::min(first, i);
      last = i;
      ++failed;
   }
${add}   for (std::size_t i = 0; i < n; ++i) if (failed == 0 || (failed == 1 && last == i)) others[i] += 1;
}
for (std::size_t i = 0; i <= n; ++i) {
   std::cout << (i == 0 ? "all entries" : cuts[i - 1]) << ": " << kept[i]${shown};
   if (i > 0) std::cout << ", alone " << alone[i - 1] << ", all others " << others[i - 1];
   std::cout << "\\n";
}
`;
}

/** Throws Untranslated for what TTree::Draw evaluates otherwise. */
function checkCut(tree: TreeInfo, drawing: Drawing): void {
  checkForRoot(tree, drawing);
  let filling: Filling;
  try {
    filling = translate(tree, drawing);
  } catch (thrown) {
    // Nothing is known about other expressions.
    reasonOf(thrown);
    return;
  }
  if (!areTogether(filling.loop.lists))
    throw new Untranslated(
      'TTree::Draw also counts elements of lists of different lengths that have no partner in the other list.',
    );
  for (const value of [...filling.values, filling.weight])
    eachValue(value, (one) => {
      if (one.kind === 'element' && one.index.kind !== 'number')
        throw new Untranslated(
          'TTree::Draw reads a value of another entry if an index that is computed is outside of the list.',
        );
    });
}

/** A command line of xylem. */
export function commandFlow({ address, tree, cuts, weight }: FlowUse): string {
  const words = [tree.path, ...cuts];
  const end = words.some((word) => word.startsWith('-')) ? '-- ' : '';
  const options = weight === '' ? '' : `--weight=${shellWord(weight)} `;
  // With --no, npx never fetches a package of this name.
  return `npx --no xylem cutflow ${options}${end}${fileWord(address)} ${words.map(shellWord).join(' ')}\n`;
}

/** A selector of xylem. */
export function selectorFlow({ address, tree, cuts, weight }: FlowUse): string {
  const isWeighted = weight !== '';
  const names = namesOfCuts(cuts);
  const end = tree.path.startsWith('-') ? '-- ' : '';
  const branches = [
    ...cuts.map((cut, i) => `    pass${i + 1}: ${quotedText(passes(cut))},\n`),
    ...(isWeighted ? [`    weight: ${quotedText(weight)},\n`] : []),
  ];
  const by = isWeighted ? ', entry.weight' : '';
  const squares = isWeighted ? `, squares: job.labels()` : '';
  const addSquares = isWeighted ? '\n      out.squares.add(name, entry.weight ** 2);' : '';
  return `// xylem process ${end}THIS_FILE ${commentWord(address)} ${commentWord(tree.path)} --json
const names = [${names.map(quotedText).join(', ')}];

export default {
  // A cut passes an entry if at least one element of its lists passes.
  branches: {
${branches.join('')}  },
  begin: (job) => ({ left: job.labels(), alone: job.labels(), others: job.labels()${squares} }),
  entry(entry, out) {
    const passed = names.map((_, i) => entry[\`pass\${i + 1}\`] !== 0);
    const failed = passed.filter((one) => !one).length;
    const first = passed.indexOf(false);
    const left = first < 0 ? names : names.slice(0, first);
    for (const name of ['all entries', ...left]) {
      out.left.add(name${by});${addSquares}
    }
    names.forEach((name, i) => {
      if (passed[i]) out.alone.add(name${by});
      if (failed === 0 || (failed === 1 && !passed[i])) out.others.add(name${by}); // N-1
    });
  },
};
`;
}

/** A word of a command in a comment, which a line break would end. */
const commentWord = (text: string): string => shellWord(text).replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
