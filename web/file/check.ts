import { toXylemError } from '../base/errors';
import type { CallOptions, KeyInfo } from './api';
import { type CheckReport, type CheckRule, Findings } from './check-report';
import { checkTree, type Extent, overlapsOf } from './check-tree';
import type { DataModel } from './data-model';
import type { RootFile } from './root-file';
import type { TaskRunner } from './scan';
import { throttle } from './throttle';

/**
 * Reads all that a file lists: keys against the records that they name, streamer infos, every object,
 * and of every tree all baskets, decompressed and decoded by `runner`. What is wrong is in the report;
 * thrown is ABORTED alone, and what keeps the source from being read at all.
 */
export async function checkFile(
  file: RootFile,
  runner: TaskRunner,
  options: CallOptions,
): Promise<CheckReport> {
  const { signal } = options;
  const info = file.info(0);
  const found = new Findings(info.name, info.size);
  const { counts } = found;
  const classes = await checkStreamers(file, found, signal);
  for (const { kind, text } of file.flaws) found.add(kind, text);
  const keys = await file.keys({ signal }).catch((thrown: unknown) => failed('keys-damaged', thrown, found));
  counts.keys = keys?.length ?? 0;
  checkNames(keys ?? [], found);
  const extents: Extent[] = [];
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
  const latest = new Set(latestCycles(keys ?? []));
  for (const key of keys ?? []) {
    const path = `${key.path};${key.cycle}`;
    await checkKey(file, key, found, signal);
    if (key.kind === 'directory') continue;
    if (!classes) {
      found.add('not-checked', `"${path}" was not read: the streamer infos cannot be.`, { path });
      continue;
    }
    if (key.kind !== 'tree' && key.kind !== 'ntuple') {
      await checkObject(file, path, found, signal);
      onBytes(key.storedBytes);
      continue;
    }
    let tree: DataModel;
    try {
      tree = await file.tree(path, { signal });
    } catch (thrown) {
      failed('tree-damaged', thrown, found, path);
      continue;
    }
    // Older cycles of a tree name baskets that the latest names, too.
    if (!latest.has(key)) continue;
    for (const extent of await checkTree(tree, runner, found, signal, onBytes)) extents.push(extent);
  }
  for (const { path, offset, length, other } of overlapsOf(extents)) {
    found.add('overlap', `${path} and ${other} claim the same ${length} bytes.`, { path, offset, length });
  }
  return found.report;
}

/** Adds what was thrown to the findings; aborting is thrown on. */
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
  for (const { path, cycle, offset } of keys) {
    const name = `${path};${cycle}`;
    if (seen.has(name)) found.add('duplicate-key', `Two keys are named "${name}".`, { path: name, offset });
    seen.add(name);
  }
}

/** What stands at the place that a list of keys names. */
async function checkKey(
  file: RootFile,
  key: KeyInfo,
  found: Findings,
  signal: AbortSignal | undefined,
): Promise<void> {
  const path = `${key.path};${key.cycle}`;
  const place = { path, offset: key.offset, length: key.storedBytes };
  try {
    const record = await file.recordAt(key, { signal });
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
        ['class', record.className, key.className],
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

async function checkObject(
  file: RootFile,
  path: string,
  found: Findings,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await file.object(path, { signal });
    found.counts.objects += 1;
  } catch (thrown) {
    const error = toXylemError(thrown);
    if (error.code === 'NO_STREAMER' || error.code === 'UNSUPPORTED') {
      found.add('not-decoded', error.message, { path, code: error.code });
    } else failed('object-damaged', thrown, found, path);
  }
}

/** Of each path the key of the highest cycle. */
function latestCycles(keys: readonly KeyInfo[]): KeyInfo[] {
  const latest = new Map<string, KeyInfo>();
  for (const key of keys) {
    const other = latest.get(key.path);
    if (!other || other.cycle < key.cycle) latest.set(key.path, key);
  }
  return [...latest.values()];
}

/** The failure of opening as a report, so that one file of many is told of like the others. */
export function reportOfFailure(name: string, thrown: unknown): CheckReport {
  const error = toXylemError(thrown);
  if (error.code === 'ABORTED') throw error;
  const found = new Findings(name, 0);
  const { offset, length } = error.where ?? {};
  found.add('not-opened', error.message, { offset, length, code: error.code });
  return found.report;
}
