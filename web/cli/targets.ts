import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChainPart, FileSource, PlainSource, SourceSpec } from '../api/api';
import { argumentError, XylemError } from '../base/errors';
import { isGlob } from '../base/glob';
import { type ListedFile, parseList } from '../io/replicas/list-formats';
import { addressAt, isLogical, replicasIn, splitFiles, splitReplicas } from '../io/replicas/replica-names';
import { isRemote, plainAddress, protocolOf, splitAddresses } from '../io/schemes';
import { parseAlign, parseHeaders, UsageError } from './arguments';
import { filesLike, type SearchLimits } from './files-like';
import type { OwnFiles } from './own-files';
import { readNamed } from './read-file';

/** The common options that say how a file is read. */
export interface SourceOptions {
  header?: string[] | undefined;
  'no-cache'?: boolean | undefined;
  align?: string | undefined;
  redirector?: string | undefined;
}

/** The source that FILE names, and its tree; for several files the tree of the first. */
export interface NamedSource {
  source: SourceSpec;
  tree?: string | undefined;
}

/**
 * Parses FILE of a command line: a path, a URL, or several as one chain: a pattern ("runs/*.root", "**" for
 * folders of any depth), a list ("a.root,b.root", addresses, too), a text file of them ("@list.txt"). Each may name its tree:
 * "file.root?#tree". All are noted as inputs in `files`. Throws NOT_FOUND, IO, and UsageError for one that is an output.
 */
export async function sourceOf(
  target: string,
  options: SourceOptions,
  files: OwnFiles,
): Promise<NamedSource> {
  if (target.includes('\0')) throw argumentError('The name of a file has a null byte.', 'Leave it out.');
  if (/^@?\s*$/.test(target))
    throw argumentError('The name of a file is empty.', 'Name a path or an address.');
  if (target.startsWith('@')) await files.addInput(target.slice(1));
  const parts = withHeaders(await partsOf(target, options, files.search), options, files);
  const [only] = parts;
  const named: NamedSource =
    parts.length === 1 && only ? only : { source: { kind: 'chain', files: parts }, tree: only?.tree };
  await files.addSource(named.source);
  return named;
}

/** Adds the headers of the command line to the URLs that may have them. */
function withHeaders(parts: ChainPart[], { header }: SourceOptions, files: OwnFiles): ChainPart[] {
  if (header === undefined) return parts;
  const headers = parseHeaders(header);
  const addHeaders = <T extends FileSource>(source: T): T => {
    if (source.kind === 'within') return { ...source, outer: addHeaders(source.outer) };
    if (source.kind === 'replicas') return { ...source, replicas: source.replicas.map(addHeaders) };
    if (source.kind !== 'url') return source;
    const named = URL.canParse(source.url) && files.hasHeaders(new URL(source.url).origin);
    return named ? { ...source, headers } : source;
  };
  return parts.map((part) => ({ ...part, source: addHeaders(part.source) }));
}

async function partsOf(target: string, options: SourceOptions, search: SearchLimits): Promise<ChainPart[]> {
  if (target.startsWith('@')) return listed(target.slice(1), options, search);
  if (splitReplicas(target).length > 1 && !isThere(target))
    return splitFiles(target).map((name) => partOf(name, options));
  const names = existsSync(target) ? [] : target.split(',').filter((name) => name !== '');
  if (names.length > 1 && names.every(namesFiles))
    return (await Promise.all(names.map((name) => partsOf(name, options, search)))).flat();
  // An address may have commas itself.
  const urls = isUrl(target) ? splitAddresses(target) : [];
  if (urls.length > 1) return urls.map((url) => partOf(url, options));
  if (isUrl(target) || isLogical(target) || isThere(target)) {
    return [partOf(target, options)];
  }
  if (target.includes(',')) {
    return (await Promise.all(names.map((name) => partsOf(name, options, search)))).flat();
  }
  const { name, tree } = splitTree(target);
  if (!isGlob(name, true)) return [partOf(target, options)];
  const found = await filesLike(name, search);
  if (found.length > 0) return found.map((path) => ({ source: { kind: 'path', path }, tree }));
  throw new XylemError({
    code: 'NOT_FOUND',
    message: `No file is like "${name}".`,
    fix: 'A pattern may have *, ? and [abc] in names, and ** for folders of any depth.',
  });
}

/** One name on each line; lines that begin with "#" are left out. Paths are relative to the list's folder. */
async function listed(list: string, options: SourceOptions, search: SearchLimits): Promise<ChainPart[]> {
  if (search.noTexts)
    throw argumentError(
      `"@${list}" names a list in a text file, which is not read here.`,
      'Give a list of files, or a pattern such as runs/*.root.',
    );
  const text = (await readNamed(list)).toString();
  const files = parseList(text, `The list "${list}"`, (one) => createHash('md5').update(one).digest('hex'));
  if (files.length === 0) throw argumentError(`The list "${list}" is empty.`);
  const inFolder = (name: string): string =>
    isUrl(name) || isLogical(name) ? name : resolve(dirname(list), name);
  const parts = files.map((file) => {
    const [only, ...more] = file.names;
    if (only === undefined || more.length > 0 || file.logical !== undefined)
      return [replicasOf(file, inFolder, options)];
    const replicas = splitReplicas(only);
    if (replicas.length > 1 && !isThere(inFolder(only)))
      return [partOf(replicas.map(inFolder).join('|'), options)];
    return isUrl(only) ? [partOf(only, options)] : partsOf(inFolder(only), options, search);
  });
  return (await Promise.all(parts)).flat();
}

/** A file of a list that names its replicas. Addresses that cannot be read are left out if there are others. */
function replicasOf(
  { names, logical, size }: ListedFile,
  inFolder: (name: string) => string,
  options: SourceOptions,
): ChainPart {
  const readable = names.filter((name) => isUrl(name) || !/^[a-z][\w+.-]*:\/\//i.test(name));
  const chosen = (readable.length > 0 ? readable : names).map(inFolder);
  const part = partOf([...(logical === undefined ? [] : [logical]), ...chosen].join('|'), options);
  return part.source.kind === 'replicas' && size !== undefined
    ? { ...part, source: { ...part.source, size } }
    : part;
}

/** The files that a name with several parts means: the last one may name the tree. */
function partOfReplicas(parts: readonly string[], options: SourceOptions): ChainPart {
  const named = parts.map((part) => (isLogical(part) ? splitLogical(part) : splitTree(part)));
  const trees = new Set(named.flatMap(({ tree }) => tree ?? []));
  if (trees.size > 1)
    throw argumentError(
      `The replicas "${parts.join('|')}" name different trees.`,
      'Name the tree once, at the end.',
    );
  const { name: logical, addresses } = replicasIn(named.map(({ name }) => name));
  const all = addresses.length > 0 ? addresses : redirected(logical ?? '', options);
  const replicas = all.map((name) => fileSource(name, options));
  const [tree] = trees;
  return { source: { kind: 'replicas', replicas, ...(logical !== undefined && { name: logical }) }, tree };
}

/** "lfn:/store/f.root#tree", and with "?#" as in paths. */
function splitLogical(text: string): { name: string; tree: string | undefined } {
  const [, name = text, tree] = /^([^#]*?)\??#(.+)$/s.exec(text) ?? [];
  return { name, tree };
}

/** The addresses of a logical name by --redirector. Throws ARGUMENT without it. */
function redirected(logical: string, { redirector }: SourceOptions): string[] {
  if (redirector !== undefined) return redirector.split(/[|,]/).map((one) => addressAt(one.trim(), logical));
  throw argumentError(
    `"${logical}" is the logical name of a file, and no address of it is given.`,
    'Say where it is read: --redirector root://cms-xrd-global.cern.ch, or several with commas.',
  );
}

/** Whether a text names files by itself: it is an address, a logical name, a path that exists, or a pattern. */
const namesFiles = (name: string): boolean =>
  isUrl(name) || isLogical(name) || isThere(name) || isGlob(splitTree(name).name, true);

/** Whether a text is the path of a file, perhaps with its tree. */
const isThere = (target: string): boolean => existsSync(target) || existsSync(splitTree(target).name);

function partOf(target: string, options: SourceOptions): ChainPart {
  if (!isThere(target)) {
    const replicas = splitReplicas(target);
    if (replicas.length > 1 || isLogical(target)) return partOfReplicas(replicas, options);
    // A path of this machine is itself.
    if (options.redirector !== undefined && target.startsWith('/'))
      return partOfReplicas([`lfn:${target}`], options);
  }
  const whole = existsSync(target) ? { name: target, offset: undefined } : splitOffset(target);
  const { name, tree } = existsSync(whole.name)
    ? { name: whole.name, tree: undefined }
    : splitTree(whole.name);
  const outer = fileSource(name, options);
  const { offset } = whole;
  return { source: offset === undefined ? outer : { kind: 'within', outer, offset }, tree };
}

/** "outer.bin@4096", and of URLs "…/outer.bin#@4096": the ROOT file that begins at that byte. */
function splitOffset(target: string): { name: string; offset: number | undefined } {
  const match = (isUrl(target) ? /^([^#]*)#@(\d+)$/ : /^(.+)@(\d+)$/s).exec(target);
  return match ? { name: match[1] ?? '', offset: Number(match[2]) } : { name: target, offset: undefined };
}

/** Splits "file.root?#tree"; for URLs, and if `plain` is true, also "file.root#tree". */
export function splitTree(target: string, plain = false): { name: string; tree: string | undefined } {
  const match = (plain || isUrl(target) ? /^([^#]*?)\??#([^@].*)$/s : /^(.*)\?#(.+)$/s).exec(target);
  return match ? { name: match[1] ?? '', tree: match[2] } : { name: target, tree: undefined };
}

/** "tree[0:1000]" as the tree and its entries 0 to 999. */
export function splitRange(text: string): { name: string; entries?: [number, number] } {
  const match = /^([^[\]]*)\[(\d{1,15}):(\d{1,15})\]$/.exec(text);
  if (!match) return { name: text };
  const entries: [number, number] = [Number(match[2]), Number(match[3])];
  if (entries[0] >= entries[1])
    throw new UsageError(`"${text}" has no entries; write TREE[A:B] with A less than B.`);
  return { name: match[1] ?? '', entries };
}

/** Throws UsageError if a file names a range of its entries, for commands that would read all of them. */
export function refuseRanges({ source, tree }: NamedSource): void {
  const trees = source.kind === 'chain' ? source.files.map((part) => part.tree) : [tree];
  const ranged = trees.find((one) => one !== undefined && splitRange(one).entries);
  if (ranged !== undefined)
    throw new UsageError(
      `"${ranged}" is a range of the entries of one file, which only partial results have (--partial OUT). Name the tree alone, and choose entries by --entries.`,
    );
}

export function isUrl(target: string): boolean {
  return protocolOf(target) !== undefined;
}

function fileSource(target: string, options: SourceOptions): PlainSource {
  const cache = options['no-cache'] ? ({ cache: 'none' } as const) : {};
  const align = options.align === undefined ? {} : { align: parseAlign(options.align) };
  if (isRemote(target)) return { kind: 'url', url: plainAddress(target), ...cache, ...align };
  const path = protocolOf(target) === 'file' ? fileURLToPath(target) : target;
  return { kind: 'path', path, ...cache };
}
