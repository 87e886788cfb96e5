import type { CallOptions, FileId, KeyInfo, TreeInfo } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import { isGlob } from '../../../base/glob';
import { trimSlashes } from '../../../base/text';
import { histogramIfAny } from '../../../bins/stored-histogram';
import { cyclePath } from '../../../model/keys';
import { readObjects } from '../../../model/read-objects';
import { isPlotKey } from '../../../plot/stored/classes';
import { branchNode, keyNode, type NodeId } from '../../../ui/state/contents-model';
import type { OpenFile } from '../../../ui/state/viewer-state';
import { drawnTiles, referenceDraws, type TreeDraw, treeDraws, unionDraws } from '../work/drawn-tiles';
import { wallBatches, wallKeys, wallRows } from '../work/items';
import type { WallItem as Compared } from '../work/judged';
import { storedTiles } from '../work/stored-tiles';

/** A plot that a wall has a place for. */
export interface WallItem {
  name: string;
  /** Its name relative to the folder of the wall. */
  label: string;
  title: string;
  /** The node that is selected when it is opened; undefined for an expression. */
  node?: NodeId | undefined;
  /** Whether only the reference has it, so that it cannot be opened. */
  isOther?: boolean | undefined;
}

/** The plots of a wall, and functions to read them. */
export interface WallSource {
  /** Distinguishes it from other walls of the same file. */
  id: string;
  items: readonly WallItem[];
  /** Divides items into parts that can be read at once. */
  batches(indices: readonly number[]): number[][];
  /** Reads some plots together. Plots that only the reference has are left out, or marked as absent. */
  read(api: EngineApi, file: FileId, indices: readonly number[], options: CallOptions): Promise<Compared[]>;
  /** Returns the same plots, followed by those that only another file has. */
  withReference(api: EngineApi, other: FileId, options: CallOptions): Promise<ComparedSource>;
}

/** The plots of a wall and of its reference. */
export interface ComparedSource extends WallSource {
  /** Reads the same plots from the reference. */
  readOther(
    api: EngineApi,
    other: FileId,
    indices: readonly number[],
    own: readonly Compared[],
    options: CallOptions,
  ): Promise<Compared[]>;
}

async function readStored(
  api: EngineApi,
  file: FileId,
  keys: readonly KeyInfo[],
  options: CallOptions,
): Promise<Compared[]> {
  const outcomes = await readObjects(api, file, keys, options);
  const names = keys.map(({ path }) => path);
  const tiles = await storedTiles(api, names, outcomes);
  return tiles.map((tile, i) => ({ tile, histogram: histogramIfAny(outcomes[i]?.object) }));
}

/**
 * Returns the stored objects for one or several patterns, one per line. Throws NOT_FOUND for a path that does not
 * exist, unless there is a reference, which may have it.
 */
export function storedSource(open: OpenFile, pattern: string, hasReference: boolean): WallSource {
  const { keys } = open.keyTree;
  const patterns = pattern.split('\n');
  const nodes = new Map(keys.map((key, i) => [key, keyNode(i)]));
  const folder = patterns.length === 1 ? folderOf(pattern) : '';
  const itemOf = (key: KeyInfo): WallItem => ({
    name: key.path,
    label: key.path.startsWith(folder) ? key.path.slice(folder.length) : key.path,
    title: key.title,
  });
  const sourceOf = (own: readonly KeyInfo[], others: readonly KeyInfo[]): WallSource => {
    const all = [...own, ...others];
    const places = new Map(all.map((key, i) => [key, i]));
    const batchesOf = (some: readonly KeyInfo[]) =>
      wallBatches(some).map((batch) => batch.map((key) => places.get(key) ?? -1));
    return {
      id: `stored ${pattern}`,
      items: [
        ...own.map((key) => ({ ...itemOf(key), node: nodes.get(key) })),
        ...others.map((key) => ({ ...itemOf(key), isOther: true })),
      ],
      batches: (wanted) => [
        ...batchesOf(wanted.flatMap((i) => own[i] ?? [])),
        ...batchesOf(wanted.flatMap((i) => others[i - own.length] ?? [])),
      ],
      read: (api, file, wanted, options) =>
        readStored(
          api,
          file,
          wanted.flatMap((i) => own[i] ?? []),
          options,
        ),
      async withReference(api, other, options) {
        const rows = wallRows(keys, await api.keys(other, options), patterns, '');
        const there = new Map(rows.other.map((key) => [key.path, key]));
        const names = new Set(rows.own.map(({ path }) => path));
        const both = sourceOf(
          rows.own,
          rows.other.filter(({ path }) => !names.has(path)),
        );
        return {
          ...both,
          readOther: (api, other, wanted, _own, options) => {
            const same = wanted.flatMap((i) => there.get(both.items[i]?.name ?? '') ?? []);
            return readStored(api, other, same, options);
          },
        };
      },
    };
  };
  return sourceOf(wallKeys(keys, patterns, hasReference), []);
}

/** Returns the folder that contains all matches of a pattern, with a slash at the end; empty for the file. */
function folderOf(pattern: string): string {
  const names = trimSlashes(pattern).split('/');
  const first = names.findIndex((name) => isGlob(name, true));
  const folder = (first < 0 ? names : names.slice(0, first)).join('/');
  return folder === '' ? '' : `${folder}/`;
}

/** Maximum number of branches that are drawn in one pass. */
const MAX_BRANCHES = 64;

/**
 * Returns branches and expressions of a tree. Throws NOT_FOUND for a pattern that matches no branch. `hasReference`: only
 * the reference may have some of them.
 */
export function treeSource(
  { key, keyIndex, info }: { key: KeyInfo; keyIndex: number; info: TreeInfo },
  text: string,
  hasReference = false,
): WallSource {
  const words = text.split(/\s+/).filter(Boolean);
  const tree = cyclePath(key);
  const drawTogether = async (api: EngineApi, file: FileId, some: TreeDraw[], options: CallOptions) => {
    const outcomes = await api.drawAll(file, { tree, draws: some.map(({ draw }) => draw) }, options);
    return drawnTiles(some, outcomes).map((tile, i) => {
      const outcome = outcomes[i];
      return { tile, histogram: outcome?.kind === 'histogram' ? outcome : undefined };
    });
  };
  const nodeOf = ({ draw }: TreeDraw) =>
    typeof draw.branch === 'number' ? branchNode(keyIndex, draw.branch) : undefined;
  const chosen = (draws: readonly TreeDraw[], wanted: readonly number[]) =>
    wanted.flatMap((i) => draws[i] ?? []);
  const sourceOf = (draws: readonly TreeDraw[], count: number): WallSource => ({
    id: `tree ${key.path};${key.cycle} ${text}`,
    items: draws.map((draw, i) => ({
      ...{ name: draw.name, label: draw.name, title: draw.title, node: nodeOf(draw) },
      ...(i >= count && { isOther: true }),
    })),
    batches: (wanted) =>
      Array.from({ length: Math.ceil(wanted.length / MAX_BRANCHES) }, (_, i) =>
        wanted.slice(i * MAX_BRANCHES, (i + 1) * MAX_BRANCHES),
      ),
    read: (api, file, wanted, options) => drawTogether(api, file, chosen(draws, wanted), options),
    async withReference(api, other, options) {
      // In a reference the newest cycle of the tree is used.
      const there = await api.tree(other, key.path, options);
      const all = unionDraws({ own: info, other: there }, words, undefined);
      const both = sourceOf(all, draws.length);
      return {
        ...both,
        readOther: (api, other, wanted, own, options) => {
          const some = referenceDraws(chosen(all, wanted), (i) => own[i]?.histogram?.axes);
          return drawTogether(api, other, some, options);
        },
      };
    },
  });
  const isOwn = (word: string) => info.branches.some(({ path }) => path === word);
  const known = hasReference ? words.filter(isOwn) : words;
  const own = known.length < words.length && known.length === 0 ? [] : treeDraws(info, known, undefined);
  return sourceOf(own, own.length);
}

/** The default pattern of a folder, and the pattern that includes folders below. */
export interface FirstItems {
  items: string;
  deeper: string | undefined;
}

const known = new WeakMap<OpenFile, Map<string, unknown>>();

/** Keeps what was found in the keys of a file, which may be many. */
export function remembered<T>(open: OpenFile, what: string, find: () => T): T {
  const values = known.get(open) ?? new Map<string, unknown>();
  known.set(open, values);
  if (!values.has(what)) values.set(what, find());
  return values.get(what) as T;
}

/** Returns the patterns of a folder; -1 is the top level. Undefined if there is nothing to draw. */
export function firstItems(open: OpenFile, directory: number): FirstItems | undefined {
  return remembered(open, `first ${directory}`, () => findFirst(open, directory));
}

function findFirst({ keyTree: { keys, children, superseded } }: OpenFile, directory: number) {
  const isShown = (index: number): boolean =>
    superseded[index] !== true && isPlotKey(keys[index] ?? { kind: 'object', className: '' });
  const path = keys[directory]?.path ?? '';
  const prefix = path === '' ? '' : `${path}/`;
  const here = (children.get(directory) ?? []).some(isShown);
  const below = keys.some(
    (key, i) => key.path.startsWith(prefix) && key.path.includes('/', prefix.length) && isShown(i),
  );
  const all = `${prefix}**`;
  if (here) return { items: path === '' ? '/' : path, deeper: below ? all : undefined };
  return below ? { items: all, deeper: undefined } : undefined;
}
