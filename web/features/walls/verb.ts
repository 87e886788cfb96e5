import { toXylemError, XylemError } from '../../base/errors';
import { flag, listOf, NOT_NEGATIVE, oneOf, optional, TEXT, type ValuesOf, whole } from '../../base/shape';
import { CHAIN_TEXT, FILE } from '../../verbs/params';
import { type VerbCall, type VerbFile, verb } from '../../verbs/verb';
import type { BothWalls } from './work/read-wall';
import type { Rule } from './work/rules';
import { sortedTiles, type Tile, WALL_ORDERS } from './work/tile';
import { isJudged, type Wall, wallHead, wallJson, wallReport, wallStatus } from './work/wall-report';

const PARAMS = {
  file: FILE,
  pattern: optional(
    listOf(TEXT),
    'PATTERN',
    'Paths of objects, folders, or patterns with *, ? and [abc] in names and ** for folders of any depth; with tree: branches, patterns of them, and expressions.',
  ),
  tree: optional(
    TEXT,
    'TREE',
    'draw branches and expressions of this tree, all in one pass: patterns name branches (Muon_*), or are expressions',
  ),
  cut: optional(TEXT, 'CUT', 'with --tree: selects and weighs'),
  columns: optional(whole(1, 40), 'N', 'plots in a row, 1 to 40; default 4, in a page as many as fit'),
  log: flag('logarithmic vertical axes, or colour scales'),
  sameAxes: flag('the same axes for all plots'),
  sort: optional(
    oneOf(...WALL_ORDERS),
    'ORDER',
    'file (the default), name, title, entries (most first), worst (the default with --reference)',
  ),
  filter: optional(TEXT, 'TEXT', 'only plots with these words in their name or title'),
  limit: optional(whole(1, 1_000_000), 'N', 'a wall of more plots is refused; default 2000'),
  reference: optional(
    TEXT,
    'FILE',
    'another file, whose plots of the same names lie over these, with ratio, Chi2Test and KolmogorovTest of each',
  ),
  sameArea: flag('with --reference: scaled to the same sum, for the ratio, the differences and the picture'),
  failOn: optional(
    listOf(TEXT),
    'RULES',
    'exit status 1 where a condition is true: chi2<0.01, kolmogorov<0.01 (or ks) are probabilities of the tests; ' +
      'chi2/ndf>3, distance>0.1, ratio>0.2, pull>5, outside>0.05 (share of bins outside of the band); missing (in one ' +
      'of the files); with commas, or the name of a file with rules as JSON',
  ),
  band: optional(
    NOT_NEGATIVE,
    'PART',
    'half-width of the band around the reference, as a part of it; default 0.1',
  ),
};

type Asked = ValuesOf<typeof PARAMS>;

/** The error of a wall without plots, because an empty picture looks like a result. */
function nothingChosen(patterns: readonly string[], filter: string | undefined): XylemError {
  const asked = patterns.length > 0 ? ` that matches ${patterns.map((one) => `"${one}"`).join(' or ')}` : '';
  const words =
    filter === undefined ? '' : `${asked === '' ? '' : ' and'} with "${filter}" in its name or title`;
  return new XylemError({
    code: 'NOT_FOUND',
    message: `There is nothing to draw in the file${asked}${words}.`,
    fix: '"xylem ls" shows what is in it; "plots/*" is what lies in a folder, "**" everything.',
  });
}

export const wall = verb({
  name: 'wall',
  words: 'FILE [PATTERN…]',
  about: `Draws many histograms, graphs and functions of a file as small plots on one picture or page. PATTERN is the path of an
object, a folder (what lies right in it), or has *, ? and [abc] in names and ** for folders of any depth: 'dqm/**'.
Without one, all of the file. Neighbours in the file are read together. With --reference the plots are compared with those of
another file; the worst come first.
${CHAIN_TEXT}`,
  examples: [
    ["sample.root 'plots/*' --html wall.html", 'stored histograms on one page'],
    ["sample.root --tree Events 'Muon_*' --html muons.html", 'branches, read in one pass'],
  ],
  params: PARAMS,
  json: `{"plots": [{"name", "title", "entries", "error", "state", "why", "same", "option", "chi2": {"chi2", "ndf", "p"},
"kolmogorov": {"distance", "p"}, "ratio", "pull", "outside"}, …]}; "entries" is null where there is no such number,
"error" is there where an object cannot be drawn. With --reference "state" is same, ok, compared (no condition), failed,
error, missing or other (not a histogram), "why" a list of sentences, and the figures are there where bins were compared; "onlyFlow" where under- or overflow alone differs. "nan" and the infinities are strings.`,
  exit: `0 done, and with --reference nothing failed; 1 a plot shows only a part of the values, a condition of --fail-on is true, plots cannot be compared (bins differ, one
cannot be read, a figure is not defined) or there is nothing to compare, or the command failed; 2 the command line was not understood.`,
  wrong({ tree, cut, reference, sameArea, failOn, band, sort }) {
    if (cut !== undefined && tree === undefined) return '--cut goes with --tree.';
    if (failOn?.some((text) => text.split(',').every((part) => part.trim() === '')))
      return '--fail-on names no condition, such as chi2<0.01 or missing.';
    if (reference !== undefined) return undefined;
    const given = {
      'same-area': sameArea,
      'fail-on': failOn,
      band,
      'sort worst': sort === 'worst' || undefined,
    };
    const [idle] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
    return idle && `--${idle} goes with --reference.`;
  },
  async run(asked, call): Promise<Wall> {
    const rules = await rulesOf(asked, call);
    const { WALL_LIMIT } = await import('./work/items');
    const { readStored, readTree } = await import('./work/read-wall');
    const { pattern: patterns = [], filter, limit = WALL_LIMIT, reference } = asked;
    const { signal, onProgress } = call;
    const wishes = { patterns, filter, limit, signal, onProgress };
    return await withBoth(asked, call, async (file, other, trees) => {
      const read = trees
        ? await readTree(trees.own, trees.other, wishes)
        : await readStored(file, other, wishes);
      if (read.items.length === 0 && !read.references?.length) throw nothingChosen(patterns, filter);
      const title = file.info.name.replace(/^.*\//s, '');
      const tiles = await sortedWall(read, title, rules, asked);
      return {
        title,
        tiles,
        idleRules: await idleRules(rules.rules, tiles),
        compared: reference !== undefined,
      };
    });
  },
  report: wallReport,
  status: wallStatus,
  toJson: wallJson,
  outputs: {
    svg: {
      about: 'write a picture to the file OUT ("-" is stdout)',
      whole: true,
      isPicture: true,
      async make({ title, tiles }, { columns = 4, ...asked }) {
        const { wallSvg } = await import('./work/wall-svg');
        return wallSvg(tiles, { ...lookOf(asked), title, columns });
      },
    },
    html: {
      about: 'write a page to the file OUT, which works without a server and a network',
      whole: true,
      async make({ title, tiles }, { columns, ...asked }) {
        const { wallHtml } = await import('./work/wall-html');
        return await wallHtml(tiles, { ...wallHead(title, tiles), columns }, lookOf(asked));
      },
    },
    pdf: {
      about: 'write pages of plots to the file OUT, as PDF (A4)',
      whole: true,
      async make({ title, tiles }, { columns = 3, ...asked }, { note }) {
        const { wallPdf } = await import('./work/wall-pdf');
        const { file, missing } = await wallPdf(tiles, { ...lookOf(asked), title, columns });
        if (missing > 0)
          note(`${missing} letters are "?", because the fonts of PDF readers lack them; --svg has them`);
        return file;
      },
    },
    junit: {
      about: 'write the results as JUnit XML to the file OUT',
      needs: 'reference',
      async make({ title, tiles }) {
        const { junitXml } = await import('./work/junit');
        return junitXml(title, tiles.filter(isJudged));
      },
    },
  },
  tool: {
    title: 'Histograms of a file, compared with a reference',
    description:
      'Lists histograms, graphs and branches of a file with their entries. With reference each is compared with the one of the same name in another file, by Chi2Test and KolmogorovTest, the worst first. Reads these objects or branches.',
    names: { pattern: 'patterns' },
    without: ['columns', 'log', 'sameAxes'],
    cost: (asked, call) =>
      withBoth(asked, call, async (file, other, trees) => {
        const { storedCost, treeCost } = await import('./work/read-wall');
        const { pattern: patterns = [], filter } = asked;
        const cost = trees
          ? await treeCost(trees.own, trees.other, { patterns, filter })
          : await storedCost(file, other, { patterns, filter });
        return { ...cost, what: 'the plots' };
      }),
  },
});

const lookOf = ({ log = false, sameAxes = false }: Pick<Asked, 'log' | 'sameAxes'>) => ({
  log: { x: false, y: log },
  sameAxes,
});

/** The trees of a file and its reference of which branches are drawn. */
interface BothTrees {
  own: { file: VerbFile; tree: string; cut: string | undefined };
  other: { file: VerbFile; tree: string } | undefined;
}

/** Opens a file and its reference. `trees` is undefined if stored objects are drawn. */
async function withBoth<T>(
  { file: name, reference, tree: named, cut }: Pick<Asked, 'file' | 'reference' | 'tree' | 'cut'>,
  call: VerbCall,
  use: (file: VerbFile, other: VerbFile | undefined, trees: BothTrees | undefined) => Promise<T>,
): Promise<T> {
  return await call.withFile(name, async (file) => {
    const tree = named ?? file.ownTree;
    const both = (other: VerbFile | undefined): Promise<T> => {
      if (tree === undefined) return use(file, other, undefined);
      const reference = other && { file: other, tree: other.ownTree ?? tree };
      return use(file, other, { own: { file, tree, cut }, other: reference });
    };
    return reference === undefined ? await both(undefined) : await call.withFile(reference, both);
  });
}

/** The rules of --fail-on, and the band of a file of rules. */
async function rulesOf(
  { failOn = [], band }: Asked,
  call: VerbCall,
): Promise<{ rules: Rule[]; band: number }> {
  const { parseConditions, parseRules } = await import('./work/rules');
  const conditionsOf = (text: string) => {
    try {
      return parseConditions(text);
    } catch (thrown) {
      const { message, fix } = toXylemError(thrown);
      throw call.misused(`${message} ${fix}`);
    }
  };
  const rules: Rule[] = [];
  let bandOfFile: number | undefined;
  for (const text of failOn) {
    if (/[<>]/.test(text) || text.split(',').some((part) => part.trim() === 'missing')) {
      rules.push({ items: '**', failOn: conditionsOf(text) });
      continue;
    }
    const json = await call.text(text).catch((thrown: unknown) => {
      // A word that no file has as its name was meant as a condition.
      if (!/[./\\]/.test(text)) conditionsOf(text);
      throw thrown;
    });
    const read = parseRules(json.text);
    rules.push(...read.rules);
    bandOfFile ??= read.band;
  }
  return { rules, band: band ?? bandOfFile ?? 0.1 };
}

async function sortedWall(
  { items, references }: BothWalls,
  label: string,
  { rules, band }: { rules: Rule[]; band: number },
  { sort, sameArea = false }: Asked,
): Promise<Wall['tiles']> {
  if (!references) {
    const tiles = items.map(({ tile }): Tile => tile);
    return sortedTiles(tiles, sort ?? 'file');
  }
  const { judgeWall, worstFirst } = await import('./work/judged');
  const judged = judgeWall(items, references, { rules, band, label, sameArea });
  return sort === undefined || sort === 'worst' ? worstFirst(judged) : sortedTiles(judged, sort);
}

/** Returns the patterns of the rules that are for none of the plots. */
async function idleRules(rules: readonly Rule[], tiles: Wall['tiles']): Promise<string[]> {
  const { conditionsFor } = await import('./work/rules');
  return rules.flatMap((rule) => {
    const conditions = conditionsFor([rule]);
    return tiles.some(({ name }) => conditions(name).length > 0) ? [] : [rule.items];
  });
}
