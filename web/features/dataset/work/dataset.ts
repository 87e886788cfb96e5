import { type LumiRange, lumisText, MAX_LUMIS, sharedLumis } from './lumi-ranges';

/** Facts about one file of a dataset, from its metadata. */
export interface DatasetFile {
  name: string;
  size: number;
  uuid: string;
  rootVersion: string;
  /** Notes of opening the file: repairs and missing parts. */
  notes: readonly string[];
  trees: readonly DatasetTree[];
  /** Findings of a complete check, if one was made. */
  damage?: readonly string[] | undefined;
}

export interface DatasetTree {
  path: string;
  entries: number;
  clusters: number;
  storedBytes: number;
  /** Codecs of its branches, such as "zstd 5". */
  codecs: readonly string[];
  branches: readonly { path: string; type: string }[];
  /** Ranges of luminosity blocks of its entries, if it has branches for them. */
  lumis?: readonly LumiRange[] | undefined;
  /** Whether there are more than MAX_LUMIS blocks. They are not compared then. */
  manyLumis?: boolean | undefined;
}

/** "note": worth a look. "error": a query over all files fails or counts wrongly. */
export interface DatasetFinding {
  rule: 'unreadable' | 'no-tree' | 'schema' | 'duplicate' | 'damage' | 'overlap' | 'empty' | 'size';
  severity: 'error' | 'note';
  message: string;
  /** Names of the files, at most 20. */
  files: string[];
  /** Number of the files. */
  count: number;
}

/** Files in which a tree has the same branches. */
export interface DatasetSchema {
  files: number;
  /** Names of the files, at most 20. */
  names: string[];
  branches: number;
  /** Differences from the schema that most files have. */
  missing: string[];
  added: string[];
  types: { branch: string; type: string; usual: string }[];
}

export interface DatasetReport {
  files: number;
  failed: number;
  bytes: number;
  /** Number of files for each ROOT version that wrote them, and for each codec. */
  writers: Record<string, number>;
  codecs: Record<string, number>;
  trees: {
    path: string;
    files: number;
    entries: number;
    clusters: number;
    storedBytes: number;
    schemas: DatasetSchema[];
  }[];
  findings: DatasetFinding[];
}

const MAX_NAMES = 20;
/** A file is unusual if its bytes per entry differ from the median by more than this factor. */
const ODD = 2;
/** Minimum number of entries for comparing bytes per entry. */
const ENOUGH = 100;

interface SchemaFiles {
  branches: Map<string, string>;
  files: string[];
}

interface TreeFiles {
  entries: number;
  clusters: number;
  storedBytes: number;
  schemas: Map<string, SchemaFiles>;
  perEntry: { file: string; bytes: number }[];
  empty: string[];
  lumis: { file: string; lumis: readonly LumiRange[] }[];
  manyLumis: string[];
  files: Set<string>;
}

/** Collects the files of a dataset and compares them. Memory grows with the number of schemas, not of branches. */
export class Dataset {
  readonly #names: string[] = [];
  readonly #failed: { name: string; message: string }[] = [];
  readonly #trees = new Map<string, TreeFiles>();
  readonly #byUuid = new Map<string, string[]>();
  readonly #writers = new Map<string, number>();
  readonly #codecs = new Map<string, number>();
  readonly #damage: { name: string; message: string }[] = [];
  #bytes = 0;

  /** `tree` is the requested tree; empty for all. */
  constructor(readonly tree = '') {}

  /** Adds a file that cannot be opened, or whose tree cannot be read. */
  addFailed(name: string, message: string): void {
    this.#failed.push({ name, message });
  }

  add(file: DatasetFile): void {
    const { name, size, uuid, rootVersion, notes, trees, damage = [] } = file;
    this.#names.push(name);
    this.#bytes += size;
    count(this.#writers, rootVersion);
    for (const codec of new Set(trees.flatMap(({ codecs }) => codecs))) count(this.#codecs, codec);
    // A UUID of zeros does not identify a file.
    if (/[1-9a-f]/i.test(uuid)) this.#byUuid.set(uuid, [...(this.#byUuid.get(uuid) ?? []), name]);
    for (const message of [...notes, ...damage]) this.#damage.push({ name, message });
    for (const tree of trees) this.#addTree(name, tree);
  }

  #addTree(name: string, facts: DatasetTree): void {
    const { path, entries, clusters, storedBytes, branches, lumis, manyLumis } = facts;
    const tree = this.#trees.get(path) ?? {
      ...{ entries: 0, clusters: 0, storedBytes: 0, schemas: new Map<string, SchemaFiles>() },
      ...{ perEntry: [], empty: [], lumis: [], manyLumis: [], files: new Set<string>() },
    };
    this.#trees.set(path, tree);
    tree.entries += entries;
    tree.clusters += clusters;
    tree.storedBytes += storedBytes;
    tree.files.add(name);
    if (entries === 0) tree.empty.push(name);
    else if (entries >= ENOUGH) tree.perEntry.push({ file: name, bytes: storedBytes / entries });
    if (lumis) tree.lumis.push({ file: name, lumis });
    if (manyLumis) tree.manyLumis.push(name);
    const types = new Map(branches.map((branch) => [branch.path, branch.type]));
    const key = JSON.stringify([...types].sort(([a], [b]) => (a < b ? -1 : 1)));
    const schema = tree.schemas.get(key) ?? { branches: types, files: [] };
    schema.files.push(name);
    tree.schemas.set(key, schema);
  }

  report(): DatasetReport {
    const findings: DatasetFinding[] = [
      ...groups('unreadable', this.#failed, withoutFigures),
      ...groups('damage', this.#damage),
      ...[...this.#byUuid].flatMap(([uuid, names]) =>
        names.length > 1
          ? [
              finding(
                'duplicate',
                'error',
                `These files have the same UUID ${uuid}: they are copies, or one was made of another.`,
                names,
              ),
            ]
          : [],
      ),
    ];
    if (this.tree !== '' && this.#trees.size === 0 && this.#names.length > 0)
      findings.push(noTree(this.tree, this.#names));
    const trees = [...this.#trees].map(([path, tree]) => {
      const without = this.#names.filter((name) => !tree.files.has(name));
      if (without.length > 0) findings.push(noTree(path, without));
      const [usual, ...others] = [...tree.schemas.values()].sort((a, b) => b.files.length - a.files.length);
      const schemas = usual
        ? [differences(usual, usual), ...others.map((one) => differences(one, usual))]
        : [];
      others.forEach((other, i) => {
        const schema = schemas[i + 1];
        if (schema)
          findings.push(finding('schema', 'error', `In "${path}" ${schemaText(schema)}.`, other.files));
      });
      if (tree.empty.length > 0)
        findings.push(finding('empty', 'note', `"${path}" has no entries in these files.`, tree.empty));
      findings.push(...overlaps(path, tree), ...oddSizes(path, tree.perEntry));
      const { entries, clusters, storedBytes, files } = tree;
      return { path, files: files.size, entries, clusters, storedBytes, schemas };
    });
    return {
      files: this.#names.length,
      failed: this.#failed.length,
      bytes: this.#bytes,
      writers: Object.fromEntries(this.#writers),
      codecs: Object.fromEntries(this.#codecs),
      trees,
      findings,
    };
  }
}

function count(map: Map<string, number>, key: string): void {
  map.set(key, (map.get(key) ?? 0) + 1);
}

function finding(
  rule: DatasetFinding['rule'],
  severity: DatasetFinding['severity'],
  message: string,
  names: readonly string[],
): DatasetFinding {
  return { rule, severity, message, files: names.slice(0, MAX_NAMES), count: names.length };
}

const noTree = (path: string, names: readonly string[]): DatasetFinding =>
  finding('no-tree', 'error', `There is no tree "${path}" in these files.`, names);

/**
 * Returns one finding for each message, or for each group of messages with the same `kindOf`, with the names of its
 * files.
 */
function groups(
  rule: DatasetFinding['rule'],
  list: readonly { name: string; message: string }[],
  kindOf = (message: string): string => message,
): DatasetFinding[] {
  const byKind = new Map<string, { message: string; names: string[] }>();
  for (const { name, message } of list) {
    // Most messages contain the name of their file.
    const text = message.replaceAll(name, 'the file');
    const kind = kindOf(text);
    const group = byKind.get(kind);
    if (!group) byKind.set(kind, { message: text, names: [name] });
    else {
      group.names.push(name);
      if (text !== group.message) group.message = kind;
    }
  }
  return [...byKind.values()].map(({ message, names }) => finding(rule, 'error', message, names));
}

/** Replaces each number in a message by "…", because messages about incomplete files differ only in sizes. */
function withoutFigures(message: string): string {
  return message.replaceAll(/\b\d[\d.,]*\b/g, '…');
}

function differences(one: SchemaFiles, usual: SchemaFiles): DatasetSchema {
  const missing = [...usual.branches.keys()].filter((path) => !one.branches.has(path));
  const added = [...one.branches.keys()].filter((path) => !usual.branches.has(path));
  const types = [...one.branches].flatMap(([branch, type]) => {
    const other = usual.branches.get(branch);
    return other === undefined || other === type ? [] : [{ branch, type, usual: other }];
  });
  const names = one.files.slice(0, MAX_NAMES);
  return { files: one.files.length, names, branches: one.branches.size, missing, added, types };
}

function schemaText({ missing, added, types }: DatasetSchema): string {
  const names = (list: readonly string[]): string =>
    list.length > 5 ? `${list.slice(0, 5).join(', ')} and ${list.length - 5} more` : list.join(', ');
  const parts = [
    missing.length > 0 && `these branches are missing: ${names(missing)}`,
    added.length > 0 && `these branches are in no other file, or in few: ${names(added)}`,
    types.length > 0 &&
      `these have another type: ${names(types.map(({ branch, type, usual }) => `${branch} (${type}, usually ${usual})`))}`,
  ];
  return parts.filter((part) => part !== false).join('; ');
}

/**
 * Finds files with entries of the same luminosity blocks. These may be the same events, or other events of these
 * blocks.
 */
function overlaps(path: string, { lumis, manyLumis }: TreeFiles): DatasetFinding[] {
  const findings = sharedLumis(lumis).map(({ files, ranges }) =>
    finding(
      'overlap',
      'note',
      `"${path}" has entries of the same luminosity blocks in these files (${lumisText(ranges)}).`,
      files,
    ),
  );
  if (manyLumis.length > 0) {
    const text = `"${path}" has more than ${MAX_LUMIS} luminosity blocks in these files, which were not compared.`;
    findings.push(finding('overlap', 'note', text, manyLumis));
  }
  return findings;
}

function oddSizes(path: string, perEntry: readonly { file: string; bytes: number }[]): DatasetFinding[] {
  const sorted = perEntry.map(({ bytes }) => bytes).sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  if (sorted.length < 3 || median === 0) return [];
  const odd = perEntry
    .filter(({ bytes }) => bytes > ODD * median || bytes < median / ODD)
    .map(({ file }) => file);
  if (odd.length === 0) return [];
  const message = `"${path}" stores more than ${ODD} times as many or as few bytes for an entry as the median, ${Math.round(median)}.`;
  return [finding('size', 'note', message, odd)];
}
