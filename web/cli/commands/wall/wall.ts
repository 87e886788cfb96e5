import { formatCount } from '../../../base/format';
import { dataJson } from '../../../base/json';
import { printable } from '../../../base/text';
import type { Rule } from '../../../insight/compare/rules';
import type { Judged } from '../../../plot/wall/judged';
import { sortedTiles, type Tile, WALL_ORDERS, type WallOrder } from '../../../plot/wall/tile';
import type { WallLook } from '../../../plot/wall/wall-svg';
import { parseWhole, UsageError } from '../../arguments';
import { command, type Given } from '../../command';
import { type Context, type OpenFile, progressLine, withFile, writeBytes, writeText } from '../../context';
import { CHAIN_TEXT, commonOptions, flag, type Options, valued } from '../../options';
import { pictureOptions, writePicture } from '../../terminal/picture';
import type { BothWalls, WallWishes } from './read-wall';

const options = {
  ...pictureOptions,
  html: valued('OUT', 'write a page to the file OUT, which works without a server and a network'),
  pdf: valued('OUT', 'write pages of plots to the file OUT, as PDF (A4)'),
  tree: valued(
    'TREE',
    'draw branches and expressions of this tree, all in one pass: patterns name branches (Muon_*), or are expressions',
  ),
  cut: valued('CUT', 'with --tree: selects and weighs'),
  columns: valued('N', 'plots in a row, 1 to 40; default 4, in a page as many as fit'),
  log: flag('logarithmic vertical axes, or colour scales'),
  'same-axes': flag('the same axes for all plots'),
  sort: valued(
    'ORDER',
    'file (the default), name, title, entries (most first), worst (the default with --reference)',
    { choices: WALL_ORDERS },
  ),
  filter: valued('TEXT', 'only plots with these words in their name or title'),
  limit: valued('N', 'a wall of more plots is refused; default 2000'),
  reference: valued(
    'FILE',
    'another file, whose plots of the same names lie over these, with ratio, Chi2Test and KolmogorovTest of each',
  ),
  'same-area': flag(
    'with --reference: scaled to the same sum, for the ratio, the differences and the picture',
  ),
  'fail-on': valued(
    'RULES',
    'exit status 1 where a condition is true: chi2<0.01, kolmogorov<0.01 (or ks) are probabilities of the tests; ' +
      'chi2/ndf>3, distance>0.1, ratio>0.2, pull>5, outside>0.05 (share of bins outside of the band); missing (in one ' +
      'of the files); with commas, or the name of a file with rules as JSON',
    { multiple: true },
  ),
  band: valued('PART', 'half-width of the band around the reference, as a part of it; default 0.1'),
  junit: valued('OUT', 'write the results as JUnit XML to the file OUT'),
  ...commonOptions,
} as const satisfies Options;

export const wall = command({
  usage: ['FILE [PATTERN…]'],
  about: `Draws many histograms, graphs and functions of a file as small plots on one picture or page. PATTERN is the path of an
object, a folder (what lies right in it), or has *, ? and [abc] in names and ** for folders of any depth: 'dqm/**'.
Without one, all of the file. Neighbours in the file are read together. With --reference the plots are compared with those of
another file; the worst come first.
${CHAIN_TEXT}`,
  options,
  json: `{"plots": [{"name", "title", "entries", "error", "state", "why", "same", "option", "chi2": {"chi2", "ndf", "p"},
"kolmogorov": {"distance", "p"}, "ratio", "pull", "outside"}, …]}; "entries" is null where there is no such number,
"error" is there where an object cannot be drawn. With --reference "state" is same, ok, compared (no condition), failed,
error, missing or other (not a histogram), "why" a list of sentences, and the figures are there where bins were compared; "onlyFlow" where under- or overflow alone differs. "nan" and the infinities are strings.`,
  exit: `0 done, and with --reference nothing failed; 1 a plot shows only a part of the values, a condition of --fail-on is true, plots cannot be compared (bins differ, one
cannot be read, a figure is not defined) or there is nothing to compare, or the command failed; 2 the command line was not understood.`,
  async run(given, [target = '', ...patterns], context) {
    checkOptions(given);
    const outputs = [given.svg, given.png].filter((out) => out !== undefined);
    const limit = given.limit === undefined ? undefined : parseWhole(given.limit, '--limit', 1, 1_000_000);
    const columns = given.columns === undefined ? undefined : parseWhole(given.columns, '--columns', 1, 40);
    const rules = await rulesOf(given, context);
    const progress = progressLine(context);
    const { WALL_LIMIT } = await import('../../../plot/wall/items');
    const wishes: WallWishes = {
      patterns,
      filter: given.filter,
      limit: limit ?? WALL_LIMIT,
      onProgress: progress.show,
    };
    return await withFile(target, given, context, async (file) => {
      const read = await readBoth(file, wishes, given, context);
      await progress.wipe();
      const name = file.info.name.replace(/^.*\//s, '');
      const tiles = await sortedWall(read, name, rules, given);
      const look = { log: { x: false, y: given.log === true }, sameAxes: given['same-axes'] === true };
      if (given.html !== undefined) {
        const [{ wallHtml }, { wallHead }] = await Promise.all([
          import('../../../plot/wall/wall-html'),
          import('./report'),
        ]);
        await writeText(
          given.html,
          await wallHtml(tiles, { ...wallHead(name, tiles), columns }, look),
          context,
        );
      } else if (given.pdf !== undefined)
        await writePdf(given.pdf, tiles, { ...look, title: name, columns: columns ?? 3 }, context);
      else if (outputs.length > 0) {
        const { wallSvg } = await import('../../../plot/wall/wall-svg');
        await writePicture(given, wallSvg(tiles, { ...look, title: name, columns: columns ?? 4 }), context);
      } else if (given.json) context.out.line(wallJson(tiles));
      else await list(tiles, context);
      if (given.junit !== undefined) {
        const { junitXml } = await import('./junit');
        await writeText(given.junit, junitXml(name, tiles.filter(isJudged)), context);
      }
      // A part must not be taken for the whole.
      if (given.reference === undefined) return tiles.some(({ model, failed }) => model && failed) ? 1 : 0;
      return await statusOf(tiles.filter(isJudged), rules.rules, context);
    });
  },
});

async function writePdf(
  target: string,
  tiles: readonly Tile[],
  look: WallLook & { title: string; columns: number },
  context: Context,
): Promise<void> {
  const [{ wallPdf }, { deflateSync }] = await Promise.all([
    import('../../../plot/wall/wall-pdf'),
    import('node:zlib'),
  ]);
  const { file, missing } = wallPdf(tiles, look, deflateSync);
  if (missing > 0)
    context.err.line(
      `note: ${missing} letters are "?", because the fonts of PDF readers lack them; --svg has them`,
    );
  await writeBytes(target, file, context);
}

type WallGiven = Given<typeof options>;
type Shown = Tile | Judged;

function isJudged(tile: Shown): tile is Judged {
  return 'verdict' in tile;
}

/** The exit status of a comparison. A check that compares nothing must not pass. */
async function statusOf(
  judged: readonly Judged[],
  rules: readonly Rule[],
  { err }: Context,
): Promise<number> {
  const { conditionsFor } = await import('../../../insight/compare/rules');
  for (const rule of rules) {
    const conditions = conditionsFor([rule]);
    if (!judged.some(({ name }) => conditions(name).length > 0))
      err.line(`note: the rule for "${rule.items}" is for none of the plots`);
  }
  if (!judged.some(({ verdict }) => verdict.agreement)) {
    const { NOTHING_COMPARED } = await import('../../../plot/wall/results');
    err.line(NOTHING_COMPARED);
    return 1;
  }
  return judged.some(({ state }) => state === 'failed' || state === 'error') ? 1 : 0;
}

function checkOptions(given: WallGiven): void {
  const forms = [given.svg, given.png, given.html, given.pdf].filter((out) => out !== undefined).length;
  if (forms + (given.json ? 1 : 0) > 1)
    throw new UsageError('Take one of --svg, --png, --html, --pdf and --json.');
  if (given.cut !== undefined && given.tree === undefined) throw new UsageError('--cut goes with --tree.');
  if (given.reference !== undefined) return;
  const other = (['same-area', 'fail-on', 'band', 'junit'] as const).find(
    (name) => given[name] !== undefined,
  );
  if (other !== undefined) throw new UsageError(`--${other} goes with --reference.`);
  if (given.sort === 'worst') throw new UsageError('--sort worst goes with --reference.');
}

/** The rules of --fail-on, and the band of a file of rules. */
async function rulesOf(given: WallGiven, { files }: Context): Promise<{ rules: Rule[]; band: number }> {
  const { parseConditions, parseRules } = await import('../../../insight/compare/rules');
  const rules: Rule[] = [];
  let band: number | undefined;
  for (const text of given['fail-on'] ?? []) {
    const isEmpty = text.split(',').every((part) => part.trim() === '');
    if (isEmpty) throw new UsageError('--fail-on names no condition, such as chi2<0.01 or missing.');
    if (/[<>]/.test(text) || text.split(',').some((part) => part.trim() === 'missing')) {
      rules.push({ items: '**', failOn: parseConditions(text) });
      continue;
    }
    await files.addInput(text);
    const { readNamed } = await import('../../read-file');
    const json = await readNamed(text).catch((thrown: unknown) => {
      // A word that no file has as its name was meant as a condition.
      if (!/[./\\]/.test(text)) parseConditions(text);
      throw thrown;
    });
    const read = parseRules(json.toString());
    rules.push(...read.rules);
    band ??= read.band;
  }
  if (given.band !== undefined) {
    const width = given.band.trim() === '' ? Number.NaN : Number(given.band);
    if (!(width >= 0 && Number.isFinite(width))) {
      throw new UsageError(`--band takes a number of 0 or more, not "${given.band}".`);
    }
    band = width;
  }
  return { rules, band: band ?? 0.1 };
}

/** Reads the plots, and the same of the reference. */
async function readBoth(
  file: OpenFile,
  wishes: WallWishes,
  given: WallGiven,
  context: Context,
): Promise<BothWalls> {
  const { readStored, readTree } = await import('./read-wall');
  const tree = given.tree ?? file.ownTree;
  const read = (other: OpenFile | undefined): Promise<BothWalls> => {
    if (tree === undefined) return readStored(file, other, wishes);
    const reference = other && { file: other, tree: other.ownTree ?? tree };
    return readTree({ file, tree, cut: given.cut }, reference, wishes);
  };
  if (given.reference === undefined) return await read(undefined);
  return await withFile(given.reference, { ...given, trace: undefined }, context, read);
}

async function sortedWall(
  { items, references }: BothWalls,
  label: string,
  { rules, band }: { rules: Rule[]; band: number },
  given: WallGiven,
): Promise<Shown[]> {
  const order = given.sort as WallOrder | undefined;
  if (!references) {
    return sortedTiles(
      items.map(({ tile }) => tile),
      order ?? 'file',
    );
  }
  const { judgeWall, worstFirst } = await import('../../../plot/wall/judged');
  const judged = judgeWall(items, references, { rules, band, label, sameArea: given['same-area'] === true });
  return order === undefined || order === 'worst' ? worstFirst(judged) : sortedTiles(judged, order);
}

/** All results as JSON: numbers that are not finite are texts. */
function wallJson(tiles: readonly Shown[]): string {
  return dataJson({ plots: tiles.map(plotJson) });
}

function plotJson(tile: Shown) {
  const { name, title, entries, why } = tile;
  return {
    name,
    title,
    entries: Number.isNaN(entries) ? null : entries,
    ...(why !== undefined && { error: why }),
    ...(isJudged(tile) && { state: tile.state, why: tile.verdict.why, ...tile.verdict.agreement }),
  };
}

async function list(tiles: readonly Shown[], { out }: Context): Promise<void> {
  for (const tile of tiles) {
    const { name, entries, why } = tile;
    const parts = isJudged(tile)
      ? [tile.state.padEnd(8), name, ...tile.notes]
      : [name, Number.isNaN(entries) ? '' : `${formatCount(entries)} entries`];
    const told = why !== undefined && !(isJudged(tile) && tile.notes.includes(why)) ? [why] : [];
    const words = [...parts, ...told].filter((part) => part !== '');
    out.line(words.map(printable).join('  '));
    await out.drain();
  }
  const { wallSummary } = await import('./report');
  out.line(wallSummary(tiles));
}
