import type { TreeLayout } from '../../../../api/layout';
import { corrupt } from '../../../../base/data-errors';
import type { XylemError } from '../../../../base/errors';
import type { TapeValue } from '../../../../core/tape';

type Data = { [member: string]: TapeValue };

/** A basket that is in the record of its tree. */
export interface EmbeddedBasket {
  /** Its first entry, and number of entries, which is at least one. */
  first: number;
  entries: number;
  object: Data;
}

/**
 * Returns the baskets of a branch that only its record has, by their index. A record may also contain a basket that
 * the file has (at fBasketSeek), because ROOT had it in memory when the tree was saved; such baskets are left out.
 */
export function embeddedBaskets(branch: Data): EmbeddedBasket[] {
  const list = (branch.fBaskets as Data | null | undefined)?.arr;
  if (!Array.isArray(list) || !list.some(isBasket)) return [];
  const [seek, bytes, firsts] = ['fBasketSeek', 'fBasketBytes', 'fBasketEntry'].map((name) =>
    numbersOf(branch[name]),
  ) as [number[], number[], number[]];
  const listed = Math.min(seek.length, bytes.length, firsts.length);
  const inFile =
    typeof branch.fFileName === 'string' && branch.fFileName !== '' ? 0 : Number(branch.fWriteBasket);
  const found: EmbeddedBasket[] = [];
  let next = 0;
  for (const [i, object] of list.entries()) {
    const first = i < listed ? (firsts[i] ?? 0) : next;
    if (i < Math.min(inFile, listed) && (seek[i] ?? 0) > 0) {
      next = firsts[i + 1] ?? first;
      continue;
    }
    if (!isBasket(object)) continue;
    const entries = Number(object.fNevBuf);
    next = first + entries;
    found.push({ first, entries, object });
  }
  return found;
}

/**
 * Returns the same baskets by their index in the layout of the tree, each as its `$basket`. `index` is the index of
 * the branch. Throws CORRUPT if the record has other baskets than the layout, or with other entries.
 */
export function listedEmbedded(
  { basketStart, offset, firstEntry, entries, tree }: TreeLayout,
  index: number,
  branch: Data,
): Map<number, Uint8Array> {
  const kept = embeddedBaskets(branch);
  const found = new Map<number, Uint8Array>();
  const stop = basketStart[index + 1] ?? 0;
  for (let i = basketStart[index] ?? 0; i < stop; i++) {
    if ((offset[i] ?? 0) > 0) continue;
    const own = kept.shift();
    const bytes = own?.object.$basket;
    const next = i + 1 < stop ? firstEntry[i + 1] : tree.branches[index]?.entries;
    if (!own || own.first !== firstEntry[i] || own.entries !== entries[i] || !(bytes instanceof Uint8Array))
      throw notAsListed(tree.path, branch);
    if (next === undefined || own.first + own.entries > next) throw notAsListed(tree.path, branch);
    found.set(i, bytes);
  }
  if (kept.length > 0) throw notAsListed(tree.path, branch);
  return found;
}

function isBasket(value: TapeValue | undefined): value is Data {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value))
    return false;
  return Number(value.fNevBuf) > 0 && ArrayBuffer.isView(value.buffer);
}

function numbersOf(value: TapeValue | undefined): number[] {
  return ArrayBuffer.isView(value) ? Array.from<number | bigint, number>(value, Number) : [];
}

function notAsListed(tree: string, { fName }: Data): XylemError {
  const path = `${tree}/${String(fName)}`;
  return corrupt(
    `A basket of "${path}" that lies in the record of its tree has other entries than the branch lists.`,
    { path },
    'The file may be damaged: see what "xylem check" finds.',
  );
}
