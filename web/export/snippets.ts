import { cppText, fileWord, quotedText, shellWord } from '../base/literal';

/** A histogram of one branch, for programs of other tools. */
export interface Use {
  /** Address or path of the file. */
  address: string;
  tree: string;
  kind: 'TTree' | 'RNTuple';
  /** Names from the tree down joined by "/". */
  branch: string;
  /** Name of the branch itself. */
  name: string;
  /** Cut in the language of TTree::Draw; empty for all values. */
  cut: string;
  bins: number;
  low: number;
  high: number;
}

export interface Snippet {
  tool: string;
  language: 'python' | 'cpp' | 'js' | 'sh';
  text: string;
}

/**
 * Returns complete programs that fill the same histogram with other tools. The axis is half-open as in ROOT. Names and addresses are quoted for each language. A cut is text in the language of
 * TTree::Draw, so there are programs only for the tools that take it.
 */
export function snippets(use: Use): Snippet[] {
  const columns: Snippet[] = [
    { tool: 'uproot', language: 'python', text: uproot(use) },
    { tool: 'RDataFrame', language: 'cpp', text: dataFrame(use) },
  ];
  return [
    ...(use.cut === '' ? columns : []),
    ...(use.kind === 'TTree' ? [{ tool: 'TTree::Draw', language: 'cpp' as const, text: treeDraw(use) }] : []),
    { tool: 'xylem, library', language: 'js', text: library(use) },
    { tool: 'xylem, command', language: 'sh', text: command(use) },
  ];
}

function uproot({ address, tree, branch, bins, low, high }: Use): string {
  return `import awkward as ak
import numpy as np
import uproot

tree = uproot.open(${quotedText(address)})[${quotedText(tree)}]
values = ak.to_numpy(ak.flatten(tree[${quotedText(branch)}].array(), axis=None))
values = values[values < ${high}]  # numpy counts the upper edge, ROOT does not
counts, edges = np.histogram(values, bins=${bins}, range=(${low}, ${high}))
print(counts)
`;
}

function dataFrame({ address, tree, name, bins, low, high }: Use): string {
  return `ROOT::RDataFrame frame(${cppText(tree)}, ${cppText(address)});
auto h = frame.Histo1D({"h", ${cppText(name)}, ${bins}, ${low}, ${high}}, ${cppText(name)});
h->Draw();
`;
}

function treeDraw({ address, tree, name, cut, bins, low, high }: Use): string {
  return `std::unique_ptr<TFile> file(TFile::Open(${cppText(address)}));
auto tree = file->Get<TTree>(${cppText(tree)});
auto h = new TH1D("h", ${cppText(name)}, ${bins}, ${low}, ${high});
tree->Draw(${cppText(`${name}>>h`)}${cut === '' ? '' : `, ${cppText(cut)}`});
`;
}

function library({ address, tree, branch, cut, bins, low, high }: Use): string {
  const selected = cut === '' ? '' : `cut: ${quotedText(cut)}, `;
  return `import { openRoot } from 'xylem';

const file = await openRoot(${quotedText(address)});
const tree = await file.tree(${quotedText(tree)});
const histogram = await tree.draw(${quotedText(branch)}, { ${selected}bins: ${bins}, range: [${low}, ${high}] });
for (const { low, high, count } of histogram) console.log(low, high, count);
await file.close();
`;
}

function command({ address, tree, branch, cut, bins, low, high }: Use): string {
  const words = [tree, branch, ...(cut === '' ? [] : [cut])];
  const end = words.some((word) => word.startsWith('-')) ? '-- ' : '';
  const plain = [fileWord(address), ...words.map(shellWord)].join(' ');
  // With --no, npx never fetches a package of this name.
  return `npx --no xylem draw --bins ${bins} --range=${low}:${high} ${end}${plain}\n`;
}
