import type { CallOptions, FileInfo, Finding, KeyInfo } from '../../../../api/api';
import type { CheckRule } from '../../../../api/check-report';
import type { EngineApi } from '../../../../api/engine-api';
import type { Sink } from '../../../../api/sink';
import type { Lost } from '../../../../api/write';
import { corrupt } from '../../../../base/data-errors';
import { toXylemError, XylemError } from '../../../../base/errors';
import { formatCount } from '../../../../base/format';
import { Core } from '../../../../core/core';
import type { WriterExports } from '../../../../core/module';
import { cyclePath } from '../../../../model/keys';
import { type CopyOptions, copyFile, type Written } from '../copy/copy-file';
import { Records } from '../file/records';
import { Templates } from '../new/templates';
import { ntuplePart, type TreeLoss, treePart } from './tree-part';
import { Unproven } from './unproven';

/** The result of a salvage. */
export interface Salvaged extends Written {
  lost: Lost[];
}

/** For each rule of a check: whether an object with such a finding cannot be read. */
const DAMAGE: Record<CheckRule, boolean> = {
  'not-opened': false,
  truncated: false,
  'not-closed': false,
  'streamers-missing': false,
  'keys-damaged': true,
  'key-mismatch': true,
  'streamers-damaged': false,
  'object-damaged': true,
  'tree-damaged': true,
  'basket-damaged': true,
  checksum: true,
  'entries-mismatch': false,
  overlap: false,
  'duplicate-key': false,
  'free-list-damaged': false,
  'uneven-branch': false,
  'orphaned-bytes': false,
  'not-decoded': false,
  'not-checked': false,
};

/**
 * Writes what can be read of a damaged or never closed file as a valid file: each object with a complete record; of
 * each tree the newest readable cycle, with the entries of which no branch has lost a basket; of each RNTuple the
 * clusters without a lost page. A branch that has lost all baskets is left out. Throws as `copyFile`, and CORRUPT if
 * the descriptions of classes are lost.
 */
export async function salvageFile(
  reader: EngineApi,
  info: FileInfo,
  sink: Sink,
  options: CopyOptions,
): Promise<Salvaged> {
  const call = { signal: options.signal };
  const lost: Lost[] = [];
  const { file, keys, findings, classes, undescribed } = await survey(reader, info, lost, options);
  const damaged = damageOf(findings);
  const without = new Set<string>();
  const kept = new Set<string>();
  for (const key of [...keys].sort((a, b) => b.cycle - a.cycle)) {
    const path = cyclePath(key);
    const why = damaged.get(path)?.message;
    const isTree = key.kind === 'tree' || key.kind === 'ntuple';
    if (why === undefined && !(isTree && kept.has(key.path))) {
      if (isTree) kept.add(key.path);
      continue;
    }
    if (key.kind === 'directory') continue;
    without.add(path);
    if (why !== undefined) lost.push({ path, why });
  }
  const unproven = new Unproven();
  const noted = <P>(
    key: KeyInfo,
    { part, losses }: { part?: P; losses: readonly TreeLoss[] },
  ): P | undefined => {
    for (const loss of losses) lost.push({ path: cyclePath(key), ...loss });
    return part;
  };
  const written = await copyFile(
    reader,
    file,
    sink,
    {
      ...{ order: 'file', trueClusters: false, newest: false, without },
      part: (key, layout) => noted(key, treePart(layout, findings)),
      ntuplePart: (key, layout) => noted(key, ntuplePart(layout, findings)),
      refused: (key, error) => lost.push({ path: cyclePath(key), why: error.message }),
      stuck: (key, { path }, error) =>
        lost.push({ path: cyclePath(key), why: `A branch is left out. ${error.message}`, branches: [path] }),
      seen: (path, kind, record, records) => unproven.add(path, kind, records.hasChecksum(record)),
      damaged: true,
      classes,
    },
    options,
  );
  lost.push(...(await unlisted(reader, file, keys, call)));
  return {
    ...written,
    notes: [...written.notes, ...unproven.notes()],
    lost,
    verify: async (copy, verifying = {}) => {
      await written.verify(copy, verifying);
      const { findings: flaws } = await reader.check(copy.id, verifying);
      const flaw = flaws.find((one) => one.severity === 'error' && !(undescribed && hasNoClasses(one)));
      if (flaw) throw notSound(flaw);
    },
  };
}

/**
 * Returns all keys of a file and the findings of a check. If the lists of keys are damaged, walks over the records.
 */
async function survey(
  reader: EngineApi,
  info: FileInfo,
  lost: Lost[],
  { signal, onProgress, writer }: CopyOptions,
): Promise<{
  file: FileInfo;
  keys: KeyInfo[];
  findings: Finding[];
  classes: Uint8Array<ArrayBuffer> | undefined;
  /** Whether the file never had streamer infos, so that it is read without them. */
  undescribed: boolean;
}> {
  let file = info;
  let classes: Uint8Array<ArrayBuffer> | undefined;
  const walk = async (error: Pick<XylemError, 'message'>): Promise<void> => {
    file = await reader.recover(info.id, { signal, classes });
    lost.push({ path: '', why: error.message });
  };
  const readKeys = async (): Promise<KeyInfo[]> => {
    const keys = await reader.keys(info.id, { signal });
    listed = keys;
    const damaged = await damagedList(reader, info, { signal });
    if (damaged && !(await namesMore(keys))) throw damaged;
    return keys;
  };
  /**
   * Whether the lists name a valid record that a walk does not find. Some writers made lists that ROOT would not
   * make.
   */
  const namesMore = async (keys: readonly KeyInfo[]): Promise<boolean> => {
    const wrong = damageOf(await check());
    const found = new Set((await reader.walk(info.id, undefined, { signal })).offset);
    return keys.some((key) => !wrong.has(cyclePath(key)) && !found.has(key.offset));
  };
  // The first note of a file that is read without its server says only that, so it is not a loss.
  for (const note of info.notes.slice(info.offline ? 1 : 0)) lost.push({ path: '', why: note });
  const check = async (): Promise<Finding[]> =>
    (await reader.check(info.id, { signal, onProgress, limit: Number.POSITIVE_INFINITY })).findings;
  let listed: readonly KeyInfo[] = [];
  let keys = await readKeys().catch(async (thrown: unknown) => {
    const error = toXylemError(thrown);
    if (error.code === 'ABORTED') throw error;
    await walk(error);
    const found = await reader.keys(info.id, { signal });
    // A list that names all records of a walk was only written in another way than by ROOT.
    if (samePlaces(listed, found)) lost.pop();
    return found;
  });
  let findings = await check();
  const readAgain = async (why: Pick<XylemError, 'message'>): Promise<Finding | undefined> => {
    await walk(why);
    keys = await readKeys();
    findings = await check();
    return findings.find(hasNoClasses);
  };
  const first = findings.find(hasNoClasses);
  const undescribed =
    first !== undefined && damageOf(findings).size === 0 && !(await hadInfos(reader, info, { signal }));
  if (undescribed) return { file, keys, findings, classes, undescribed };
  const still = first && (await readAgain(first));
  if (still) {
    const core = await Core.create<WriterExports>(writer);
    ({ classes } = await Templates.create(core, new Records(core)));
    const message = `The descriptions of classes are lost. Those of ROOT 6.40 are taken: what has another version of a class is lost, too. ${still.message}`;
    const none = await readAgain({ message });
    if (none) throw noClasses(none);
  }
  return { file, keys, findings, classes, undescribed };
}

/** Whether two lists name the same records. False if both are empty. */
function samePlaces(one: readonly KeyInfo[], other: readonly KeyInfo[]): boolean {
  const places = new Set(one.map(({ offset }) => offset));
  return places.size > 0 && places.size === other.length && other.every(({ offset }) => places.has(offset));
}

/** Whether the header names a record of streamer infos, even one cut off, or the file contains one anywhere. */
async function hadInfos(reader: EngineApi, info: FileInfo, options: CallOptions): Promise<boolean> {
  const { records } = await reader.records(info.id, options);
  if (records.some(({ kind }) => kind === 'streamers')) return true;
  const { name, texts } = await reader.walk(info.id, undefined, options);
  return name.some((text) => texts[text] === 'StreamerInfo');
}

/** Returns an error if the record of a list of keys is not valid, because its content is then unknown. */
async function damagedList(
  reader: EngineApi,
  info: FileInfo,
  options: CallOptions,
): Promise<XylemError | undefined> {
  const { records } = await reader.records(info.id, options);
  const lists = records.filter(({ kind }) => kind === 'keys');
  const ranges = lists.map(({ offset, length }) => ({ offset, length }));
  const found = new Set(lists.length > 0 ? (await reader.walk(info.id, ranges, options)).offset : []);
  const damaged = lists.find(({ offset }) => !found.has(offset));
  if (!damaged) return undefined;
  return corrupt(`The list of keys of "${damaged.name}" is damaged.`, {
    path: damaged.name,
    offset: damaged.offset,
    length: damaged.length,
  });
}

function hasNoClasses({ rule }: Finding): boolean {
  return rule === 'streamers-damaged' || rule === 'streamers-missing';
}

/** Returns the first finding for each key that cannot be copied. */
function damageOf(findings: readonly Finding[]): Map<string, Finding> {
  const damaged = new Map<string, Finding>();
  for (const finding of findings) {
    const { path, rule, entries } = finding;
    if (path !== undefined && entries === undefined && DAMAGE[rule] && !damaged.has(path))
      damaged.set(path, finding);
  }
  return damaged;
}

/** Reports baskets that no tree lists, because they were written after the tree was saved. */
async function unlisted(
  reader: EngineApi,
  file: FileInfo,
  keys: readonly KeyInfo[],
  options: CallOptions,
): Promise<Lost[]> {
  const trees = keys.filter(({ kind }) => kind === 'tree');
  if (file.notes.length === 0) return [];
  const known = new Set<number>();
  for (const key of trees) {
    const layout = await reader.layout(file.id, cyclePath(key), options).catch(() => undefined);
    for (const at of layout?.offset ?? []) known.add(at);
  }
  const { offset, className, title, texts } = await reader.walk(file.id, undefined, options);
  const found = new Map<string, number>();
  for (const [i, at] of offset.entries()) {
    if (texts[className[i] ?? 0] !== 'TBasket' || known.has(at)) continue;
    const tree = texts[title[i] ?? 0] ?? '';
    found.set(tree, (found.get(tree) ?? 0) + 1);
  }
  return Array.from(found, ([tree, baskets]) => ({
    path: tree,
    why: `${formatCount(baskets)} baskets are in no record of a tree: it was not saved after they were written.`,
  }));
}

function noClasses({ message }: Finding): XylemError {
  return corrupt(`Nothing can be salvaged, because the descriptions of classes are lost: ${message}`);
}

function notSound({ message, path }: Finding): XylemError {
  return new XylemError({
    code: 'CHECKSUM',
    message: `The new file is not sound: ${message}`,
    ...(path !== undefined && { where: { path } }),
    fix: 'Please report this with the file that was salvaged.',
  });
}
