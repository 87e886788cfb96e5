import type { CallOptions, FileId, KeyInfo, TreeInfo } from '../../api/api';
import type { EngineApi } from '../../api/engine-api';
import { isGlob } from '../../base/glob';
import { trimSlashes } from '../../base/text';
import { cyclePath } from '../../model/find-key';
import { readObjects } from '../../model/read-objects';
import { drawnTiles, type TreeDraw, treeDraws } from '../../plot/wall/drawn-tiles';
import { isWallKey, wallBatches, wallKeys } from '../../plot/wall/items';
import { storedTiles } from '../../plot/wall/stored-tiles';
import type { Tile } from '../../plot/wall/tile';
import { branchNode, keyNode, type NodeId } from '../state/contents-model';
import type { OpenFile } from '../state/viewer-state';

/** A plot that a wall has a place for. */
export interface WallItem {
  name: string;
  /** Its name in the folder of the wall. */
  label: string;
  title: string;
  /** The node that is selected when it is opened; undefined for an expression. */
  node?: NodeId | undefined;
}

/** The plots of a wall, and how they are read. */
export interface WallSource {
  /** Tells it from others of the same file. */
  id: string;
  items: readonly WallItem[];
  /** Divides items so that each part can be read at once. */
  batches(indices: readonly number[]): number[][];
  /** Reads some together. Throws the errors of the source. */
  read(api: EngineApi, file: FileId, indices: readonly number[], options: CallOptions): Promise<Tile[]>;
}

/** The stored objects that a pattern names. */
export function storedSource(open: OpenFile, pattern: string): WallSource {
  const { keys } = open.keyTree;
  const indices = new Map(keys.map((key, i) => [key, i]));
  const chosen = wallKeys(keys, [pattern]);
  const folder = folderOf(pattern);
  const places = new Map(chosen.map((key, i) => [key, i]));
  return {
    id: `stored ${pattern}`,
    items: chosen.map((key) => ({
      name: key.path,
      label: key.path.startsWith(folder) ? key.path.slice(folder.length) : key.path,
      title: key.title,
      node: keyNode(indices.get(key) ?? -1),
    })),
    batches: (wanted) =>
      wallBatches(wanted.flatMap((i) => chosen[i] ?? [])).map((batch) =>
        batch.map((key) => places.get(key) ?? -1),
      ),
    async read(api, file, wanted, options) {
      const some = wanted.flatMap((i) => chosen[i] ?? []);
      const outcomes = await readObjects(api, file, some, options);
      return storedTiles(
        api,
        some.map(({ path }) => path),
        outcomes,
      );
    },
  };
}

/** The folder that all of a pattern lies in, with a slash after it; empty for the file. */
function folderOf(pattern: string): string {
  const names = trimSlashes(pattern).split('/');
  const first = names.findIndex((name) => isGlob(name, true));
  const folder = (first < 0 ? names : names.slice(0, first)).join('/');
  return folder === '' ? '' : `${folder}/`;
}

/** Branches that are drawn in one pass. */
const MAX_BRANCHES = 64;

/** Branches and expressions of a tree. Throws NOT_FOUND for a pattern that no branch is like. */
export function treeSource(
  { key, keyIndex, info }: { key: KeyInfo; keyIndex: number; info: TreeInfo },
  words: string,
): WallSource {
  const draws = treeDraws(info, words.split(/\s+/).filter(Boolean), undefined);
  const nodeOf = ({ draw }: TreeDraw) =>
    typeof draw.branch === 'number' ? branchNode(keyIndex, draw.branch) : undefined;
  return {
    id: `tree ${key.path};${key.cycle} ${words}`,
    items: draws.map((draw) => ({
      name: draw.name,
      label: draw.name,
      title: draw.title,
      node: nodeOf(draw),
    })),
    batches: (wanted) =>
      Array.from({ length: Math.ceil(wanted.length / MAX_BRANCHES) }, (_, i) =>
        wanted.slice(i * MAX_BRANCHES, (i + 1) * MAX_BRANCHES),
      ),
    async read(api, file, wanted, options) {
      const some = wanted.flatMap((i) => draws[i] ?? []);
      const request = { tree: cyclePath(key), draws: some.map(({ draw }) => draw) };
      return drawnTiles(some, await api.drawAll(file, request, options));
    },
  };
}

/** The pattern of what a folder shows first, and that of what lies in folders below, too. */
export interface FirstItems {
  items: string;
  deeper: string | undefined;
}

const known = new WeakMap<OpenFile, Map<string, unknown>>();

/** Keeps what was found in the keys of a file, of which there may be many. */
export function remembered<T>(open: OpenFile, what: string, find: () => T): T {
  const values = known.get(open) ?? new Map<string, unknown>();
  known.set(open, values);
  if (!values.has(what)) values.set(what, find());
  return values.get(what) as T;
}

/** The patterns of a folder, of the file for -1; undefined where there is nothing to draw. */
export function firstItems(open: OpenFile, directory: number): FirstItems | undefined {
  return remembered(open, `first ${directory}`, () => findFirst(open, directory));
}

function findFirst({ keyTree: { keys, children, superseded } }: OpenFile, directory: number) {
  const isShown = (index: number): boolean =>
    superseded[index] !== true && isWallKey(keys[index] ?? { kind: 'object', className: '' });
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
