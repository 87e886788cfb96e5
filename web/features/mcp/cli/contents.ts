import type { BranchInfo, KeyInfo, PartialNote } from '../../../api/api';
import { globMatcher } from '../../../base/glob';
import { optional, TEXT, whole } from '../../../base/shape';
import { callOf } from '../../../cli/calls';
import { contentsOf, isFolder } from '../../../cli/commands/ls';
import { shownAddress } from '../../../io/http/shown-url';
import { cyclePath } from '../../../model/keys';
import { ofFile } from './schema';
import { filesOf, type Input, type Tool, textOf } from './tool';

/** Rows of a list when no number is given. */
const ROWS = 200;

const rowLimits = {
  match: optional(TEXT, 'PATTERN', 'Only names and titles like this pattern (* and ?), for example *GeV*.'),
  from: optional(whole(0, 1e9), 'N', 'Number of rows to leave out.'),
  limit: optional(whole(1, 10_000), 'N', `Maximum number of rows; default ${ROWS}.`),
};

export const contents: Tool = {
  name: 'contents',
  title: 'Contents of a ROOT file',
  description:
    'Lists the keys of a file or directory, or the branches of a tree with their types, entries and sizes in bytes. Begin here. Reads metadata only. A root:// address that ends in / lists a folder of its server.',
  input: ofFile({
    path: optional(TEXT, 'PATH', 'Path of a directory or a tree; without it the whole file.'),
    ...rowLimits,
  }),
  async run(input, call) {
    const file = filesOf(input);
    if (isFolder(file)) return { text: JSON.stringify(await folderAt(file)) };
    return await call.withFile(file, async (open) => {
      const found = await contentsOf(open, textOf(input.path) ?? '');
      if (found.tree) {
        const { branches, ...tree } = found.tree;
        return { text: JSON.stringify({ tree, branches: rows(branches, BRANCH, input) }) };
      }
      const file = found.file && { ...found.file, id: undefined };
      return { text: JSON.stringify({ file, keys: rows(found.keys, KEY, input) }) };
    });
  },
};

/** Files and folders of an XRootD server, without a token of the user. */
async function folderAt(url: string) {
  const listFolder = await callOf('listFolder', 'lists no folders of servers');
  return { folder: shownAddress(url), entries: await listFolder(url, { token: 'none' }) };
}

/** The columns of a list, each with its value in a row. */
type Columns<T> = Readonly<Record<string, (item: T) => unknown>>;

const KEY: Columns<KeyInfo> = {
  path: cyclePath,
  class: ({ className }) => className,
  title: ({ title }) => title,
  storedBytes: ({ storedBytes }) => storedBytes,
};

const BRANCH: Columns<BranchInfo> = {
  path: ({ path }) => path,
  type: ({ typeName }) => typeName,
  title: ({ documentation }) => documentation ?? '',
  unit: ({ unit }) => unit ?? '',
  entries: ({ entries }) => entries,
  storedBytes: ({ storedBytes }) => storedBytes,
};

/** A table, because names of members in each row would make it twice as long. */
function rows<T extends { path: string; name: string; title: string }>(
  items: readonly T[],
  columns: Columns<T>,
  input: Input,
) {
  const like = typeof input.match === 'string' ? globMatcher(input.match) : undefined;
  const alike = like
    ? items.filter(({ path, name, title }) => like(path) || like(name) || like(title))
    : items;
  const from = Number(input.from ?? 0);
  const shown = alike.slice(from, from + Number(input.limit ?? ROWS));
  const end = from + shown.length;
  return {
    columns: Object.keys(columns),
    rows: shown.map((item) => Object.values(columns).map((value) => value(item))),
    total: alike.length,
    ...(end < alike.length && { next: { from: end } }),
  };
}

/** Parts of a tree that are missing, for the answer. */
export const missing = (partial: PartialNote | undefined) =>
  partial && {
    failed: partial.failed,
    total: partial.total,
    errors: partial.errors.slice(0, 5).map(({ message }) => message),
  };
