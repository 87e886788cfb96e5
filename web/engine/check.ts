import type { KeyInfo } from '../api/api';
import { type CheckOptions, type CheckReport, type CheckRule, Findings } from '../api/check-report';
import { toXylemError } from '../base/errors';
import type { KeyRecord } from '../core/file-core';
import type { Range } from '../io/source';
import type { DataModel } from '../model/data-model';
import { cyclePath, isTree } from '../model/keys';
import { holesOf, type Orphan, orphansIn } from '../model/orphans';
import type { RootFile } from '../model/root-file';
import { throttle } from '../pass/throttle';
import type { TaskRunner } from '../pass/types';
import { checkTree, type Extent, overlapsOf } from './check-tree';

/**
 * Reads everything that a file lists: keys and the records that they name, streamer infos, every object, and
 * all baskets of every tree, decompressed and decoded by `runner`. Damage is in the report; only ABORTED is
 * thrown, and errors that prevent reading the source at all.
 */
export async function checkFile(
  file: RootFile,
  runner: TaskRunner,
  options: CheckOptions,
): Promise<CheckReport> {
  const { signal } = options;
  const info = file.info(0);
  const found = new Findings(info.name, info.size, options.limit);
  const { counts } = found;
  const classes = await checkStreamers(file, found, signal);
  for (const { kind, text } of file.flaws) found.add(kind, text);
  const keys = await file.keys({ signal }).catch((thrown: unknown) => failed('keys-damaged', thrown, found));
  counts.keys = keys?.length ?? 0;
  checkNames(keys ?? [], found);
  const extents: Extent[] = [];
  /** Bytes that trees claim; undefined when they are not known for a tree. */
  let claims: Range[] | undefined = [];
  /** Names of the attribute sets of RNTuples. */
  const sets: string[] = [];
  const report = throttle(options.onProgress);
  const bytes = { done: 0, total: info.size };
  const onBytes = (more: number): void => {
    bytes.done += more;
    report(() => ({
      label: `Checking ${info.name}`,
      bytesDone: Math.min(bytes.done, bytes.total),
      bytesTotal: bytes.total,
      entriesDone: counts.entries,
      entriesTotal: counts.entries,
    }));
  };
  /** Paths of trees of which a cycle could be opened: older ones name baskets that it names, too. */
  const opened = new Set<string>();
  const newestFirst = [...(keys ?? [])].sort(
    (a, b) => Number(isTree(a)) - Number(isTree(b)) || b.cycle - a.cycle,
  );
  /** Records by their places: one that several keys name is read and decoded once. */
  const seen = new Map<number, KeyRecord | undefined>();
  for (const key of newestFirst) {
    const path = cyclePath(key);
    const isShared = seen.has(key.offset);
    await checkKey(file, key, seen, found, signal);
    if (key.kind === 'directory' || isShared) continue;
    if (!classes) {
      found.add('not-checked', `"${path}" was not read: the streamer infos cannot be.`, { path });
      continue;
    }
    if (!isTree(key)) {
      await checkObject(file, path, found, signal);
      onBytes(key.storedBytes);
      continue;
    }
    let tree: DataModel;
    try {
      tree = await file.tree(path, { signal });
      await tree.prepare(undefined, { signal });
    } catch (thrown) {
      failed('tree-damaged', thrown, found, path);
      claims = undefined;
      continue;
    }
    for (const error of tree.info.lost?.errors ?? []) found.fail('tree-damaged', error, path);
    sets.push(...(tree.info.attributeSets ?? []));
    claims = addClaims(claims, tree, found, path);
    if (opened.has(key.path)) continue;
    opened.add(key.path);
    for (const extent of await checkTree(tree, runner, found, signal, onBytes)) extents.push(extent);
  }
  for (const { path, offset, length, other } of overlapsOf(extents)) {
    found.add('overlap', `${path} and ${other} claim the same ${length} bytes.`, { path, offset, length });
  }
  const whole = classes && keys !== undefined && !file.flaws.some(({ kind }) => kind === 'not-closed');
  if (claims && whole) await checkOrphans(file, { claims, sets }, found, signal);
  return found.report;
}

/** Adds the bytes that a tree claims to those of the trees before. */
function addClaims(
  claims: Range[] | undefined,
  tree: DataModel,
  found: Findings,
  path: string,
): Range[] | undefined {
  try {
    const { offset, storedBytes, parts } = tree.layout();
    if (claims === undefined) return undefined;
    for (const part of parts) claims.push({ offset: part.offset, length: part.length });
    for (const [i, at] of offset.entries()) {
      if (at > 0) claims.push({ offset: at, length: storedBytes[i] ?? 0 });
    }
    return claims;
  } catch (thrown) {
    return failed('tree-damaged', thrown, found, path);
  }
}

/** Maximum number of orphaned records that are named. */
const NAMED_ORPHANS = 5;

/** Finds bytes that neither the file's lists nor its trees name, and that are not free. */
async function checkOrphans(
  file: RootFile,
  { claims, sets }: { claims: Range[]; sets: readonly string[] },
  found: Findings,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    const { records, notes, end } = await file.records({ signal });
    for (const note of notes) found.add('free-list-damaged', note);
    for (const { offset, length } of records) claims.push({ offset, length });
    const holes = holesOf(claims, end);
    const all = orphansIn(holes, await file.walk(holes, { signal }));
    // Attribute sets are not read, so that which records are theirs is not known.
    const isOfSet = ({ className, name }: Orphan): boolean =>
      className === 'RBlob' ? sets.length > 0 : className === 'ROOT::RNTuple' && sets.includes(name);
    const ofSets = all.filter(isOfSet);
    if (ofSets.length > 0) {
      const [first] = ofSets;
      const text = `${sumOf(ofSets)} bytes in records of RNTuples may be those of attribute sets, which are not read: ${sets.join(', ')}.`;
      found.add('not-checked', text, { offset: first?.offset, length: first?.length });
    }
    const orphans = all.filter((orphan) => !isOfSet(orphan));
    if (orphans.length === 0) return;
    const bytes = sumOf(orphans);
    found.counts.orphanedBytes = bytes;
    const named = orphans.slice(0, NAMED_ORPHANS).map(({ offset, length, className, name }) => {
      const what = className === '' ? 'no record' : `${className} "${name}"`;
      return `${what}, ${length} bytes at byte ${offset}`;
    });
    const more = orphans.length > NAMED_ORPHANS ? `; and ${orphans.length - NAMED_ORPHANS} more` : '';
    const text = `${bytes} bytes are named by nothing in the file: ${named.join('; ')}${more}.`;
    found.add('orphaned-bytes', text, { offset: orphans[0]?.offset, length: orphans[0]?.length });
  } catch (thrown) {
    failed('keys-damaged', thrown, found);
  }
}

function sumOf(orphans: readonly Orphan[]): number {
  return orphans.reduce((sum, { length }) => sum + length, 0);
}

/** Adds an error to the findings; ABORTED is thrown again. */
function failed(rule: CheckRule, thrown: unknown, found: Findings, path?: string): undefined {
  const error = toXylemError(thrown);
  if (error.code === 'ABORTED') throw error;
  found.fail(rule, error.toRecord(), path);
}

/** False when nothing can be decoded. */
async function checkStreamers(
  file: RootFile,
  found: Findings,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    found.counts.classes = (await file.types({ signal })).length;
    return true;
  } catch (thrown) {
    failed('streamers-damaged', thrown, found, 'streamer infos');
    return false;
  }
}

/** No two keys have the same path and cycle. */
function checkNames(keys: readonly KeyInfo[], found: Findings): void {
  const seen = new Set<string>();
  for (const key of keys) {
    const path = cyclePath(key);
    const { offset } = key;
    if (seen.has(path)) found.add('duplicate-key', `Two keys are named "${path}".`, { path, offset });
    seen.add(path);
  }
}

/** Checks the record at the place that a list of keys names. `seen` has the records of other keys. */
async function checkKey(
  file: RootFile,
  key: KeyInfo,
  seen: Map<number, KeyRecord | undefined>,
  found: Findings,
  signal: AbortSignal | undefined,
): Promise<void> {
  const path = cyclePath(key);
  const place = { path, offset: key.offset, length: key.storedBytes };
  try {
    if (!seen.has(key.offset)) {
      seen.set(key.offset, undefined);
      seen.set(key.offset, await file.recordAt(key, { signal }));
    }
    const record = seen.get(key.offset);
    if (record === undefined) {
      found.add(
        'key-mismatch',
        `At byte ${key.offset}, where "${path}" should lie, there is no record.`,
        place,
      );
      return;
    }
    const differences = (
      [
        ['name', record.name, key.name],
        ['class', sameClass(record.className), sameClass(key.className)],
        ['cycle', record.cycle, key.cycle],
        ['length', record.nbytes, key.storedBytes],
        ['object length', record.objlen, key.objectBytes],
      ] as const
    ).filter(([, there, listed]) => there !== listed);
    for (const [what, there, listed] of differences) {
      found.add(
        'key-mismatch',
        `The ${what} of "${path}" is ${there} in its record and ${listed} in the list of keys.`,
        place,
      );
    }
  } catch (thrown) {
    failed('keys-damaged', thrown, found, path);
  }
}

/** Old files name the same class in two ways. */
function sameClass(name: string): string {
  return name === 'TDirectory' ? 'TDirectoryFile' : name;
}

async function checkObject(
  file: RootFile,
  path: string,
  found: Findings,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    const why = await file.undecoded(path, { signal });
    if (why === undefined) found.counts.objects += 1;
    else found.add('not-decoded', `"${path}" cannot be decoded: ${why}.`, { path, code: 'UNSUPPORTED' });
  } catch (thrown) {
    failed('object-damaged', thrown, found, path);
  }
}
