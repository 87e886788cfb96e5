import type { CallOptions, FileInfo, KeyInfo } from '../../../../api/api';
import type { EngineApi } from '../../../../api/engine-api';
import type { Sink } from '../../../../api/sink';
import type { RootExportRequest, SkimChoice } from '../../../../api/write';
import { throwIfAborted } from '../../../../base/abort';
import { corrupt } from '../../../../base/data-errors';
import { toXylemError, type XylemError } from '../../../../base/errors';
import { formatCount } from '../../../../base/format';
import { type Codec, parseCodec } from '../../../../core/compression';
import { chooseBranches } from '../../../../model/choose';
import { cyclePath, isTree, newestKeys } from '../../../../model/keys';
import type { CopyOptions, Written } from '../copy/copy-file';
import { differs } from '../copy/verify';
import { treeOfEntries } from '../input/choose-entries';
import { checkSize } from '../input/claims';
import { readInput } from '../input/input';
import { selectKeys } from '../input/selection';
import { fieldName, unique } from './column-names';
import { exportNtuple } from './export-ntuple';
import { NewFile } from './new-file';
import type { NewNtuple } from './new-ntuple';

/** The result of converting the trees of a file to RNTuples. */
export interface Converted extends Written {
  /** Parts that the new file does not have: one line for each branch and each object. */
  lost: string[];
}

/** A new file, and the notes about it. */
interface Conversion {
  out: NewFile;
  reader: EngineApi;
  info: FileInfo;
  notes: string[];
  lost: string[];
  /** The RNTuples by their paths. */
  ntuples: Map<string, NewNtuple>;
}

/**
 * Writes the trees of an open file, or of a part of it, as RNTuples of a new file with the same paths, and copies
 * other objects. Of each path the newest cycle is used. Throws the errors of reading and of the sink, those of a cut,
 * ARGUMENT if several trees could be meant by a selection of entries, and NOT_FOUND for names that the file does not
 * have.
 */
export async function convertFile(
  reader: EngineApi,
  info: FileInfo,
  sink: Pick<Sink, 'write'>,
  { selection = {}, entries, cut, entriesOf }: SkimChoice,
  { writer, name, codec, reproducible, ...call }: CopyOptions & { codec?: Codec | undefined },
): Promise<Converted> {
  const { signal } = call;
  const keys = selectKeys(await reader.keys(info.id, { signal }), selection);
  const isPart = entries !== undefined || cut !== undefined;
  const chosen = isPart
    ? await treeOfEntries(reader, info, selection, entriesOf, { signal }, true)
    : undefined;
  const out = await NewFile.create(sink, {
    ...{ writer, name, codec: codec ?? parseCodec('zstd:5'), reproducible },
    makeBaskets: (task) => reader.makeBaskets(task, { signal }),
  });
  if (!info.files) {
    const { directories } = await readInput(reader, info.id, info, out.records, { signal });
    out.nameDirectories(
      new Map(directories.map(({ path, header }) => [path, out.records.textsOf(header)] as const)),
    );
  }
  const made: Conversion = { out, reader, info, notes: [], lost: [], ntuples: new Map() };
  const newest = [...newestKeys(keys).values()];
  const paths = unique(newest.map(pathOf));
  const seen = new Set<number>();
  let taken = 0;
  for (const [i, key] of newest.entries()) {
    throwIfAborted(signal);
    taken += key.storedBytes;
    // A chain has the descriptions of several files.
    if (!info.files) {
      checkSize(info, taken);
      if (seen.has(key.offset)) throw sharedRecord(cyclePath(key), key.offset);
      seen.add(key.offset);
    }
    const path = paths[i] ?? key.path;
    if (path !== key.path) made.notes.push(`${cyclePath(key)}: its new path is ${path}`);
    if (isTree(key)) {
      const part = chosen?.path === key.path ? { entries, cut } : {};
      await convertTree(made, path, { ...part, tree: cyclePath(key) }, selection.branches, call);
    } else if (key.kind !== 'directory') {
      await copyObject(made, key, path);
    } else if (!newest.some(({ path }) => path.startsWith(`${key.path}/`))) {
      made.lost.push(`${cyclePath(key)}: left out, because nothing is in it`);
    }
  }
  for (const key of keys) {
    if (newest.includes(key)) continue;
    (isTree(key) ? made.notes : made.lost).push(`${cyclePath(key)}: left out, because it is an older cycle`);
  }
  const written = await out.finish();
  return {
    ...written,
    trees: made.ntuples.size,
    baskets: [...made.ntuples.values()].reduce((sum, { pages }) => sum + pages, 0),
    notes: made.notes,
    lost: made.lost,
    verify: (copy, options) => verifyNtuples(reader, copy, made.ntuples, options),
  };
}

function sharedRecord(path: string, offset: number): XylemError {
  return corrupt(
    `"${path}" names the record at byte ${formatCount(offset)}, which another key names, too.`,
    { path, offset },
    'The file may be damaged: see what "xylem check" finds.',
  );
}

/** Returns the path of a key, with a valid name if it becomes an RNTuple. */
function pathOf(key: KeyInfo): string {
  const folder = key.path.slice(0, key.path.lastIndexOf('/') + 1);
  return isTree(key) ? folder + fieldName(key.path.slice(folder.length)) : key.path;
}

async function convertTree(
  { out, reader, info, lost, ntuples }: Conversion,
  path: string,
  request: RootExportRequest,
  names: readonly string[] | undefined,
  call: CallOptions,
): Promise<void> {
  const tree = await reader.tree(info.id, request.tree, { signal: call.signal });
  const branches = chooseBranches(tree, names).map(({ index }) => index);
  const leaveOut = (branch: string, { message }: XylemError) =>
    lost.push(`${request.tree}: branch ${branch} is left out. ${message}`);
  const at = { path, title: tree.title };
  const ntuple = await exportNtuple(out, reader, info, { ...request, branches }, at, call, leaveOut);
  if (ntuple) ntuples.set(path, ntuple);
  else lost.push(`${request.tree}: left out, because no field can hold any of its branches`);
}

/** Reads the whole new file. Throws CHECKSUM if a page or an entry differs from what was written. */
async function verifyNtuples(
  reader: EngineApi,
  copy: FileInfo,
  ntuples: ReadonlyMap<string, NewNtuple>,
  options: CallOptions = {},
): Promise<void> {
  const [finding] = (await reader.check(copy.id, options)).findings;
  if (finding) throw differs(finding.message);
  for (const [path, { entries }] of ntuples) {
    const found = (await reader.tree(copy.id, path, { signal: options.signal })).entries;
    if (found !== entries) throw differs(`"${path}" has ${found} entries and not ${entries}.`);
  }
}

/** Copies an object that does not depend on others, under a name that new files can have. */
async function copyObject(
  { out, reader, info, lost }: Conversion,
  key: KeyInfo,
  path: string,
): Promise<void> {
  try {
    await out.copy(reader, info, cyclePath(key), path);
  } catch (thrown) {
    const { code, message } = toXylemError(thrown);
    if (!['UNSUPPORTED', 'NO_STREAMER', 'ARGUMENT'].includes(code)) throw thrown;
    lost.push(`${cyclePath(key)}: left out. ${message}`);
  }
}
