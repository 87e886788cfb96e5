import { nameOf, type OpenState, type Pair } from './recorded-pairs';

/** Titles of the sets of pairs. */
const SETS: Record<string, string> = {
  base: 'Operators, functions, arrays, cuts, profiles, objects and friends, in files of the tests and of the corpus',
  kinds:
    'All kinds of leaves with their extreme values, collections, indices, weights of both signs, values on edges, scans',
  objects: 'Objects in every form: split and not, alone, in collections, behind pointers',
  operators: 'Every pair of operators, with and without signs and parentheses',
  names: 'Names of branches that look like parts of the language',
  options: 'Profiles, with errors of each kind',
  real: 'Real files of experiments and of tests, leaf by leaf',
  chars: 'Arrays of characters, which are texts where their size is fixed and they stand alone',
  strings: 'Strings alone, with weights, beside numbers, compared, and their methods',
  ntuple: 'RNTuples, against the same entries in a TTree or against RDataFrame',
};

const CHOICES = [
  '## Limits, and what is refused',
  '',
  '- A histogram has at most 10,000,000 cells with under- and overflow (3000x3000 can be drawn), an expression 20,000 names, numbers',
  '  and signs in 300 levels, an axis of strings 1,000 different texts.',
  '- Four expressions: ROOT draws points, of which the fourth is the colour. There is no histogram of them; `scan` lists all.',
  '- `>>+h`: each call makes its own histogram. Contents of the same bins can be added from the JSON or CSV of both.',
  '- `rndm` gives numbers of our own, evenly over (0, 1), one for each instance: `--seed N` chooses them, the result has the seed, and',
  '  the same seed gives the same numbers on any machine. `gRandom` is refused. `gaus`, `landau` and `expo` are functions with',
  '  parameters to ROOT, which a tree does not have: `TMath::Gaus(x, mean, sigma)` says what is meant.',
  '- A branch that is an array of characters of a fixed size (`name[16]/B`) is a text where it stands alone, beside other expressions, in',
  '  `scan`, and compared with a text, as in ROOT. What is computed of it, `name+0`, and its elements, `name[0]`, are numbers, and so are',
  '  arrays of variable size and of several dimensions, of which ROOT reads characters that belong to none or to another row.',
  '- A branch that was not filled has no values, so nothing is drawn of it. ROOT gives `Length$` of it as 0 or 1.',
  '- Options are `prof`, `profs`, `profi`, `profg`, `norm`, `entrylist`, `elist`, and `goff`, `hist`, `colz`, which change nothing. Options',
  '  of ROOT that choose how a plot looks are refused.',
  '',
];

/** docs/conformance.md: what the pairs and open.json say. */
export function conformancePage(pairs: readonly Pair[], open: ReadonlyMap<string, OpenState>): string {
  const compared = pairs.filter((pair) => !pair.deviation && !pair.error);
  const agreeing = compared.filter((pair) => !open.has(nameOf(pair)));
  return [
    '# Agreement with TTree::Draw and TTree::Scan',
    '',
    `${pairs.length} expressions, most of them with a cut, are run in ROOT 6.40 by \`tests/query/recorders/conformance.py\` and in xylem by`,
    `\`tests/query/conformance.test.ts\`; ${agreeing.length} of them agree. Compared are the number of fills, every bin with under- and overflow`,
    '(counts exactly, sums of weights to 1e-9 of what is added up), squared weights, means and standard deviations, then the axes that',
    'Draw chooses itself with what lies in each of their bins, the labels of strings, lists of entries, and scans value by value (to 1e-12).',
    'ROOT 6.42 changed one rule: `sqrt` of a negative number is NaN. xylem follows it; `--root-version 6.40` (`rootVersion` in the',
    'library) gives the old rule, by which these pairs were recorded.',
    '',
    ...[...new Set(pairs.map(({ set }) => set))].flatMap((set) => table(set, pairs, open)),
    ...openOnes(compared, open),
    ...CHOICES,
    '## Where ROOT is wrong, or leaves it undefined',
    '',
    'Here xylem keeps its values. Where uproot and numpy can tell what is right, the test holds xylem to that: "uproot" has the',
    'number of values and their sum, which are also those of xylem.',
    '',
    ...grouped(pairs, ({ deviation }) => deviation),
    '## Axes',
    '',
    'Of these the bins agree, but not the axes that Draw chooses when none are given:',
    '',
    ...grouped(pairs, ({ axesDeviation }) => axesDeviation),
  ].join('\n');
}

function table(set: string, all: readonly Pair[], open: ReadonlyMap<string, OpenState>): string[] {
  const pairs = all.filter((pair) => pair.set === set);
  const lines = [
    `## ${set}`,
    '',
    `${SETS[set] ?? set}.`,
    '',
    '| Section | Pairs | Agree | ROOT is wrong | Refused by xylem | Refused by ROOT |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
  ];
  const row = (name: string, some: readonly Pair[]): string => {
    const wrong = some.filter(({ deviation }) => deviation).length;
    const theirs = some.filter(({ deviation, error }) => !deviation && error).length;
    const ours = some.filter((pair) => open.get(nameOf(pair)) === 'refused').length;
    const differ = some.filter((pair) => open.get(nameOf(pair)) === 'differs').length;
    const agree = some.length - wrong - theirs - ours - differ;
    return `| ${name} | ${[some.length, agree, wrong, ours, theirs].join(' | ')} |`;
  };
  const sections = [...new Set(pairs.map(({ section }) => section))];
  for (const section of sections) {
    lines.push(
      row(
        section,
        pairs.filter((pair) => pair.section === section),
      ),
    );
  }
  if (sections.length > 1) lines.push(row('all', pairs));
  return [...lines, ''];
}

function openOnes(pairs: readonly Pair[], open: ReadonlyMap<string, OpenState>): string[] {
  const left = pairs.filter((pair) => open.has(nameOf(pair)));
  if (left.length === 0) return [];
  return [
    '## What xylem does not do yet',
    '',
    ...left.map((pair) => `- ${what(pair)}: ${open.get(nameOf(pair)) === 'refused' ? 'refused' : 'differs'}`),
    '',
  ];
}

function grouped(pairs: readonly Pair[], why: (pair: Pair) => string | undefined): string[] {
  const reasons = new Set(pairs.map(why).filter((reason) => reason !== undefined));
  return [...reasons].flatMap((reason) => [
    `- ${reason}.`,
    ...pairs.filter((pair) => why(pair) === reason).map((pair) => `  - ${what(pair)}${verifyContent(pair)}`),
    '',
  ]);
}

function what({ file, expr, cut, scan }: Pair): string {
  const asked = scan === undefined ? code(expr) : `scan of ${code(scan)}`;
  return `${asked}${cut ? ` with the cut ${code(cut)}` : ''} (${file})`;
}

function verifyContent({ truth, proof, fills, error, crash }: Pair): string {
  if (!truth || !proof) return '';
  const sum = proof.sum === undefined ? '' : `, sum ${short(proof.sum)}`;
  const theirs = crash ? 'crashes' : error ? 'refuses' : `${fills} fills`;
  return `: uproot ${code(truth)}: ${proof.values} values${sum}; ROOT ${theirs}`;
}

function short(value: number | string): string {
  return typeof value === 'number' ? String(Number(value.toPrecision(6))) : value;
}

function code(text: string): string {
  return `\`${text.trim()}\``;
}
