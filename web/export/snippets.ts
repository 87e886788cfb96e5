/** A histogram of one branch, in the words of other tools. */
export interface Use {
  /** Address or path of the file. */
  address: string;
  tree: string;
  kind: 'TTree' | 'RNTuple';
  /** Names from the tree down joined by "/". */
  branch: string;
  /** Name of the branch itself. */
  name: string;
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
 * Programs that fill the same histogram with other tools: complete, ready to paste, and exact: the
 * axis is half-open as in ROOT. Names and addresses are quoted for each language.
 */
export function snippets(use: Use): Snippet[] {
  return [
    { tool: 'uproot', language: 'python', text: uproot(use) },
    { tool: 'RDataFrame', language: 'cpp', text: dataFrame(use) },
    ...(use.kind === 'TTree' ? [{ tool: 'TTree::Draw', language: 'cpp' as const, text: treeDraw(use) }] : []),
    { tool: 'xylem, library', language: 'js', text: library(use) },
    { tool: 'xylem, command', language: 'sh', text: command(use) },
  ];
}

function uproot({ address, tree, branch, bins, low, high }: Use): string {
  return `import awkward as ak
import numpy as np
import uproot

tree = uproot.open(${literal(address)})[${literal(tree)}]
values = ak.to_numpy(ak.flatten(tree[${literal(branch)}].array(), axis=None))
values = values[values < ${high}]  # numpy counts the upper edge, ROOT does not
counts, edges = np.histogram(values, bins=${bins}, range=(${low}, ${high}))
print(counts)
`;
}

function dataFrame({ address, tree, name, bins, low, high }: Use): string {
  return `ROOT::RDataFrame frame(${literal(tree, 'cpp')}, ${literal(address, 'cpp')});
auto h = frame.Histo1D({"h", ${literal(name, 'cpp')}, ${bins}, ${low}, ${high}}, ${literal(name, 'cpp')});
h->Draw();
`;
}

function treeDraw({ address, tree, name, bins, low, high }: Use): string {
  return `std::unique_ptr<TFile> file(TFile::Open(${literal(address, 'cpp')}));
auto tree = file->Get<TTree>(${literal(tree, 'cpp')});
auto h = new TH1D("h", ${literal(name, 'cpp')}, ${bins}, ${low}, ${high});
tree->Draw(${literal(`${name}>>h`, 'cpp')});
`;
}

function library({ address, tree, branch, bins, low, high }: Use): string {
  const source = /^https?:/.test(address)
    ? `{ kind: 'url', url: ${literal(address)} }`
    : `{ kind: 'path', path: ${literal(address)} }`;
  return `import { openReader } from 'xylem/node';

const reader = await openReader();
const file = await reader.open(${source});
const histogram = await reader.draw(file.id, {
  tree: ${literal(tree)},
  branch: ${literal(branch)},
  bins: ${bins},
  range: [${low}, ${high}],
});
console.log(histogram.counts);
reader.terminate();
`;
}

function command({ address, tree, branch, bins, low, high }: Use): string {
  const words = [address, tree, branch].map(shellWord);
  return `npx xylem hist ${words.join(' ')} --bins ${bins} --range=${low}:${high}\n`;
}

/** A string in double quotes; octal escapes for C++, where \\x would swallow digits that follow it. */
function literal(text: string, language: 'cpp' | 'other' = 'other'): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not stand in source text
  const escaped = text.replace(/[\\"]/g, '\\$&').replace(/[\u0000-\u001f\u007f\u2028\u2029]/g, (sign) => {
    const code = sign.charCodeAt(0);
    if (code > 0xff) return `\\u${code.toString(16)}`;
    return language === 'cpp'
      ? `\\${code.toString(8).padStart(3, '0')}`
      : `\\x${code.toString(16).padStart(2, '0')}`;
  });
  return `"${escaped}"`;
}

function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replace(/'/g, `'\\''`)}'`;
}
