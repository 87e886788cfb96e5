import type {
  BranchInfo,
  DrawnTogether,
  DrawOutcome,
  Frequencies,
  Histogram,
  TreeInfo,
} from '../../../api/api';
import type { ErrorRecord } from '../../../base/errors';
import { isGlob } from '../../../base/glob';
import { chooseBranches } from '../../../model/choose';
import { modelOfHistogram } from '../../../plot/histogram';
import { type PlotModel, statNumber, uniformEdges } from '../../../plot/model';
import { elementsTitle } from '../../../query/compile/elements';
import { isEmptyPlot, type Tile } from './tile';

/** One drawing over a tree, as shown on a wall. */
export interface TreeDraw {
  name: string;
  title: string;
  draw: DrawnTogether;
}

/**
 * Returns the drawings for words: names of branches, patterns, and expressions. Without words, all branches of
 * numbers and texts. Throws NOT_FOUND for a pattern that matches no branch.
 */
export function treeDraws(tree: TreeInfo, words: readonly string[], cut: string | undefined): TreeDraw[] {
  if (words.length === 0)
    return drawable(chooseBranches(tree, undefined)).map((one) => ofBranch(one, tree, cut));
  const draws: TreeDraw[] = [];
  for (const word of words) {
    const branches = branchesNamed(tree, word);
    if (branches) draws.push(...drawable(branches).map((one) => ofBranch(one, tree, cut)));
    else draws.push({ name: word, title: '', draw: { expr: word, cut } });
  }
  const byName = new Map(draws.map((draw) => [draw.name, draw]));
  return [...byName.values()];
}

/** Returns the drawings of a tree, followed by those that exist only in the reference tree. */
export function unionDraws(
  trees: { own: TreeInfo; other: TreeInfo },
  words: readonly string[],
  cut: string | undefined,
): TreeDraw[] {
  const { own, other } = trees;
  const drawsOf = (tree: TreeInfo, inOther: TreeInfo): TreeDraw[] => {
    const known = words.filter((word) => !isMissing(tree, word) || isMissing(inOther, word));
    return words.length > 0 && known.length === 0 ? [] : treeDraws(tree, known, cut);
  };
  const draws = drawsOf(own, other);
  const names = new Set(draws.map(({ name }) => name));
  const more = drawsOf(other, own).filter(({ name }) => !names.has(name));
  return [
    ...draws,
    ...more.map((one) => (one.draw.branch === undefined ? one : { ...one, draw: { branch: one.name } })),
  ];
}

/** Whether a word is a pattern that matches no branch of a tree. */
function isMissing(tree: TreeInfo, word: string): boolean {
  try {
    branchesNamed(tree, word);
    return false;
  } catch {
    return true;
  }
}

function drawable(branches: readonly BranchInfo[]): BranchInfo[] {
  return branches.filter(({ kind }) => kind === 'number' || kind === 'string');
}

/** Returns the branches with a name or matching a pattern; undefined for an expression. */
function branchesNamed(tree: TreeInfo, word: string): BranchInfo[] | undefined {
  try {
    return chooseBranches(tree, [word]);
  } catch (thrown) {
    // A star is also a product, so a pattern consists only of characters of names.
    const isPattern = isGlob(word) && /^[\w./*?]+$/.test(word) && /(^|\/|\.)[*?]|[*?]($|\/|\.)/.test(word);
    if (isPattern) throw thrown;
    return undefined;
  }
}

function ofBranch(branch: BranchInfo, tree: TreeInfo, cut: string | undefined): TreeDraw {
  const title = elementsTitle(branch, tree) ?? branch.title;
  // A cut needs an expression.
  const what = cut === undefined ? { branch: branch.index } : { expr: branch.path, cut };
  return { name: branch.path, title: isLeafList(branch.name, title) ? '' : title, draw: what };
}

/** Returns the tiles of the drawn plots, in the order of the list. */
export function drawnTiles(draws: readonly TreeDraw[], outcomes: readonly DrawOutcome[]): Tile[] {
  return draws.map(({ name, title, draw }, i): Tile => {
    const tile = { name, title, entries: Number.NaN };
    const outcome = outcomes[i];
    switch (outcome?.kind) {
      case 'histogram': {
        const model = { ...modelOfHistogram(outcome), title: title || name };
        return { ...tile, entries: outcome.fills, model, empty: isEmptyPlot(model), ...lackOf(outcome) };
      }
      case 'frequencies':
        return {
          ...tile,
          entries: outcome.values,
          model: textsModel(outcome, title || name),
          ...lackOf(outcome),
        };
      case 'error':
        return {
          ...{ ...tile, why: outcome.error.message, failed: true },
          ...(isAbsent(outcome.error, draw) && { absent: true }),
        };
      default:
        return { ...tile, why: 'This lists entries, which is not a drawing.' };
    }
  });
}

/**
 * Whether a drawing failed because the tree does not have the branch. A name missing only in the cut does not count.
 */
function isAbsent({ code, where }: ErrorRecord, draw: TreeDraw['draw']): boolean {
  const cut = 'cut' in draw ? draw.cut : undefined;
  return code === 'NOT_FOUND' && (cut === undefined || where?.expression !== cut);
}

/** Returns a note for a plot that shows only a part of the values. */
function lackOf({ partial }: Pick<Histogram, 'partial'>): Pick<Tile, 'why' | 'failed'> {
  if (partial === undefined) return { why: undefined, failed: false };
  const { failed, total, errors } = partial;
  const [first] = errors;
  const place =
    first?.where?.url === undefined || first.message.includes(first.where.url) ? '' : `${first.where.url}: `;
  const what = first === undefined ? '' : ` ${place}${first.message}`;
  return {
    why: `Partial: ${failed} of ${total} parts (baskets, or files) cannot be read.${what}`,
    failed: true,
  };
}

/** Number of texts that a plot shows. */
const MAX_TEXTS = 20;

/** Returns a plot of the most frequent texts, one named bin for each. */
function textsModel({ top, values, distinct }: Frequencies, title: string): PlotModel {
  const shown = top.slice(0, MAX_TEXTS);
  return {
    kind: 'bins',
    title,
    xTitle: '',
    yTitle: 'Entries',
    edges: uniformEdges(Math.max(1, shown.length), 0, Math.max(1, shown.length)),
    values: shown.length > 0 ? Float64Array.from(shown, ({ count }) => count) : new Float64Array(1),
    xLabels: shown.length > 0 ? shown.map(({ value }) => value) : undefined,
    mark: 'steps',
    stats: [
      { label: 'Texts', value: statNumber(values) },
      { label: 'Different', value: statNumber(distinct) },
    ],
  };
}

/** Whether a title was written by ROOT itself: the list of leaves. */
function isLeafList(name: string, title: string): boolean {
  return (
    title === name || (title.startsWith(name) && /^(\[[\w.]+\])*(\/\w)?$/.test(title.slice(name.length)))
  );
}

/** Returns the same drawings for a reference file. Histograms take the axes of the first file. */
export function referenceDraws(
  draws: readonly TreeDraw[],
  axes: (index: number) => Histogram['axes'] | undefined,
): TreeDraw[] {
  return draws.map((one, i): TreeDraw => {
    const own = axes(i);
    // The branch is given by name, because its index may differ in the reference.
    const what = one.draw.branch === undefined ? one.draw : { branch: one.name };
    if (own === undefined || own.some(({ labels }) => labels)) return { ...one, draw: what };
    return {
      ...one,
      draw: { ...what, axes: own.map(({ bins, low, high }) => ({ bins, range: [low, high] })) },
    };
  });
}
