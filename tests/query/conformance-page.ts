/** What ROOT filled for an expression: see conformance.py. Cells of a profile have content, weight and error. */
export interface Pair {
  file: string;
  tree: string;
  expr: string;
  cut: string;
  option?: string;
  deviation?: string;
  /** Of the axes that are chosen automatically. */
  axesDeviation?: string;
  error?: boolean;
  axes: [bins: number, low: number, high: number][];
  selected: number;
  fills: number;
  stats: (number | string)[];
  cells: Record<string, (number | string)[]>;
  automatic?: [bins: number, low: number, high: number][] | null;
}

/** What a pair came to in xylem. */
export interface Ours {
  fills: number;
  weight: number;
  mean: number;
}

const sources: Record<string, string> = {
  query: 'made by tests/query/conformance.py',
  fixtures: 'made by tests/fixtures/make.py',
  public: 'the sample',
  corpus: 'a file of an experiment or of its tutorials, in the corpus',
};

/** docs/conformance.md, of all pairs and what those that can be run here came to. */
export function conformancePage(pairs: readonly Pair[], ours: ReadonlyMap<Pair, Ours>): string {
  const agreeing = pairs.filter(({ deviation, error }) => !deviation && !error);
  const lines = [
    '# Agreement with TTree::Draw',
    '',
    `${agreeing.length} pairs of an expression and a cut, run in ROOT 6.40 by \`tests/query/conformance.py\` and in xylem by`,
    '`tests/query/conformance.test.ts`: the number of fills and every bin agree (counts exactly, sums of weights to',
    '1e-9 of what is added up), and so do the sums that TH1::GetStats gives. Values outside of the axes are part of it, so the sum of weights',
    'and the mean are those of the values within. Where both figures are the same one stands here.',
    '',
  ];
  for (const file of new Set(pairs.map((pair) => pair.file))) {
    const here = agreeing.filter((pair) => pair.file === file);
    if (here.length === 0) continue;
    const [place = ''] = file.split('/');
    lines.push(`## ${file}`, '', `Tree \`${here[0]?.tree}\`; ${sources[place] ?? place}.`, '');
    lines.push('| Expression | Cut | Fills | Sum of weights | Mean |', '| --- | --- | ---: | ---: | ---: |');
    for (const pair of here) lines.push(row(pair, ours.get(pair)));
    lines.push('');
  }
  lines.push(
    '## Where ROOT differs',
    '',
    'What ROOT gets wrong or leaves undefined, with the pairs that show it. Their figures are not compared.',
    '',
    ...grouped(pairs, ({ deviation }) => deviation),
    'Of these the bins agree, but not the axes that Draw chooses when none are given:',
    '',
    ...grouped(pairs, ({ axesDeviation }) => axesDeviation),
  );
  return lines.join('\n');
}

function grouped(pairs: readonly Pair[], why: (pair: Pair) => string | undefined): string[] {
  const reasons = new Set(pairs.map(why).filter((reason) => reason !== undefined));
  return [...reasons].flatMap((reason) => [
    `- ${reason}.`,
    ...pairs
      .filter((pair) => why(pair) === reason)
      .map(({ file, expr, cut }) => `  - ${code(expr)}${cut ? ` with the cut ${code(cut)}` : ''} (${file})`),
    '',
  ]);
}

function row(pair: Pair, ours: Ours | undefined): string {
  const { expr, cut, option, stats } = pair;
  const [weight = 0, , first = 0] = stats.map(Number);
  const theirs: Ours = { fills: pair.fills, weight, mean: first / weight };
  const figures = (['fills', 'weight', 'mean'] as const).map((name) => {
    const [root, own] = [figure(theirs[name]), ours && figure(ours[name])];
    return own === undefined || own === root ? root : `${root}, here ${own}`;
  });
  return `| ${code(expr)}${option ? ` (${option})` : ''} | ${cut ? code(cut) : ''} | ${figures.join(' | ')} |`;
}

/** Six digits; where nothing was added up there is no mean. */
function figure(value: number): string {
  if (!Number.isFinite(value)) return '';
  return Math.abs(value) < 1e-9 ? '0' : String(Number(value.toPrecision(6)));
}

/** As code in a table: bars would end a cell. */
function code(text: string): string {
  return `\`${text.trim().replaceAll('|', '\\|')}\``;
}
