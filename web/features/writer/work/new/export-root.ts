import type { BranchInfo, CallOptions, FileInfo } from '../../../../api/api';
import type { EngineApi } from '../../../../api/engine-api';
import type { Sink } from '../../../../api/sink';
import type { ExportedTree, RootExportRequest, RootForm } from '../../../../api/write';
import { internal } from '../../../../base/data-errors';
import { toXylemError } from '../../../../base/errors';
import { parseCodec } from '../../../../core/compression';
import { aboutOf } from '../../../../export/table';
import { tableOfRequest } from '../../../../export/table-request';
import type { Documented } from '../../../../model/documentation';
import { findKey } from '../../../../model/keys';
import { ClassCodec } from '../encode/class-codec';
import { branchesOf } from '../encode/tree-edit';
import { readInput } from '../input/input';
import { branchName, columnNames, fieldName, titlesOf } from './column-names';
import { exportNtuple } from './export-ntuple';
import { NewFile } from './new-file';
import type { NewTree } from './new-tree';

export interface RootExportOptions extends CallOptions, RootForm {
  /** xylem-write.wasm. */
  writer: WebAssembly.Module;
  /** Name of the new file, without folders. */
  name: string;
  reproducible?: boolean | undefined;
}

/**
 * Writes branches and entries of a tree, or expressions, as a tree or an RNTuple of a new ROOT file. The tree is read
 * in chunks while the file is written. Throws UNSUPPORTED for values that cannot be written, and the errors of
 * reading and of the sink.
 */
export async function exportRoot(
  reader: EngineApi,
  file: FileInfo,
  request: RootExportRequest,
  sink: Pick<Sink, 'write'>,
  { writer, name, codec = 'zstd:5', reproducible, format = 'root', ...call }: RootExportOptions,
): Promise<ExportedTree> {
  const out = await NewFile.create(sink, {
    ...{ writer, name, codec: parseCodec(codec), reproducible },
    makeBaskets: (task) => reader.makeBaskets(task, { signal: call.signal }),
  });
  const { title, name: own, path, branches } = await reader.tree(file.id, request.tree, call);
  const tree =
    format === 'rntuple'
      ? await exportNtuple(out, reader, file, request, { path: fieldName(own), title }, call)
      : await exportTree(out, reader, file, request, { path, name: branchName(own), title, branches }, call);
  if (!tree) throw internal('A column without a field was not refused.');
  const written = await out.finish();
  return { ...written, entries: tree.entries };
}

async function exportTree(
  out: NewFile,
  reader: EngineApi,
  file: FileInfo,
  request: RootExportRequest,
  source: { path: string; name: string; title: string; branches: readonly BranchInfo[] },
  call: CallOptions,
): Promise<NewTree> {
  const table = await tableOfRequest(reader, file.id, request, { countRows: false, nulls: 'none' }, call);
  const { names, branches } = await columnNames(reader, file, request, table.names, branchName, call);
  const counters = branches ? await countersOf(reader, file, source.path, branches, names, out, call) : {};
  // A column with the usual name of a counter may be something else.
  for (const own of names) if (names.includes(`n${own}`)) counters[own] ??= `n${own}_count`;
  const titles = {
    ...titlesOf(Object.values(counters), aboutNamed(Object.values(counters), source.branches)),
    ...titlesOf(names, table.about),
  };
  const tree = await out.tree(source.name, { title: source.title, counters, titles });
  for await (const { columns } of table.parts())
    await tree.append(Object.fromEntries(columns.map((column, i) => [names[i] ?? '', column])));
  return tree;
}

/** Returns what is known of the branches with these names, which are not columns themselves. */
function aboutNamed(names: readonly string[], branches: readonly BranchInfo[]): Documented[] {
  const byName = new Map(branches.map((branch) => [branchName(branch.name), branch]));
  return aboutOf(names.map((name) => byName.get(name)));
}

/**
 * Returns the names of the counters of arrays, by the new names of the arrays. Arrays that share a counter share one
 * in the new tree, too. Empty if the tree's record cannot be read as ROOT describes it, and for several files.
 */
async function countersOf(
  reader: EngineApi,
  file: FileInfo,
  path: string,
  branches: readonly BranchInfo[],
  names: readonly string[],
  { core, records }: NewFile,
  { signal }: CallOptions,
): Promise<Record<string, string>> {
  if (file.files) return {};
  const key = findKey(await reader.keys(file.id, { signal }), path);
  if (key?.kind !== 'tree') return {};
  const { header, streamers } = await readInput(reader, file.id, file, records, { signal });
  const infos = streamers && (await reader.bytes(file.id, [streamers], { signal }));
  const codec = new ClassCodec(core, header.version, infos);
  try {
    const record = await reader.bytes(file.id, [{ offset: key.offset, length: key.storedBytes }], { signal });
    const list = branchesOf(codec.read(record)).map(({ branch }) => branch);
    const leaves = list.map(({ fLeaves }) => leavesOf(fLeaves));
    const counted: Record<string, string> = {};
    for (const [i, { index }] of branches.entries()) {
      const counter = leaves[index]?.[0]?.fLeafCount;
      const at = counter ? leaves.findIndex((own) => own.includes(counter as Leaf)) : -1;
      const chosen = branches.findIndex((one) => one.index === at);
      const fallback = branchName(String(list[at]?.fName ?? ''));
      const name = names[chosen] ?? fallback;
      // Another chosen branch with this name is not the counter.
      if (at >= 0 && (chosen >= 0 || !names.includes(name))) counted[names[i] ?? ''] = name;
    }
    return counted;
  } catch (thrown) {
    if (!['UNSUPPORTED', 'NO_STREAMER'].includes(toXylemError(thrown).code)) throw thrown;
    return {};
  } finally {
    codec.free();
  }
}

type Leaf = { fLeafCount?: unknown };

function leavesOf(list: unknown): Leaf[] {
  const { arr } = Object(list) as { arr?: unknown };
  return Array.isArray(arr) ? arr : [];
}
