import type { FileInfo, KeyInfo, TreeInfo } from '../../api/api';
import { formatBytes } from '../../base/format';
import { notFound } from '../../base/suggest';
import { treeReport } from '../../insight/tree-report';
import { protocolOf } from '../../io/schemes';
import { cyclePath, findKey, isTree } from '../../model/keys';
import { callOf } from '../calls';
import { command } from '../command';
import { type Context, type OpenFile, withFile } from '../context';
import { commonOptions, FILE_TEXT } from '../options';
import { noteLines, reportLines } from '../terminal/report';
import { right, tableLines } from '../terminal/table';

export const ls = command({
  usage: ['FILE [PATH]'],
  about: `Without PATH: the file and its keys, highest cycles first.
With the PATH of a directory: the keys below it.
With the PATH of a tree: its branches, with their types, entries, sizes and baskets.
PATH may end in ;CYCLE. ${FILE_TEXT}
FILE may be a folder of an XRootD server (root://HOST//FOLDER/): then its files and folders.`,
  examples: [
    ['sample.root', 'the keys of a file'],
    ['sample.root Events', 'the branches of a tree'],
  ],
  options: commonOptions,
  json: `{"file": {…}, "keys": [{"path", "cycle", "className", "title", "kind", "storedBytes", …}]},
or of a tree {"tree": {"path", "entries", …, "branches": [{"path", "typeName", "entries", …}]}}.
Bytes are of the records in the file (storedBytes) and decompressed (objectBytes, totalBytes).
A damaged tree has "lost": {"failed", "total", "errors"}, the branches that cannot be read; the exit status
is 1 then.
Of a folder {"folder", "entries": [{"name", "kind", "size", "modified", "url"}]}.`,
  async run(given, [file = '', path = ''], context) {
    const json = given.json === true;
    if (isFolder(file)) return await showFolder(file, json, context);
    return await withFile(file, given, context, async (open) => {
      const { file: info, tree, keys } = await contentsOf(open, path);
      if (tree) return await showTree(tree, json, context);
      if (info) return await showFile(info, keys, json, context);
      return await showKeys(keys, json, context);
    });
  },
});

/** Whether an address is of a folder of a root:// server. */
export const isFolder = (address: string): boolean =>
  protocolOf(address) === 'xrootd' && address.split(/[?#]/)[0]?.endsWith('/') === true;

/**
 * Returns what PATH names: the file with its keys if PATH is empty, a tree, or the keys of a directory or of one name.
 * Throws NOT_FOUND.
 */
export async function contentsOf(
  open: OpenFile,
  path: string,
): Promise<{ file?: FileInfo; tree?: TreeInfo; keys: KeyInfo[] }> {
  const keys = await open.keys();
  if (path.replaceAll('/', '') === '') return { file: open.info, keys };
  const key = findKey(keys, path);
  if (key === undefined) {
    throw notFound(
      'key',
      path,
      keys.map((k) => k.path),
    );
  }
  if (isTree(key)) return { tree: (await open.tree(cyclePath(key))).info, keys: [key] };
  const below = keys.filter((k) => k.path.startsWith(`${key.path}/`));
  return { keys: key.kind === 'directory' ? below : [key] };
}

async function showFolder(url: string, json: boolean, context: Context): Promise<number> {
  const listFolder = await callOf('listFolder', 'lists no folders of servers');
  const [folder = ''] = url.split(/[?#]/);
  const entries = (await listFolder(url)).map(({ modified, ...entry }) => ({
    ...entry,
    ...(modified !== undefined && { modified: new Date(modified * 1000).toISOString() }),
    url: `${folder}${entry.name}${entry.kind === 'folder' ? '/' : ''}`,
  }));
  if (json) {
    context.out.line(JSON.stringify({ folder, entries }));
    return 0;
  }
  if (entries.length === 0) context.err.line('The folder is empty.');
  const rows = entries.map(({ name, kind, size, modified }) => [
    kind === 'folder' ? `${name}/` : name,
    kind === 'folder' || size === undefined ? '' : formatBytes(size),
    modified ?? '',
  ]);
  const columns = ['Name', right('Size'), 'Modified'] as const;
  await putLines(tableLines(columns, rows), context);
  return 0;
}

async function showFile(info: FileInfo, keys: readonly KeyInfo[], json: boolean, context: Context) {
  const { out } = context;
  if (json) {
    out.line(JSON.stringify({ file: info, keys }));
    return 0;
  }
  out.line(`${info.name}  ${formatBytes(info.size)}, ROOT ${info.rootVersion}, ${info.compression}`);
  if (info.title !== '' && info.title !== info.name) out.line(info.title);
  out.line(`created ${info.created}, modified ${info.modified}`);
  out.line();
  return await showKeys(keys, false, context);
}

async function showKeys(keys: readonly KeyInfo[], json: boolean, context: Context): Promise<number> {
  const { out } = context;
  if (json) {
    out.line(JSON.stringify({ keys }));
    return 0;
  }
  if (keys.length === 0) {
    context.err.line('No keys.');
    return 0;
  }
  const columns = ['Key', 'Class', right('Stored'), { rest: 'Title' }] as const;
  const rows = keys.map((key) => [
    cyclePath(key),
    key.className,
    key.kind === 'directory' ? '' : formatBytes(key.storedBytes),
    key.title,
  ]);
  await putLines(tableLines(columns, rows, context.out.columns), context);
  return 0;
}

async function showTree(tree: TreeInfo, json: boolean, context: Context): Promise<number> {
  const report = treeReport(tree);
  for (const note of noteLines(report)) context.err.line(note);
  await putLines(json ? [JSON.stringify({ tree })] : reportLines(report, context.out.columns), context);
  return tree.partial || tree.lost ? 1 : 0;
}

async function putLines(lines: readonly string[], context: Context): Promise<void> {
  for (const line of lines) {
    context.out.line(line);
    await context.out.drain();
  }
}
