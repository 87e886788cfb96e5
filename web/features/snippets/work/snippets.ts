import { cppText, fileWord, quotedText, shellWord } from '../../../base/literal';

/** A drawing, for programs of other tools. */
export interface Use {
  /** Address or path of the file. */
  address: string;
  tree: string;
  kind: 'TTree' | 'RNTuple';
  /** A branch alone: its names from the tree down joined by "/". Undefined for other expressions. */
  branch?: string | undefined;
  /** Expressions as TTree::Draw takes them, without the histogram; of a branch alone its name. */
  expr: string;
  /** Cut in the language of TTree::Draw; empty for all values. */
  cut: string;
  /** The mean of the last coordinate in bins of the others. */
  profile?: boolean | undefined;
  /** The axes, x first. */
  axes: { bins: number; low: number; high: number }[];
}

export interface Snippet {
  tool: string;
  language: 'python' | 'cpp' | 'js' | 'sh';
  text: string;
}

/**
 * Returns complete programs that fill the same histogram with other tools. The axes are half-open as in ROOT. Names and
 * addresses are quoted for each language. Expressions and cuts are text in the language of TTree::Draw, so there are
 * programs only for the tools that take it.
 */
export function snippets(use: Use): Snippet[] {
  const { branch, cut, kind } = use;
  return [
    ...(branch !== undefined && cut === '' ? ofBranch(use, branch) : []),
    ...(kind === 'TTree' ? [{ tool: 'TTree::Draw', language: 'cpp' as const, text: treeDraw(use) }] : []),
    { tool: 'xylem, library', language: 'js', text: library(use) },
    { tool: 'xylem, command', language: 'sh', text: command(use) },
  ];
}

/** Programs that read a branch and take no expressions. */
function ofBranch({ address, tree, expr, axes: [axis] }: Use, branch: string): Snippet[] {
  const { bins, low, high } = axis ?? { bins: 1, low: 0, high: 1 };
  const uproot = `import awkward as ak
import numpy as np
import uproot

tree = uproot.open(${quotedText(address)})[${quotedText(tree)}]
values = ak.to_numpy(ak.flatten(tree[${quotedText(branch)}].array(), axis=None))
values = values[values < ${high}]  # numpy counts the upper edge, ROOT does not
counts, edges = np.histogram(values, bins=${bins}, range=(${low}, ${high}))
print(counts)
`;
  const dataFrame = `ROOT::RDataFrame frame(${cppText(tree)}, ${cppText(address)});
auto h = frame.Histo1D({"h", ${cppText(expr)}, ${bins}, ${low}, ${high}}, ${cppText(expr)});
h->Draw();
`;
  return [
    { tool: 'uproot', language: 'python', text: uproot },
    { tool: 'RDataFrame', language: 'cpp', text: dataFrame },
  ];
}

function treeDraw({ address, tree, expr, cut, profile, axes }: Use): string {
  const type = profile ? ['TProfile', 'TProfile2D'][axes.length - 1] : `TH${axes.length}D`;
  const numbers = axes.flatMap(({ bins, low, high }) => [bins, low, high]).join(', ');
  const option = profile ? 'prof' : axes.length === 2 ? 'colz' : '';
  const more = [cut, option].map(cppText).slice(0, option === '' ? (cut === '' ? 0 : 1) : 2);
  return `std::unique_ptr<TFile> file(TFile::Open(${cppText(address)}));
auto tree = file->Get<TTree>(${cppText(tree)});
auto h = new ${type}("h", ${cppText(expr)}, ${numbers});
tree->Draw(${[cppText(`${expr}>>h`), ...more].join(', ')});
`;
}

function library({ address, tree, branch, expr, cut, profile, axes }: Use): string {
  const [axis] = axes;
  const isPlain = axes.length === 1 && !profile;
  const options = [
    ...(cut === '' ? [] : [`cut: ${quotedText(cut)}`]),
    ...(profile ? ["option: 'prof'"] : []),
    ...(axes.length === 1 && axis
      ? [`bins: ${axis.bins}`, `range: [${axis.low}, ${axis.high}]`]
      : [
          `bins: [${axes.map(({ bins }) => bins).join(', ')}]`,
          `range: [${axes.map(({ low, high }) => `[${low}, ${high}]`).join(', ')}]`,
        ]),
  ];
  return `import { openRoot } from 'xylem';

const file = await openRoot(${quotedText(address)});
const tree = await file.tree(${quotedText(tree)});
const histogram = await tree.draw(${quotedText(branch ?? expr)}, { ${options.join(', ')} });
${
  isPlain
    ? 'for (const { low, high, count } of histogram) console.log(low, high, count);'
    : 'for (const bin of histogram) console.log(bin);'
}
await file.close();
`;
}

function command({ address, tree, branch, expr, cut, profile, axes }: Use): string {
  const [axis] = axes;
  const words = [tree, branch ?? expr, ...(cut === '' ? [] : [cut])];
  const end = words.some((word) => word.startsWith('-')) ? '-- ' : '';
  const plain = [fileWord(address), ...words.map(shellWord)].join(' ');
  const numbers = axes.map(({ bins, low, high }) => `${bins},${low},${high}`).join(',');
  const options = [
    ...(profile ? ['--option prof'] : []),
    axes.length === 1 && axis ? `--bins ${axis.bins} --range=${axis.low}:${axis.high}` : `--hist=${numbers}`,
  ].join(' ');
  // With --no, npx never fetches a package of this name.
  return `npx --no xylem draw ${options} ${end}${plain}\n`;
}
