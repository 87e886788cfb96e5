import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChainPart, FileSource, SourceSpec, WholeSource } from '../api/api';
import { argumentError, XylemError } from '../base/errors';
import { isGlob } from '../base/glob';
import { isRemote, plainAddress, protocolOf, splitAddresses } from '../io/schemes';
import { parseAlign, parseHeaders } from './arguments';
import { filesLike, type SearchLimits } from './files-like';
import type { OwnFiles } from './own-files';
import { readNamed } from './read-file';

/** The common options that say how a file is read. */
export interface SourceOptions {
  header?: string[] | undefined;
  'no-cache'?: boolean | undefined;
  align?: string | undefined;
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
    if (source.kind !== 'url') return source;
    const named = URL.canParse(source.url) && files.hasHeaders(new URL(source.url).origin);
    return named ? { ...source, headers } : source;
  };
  return parts.map((part) => ({ ...part, source: addHeaders(part.source) }));
}

async function partsOf(target: string, options: SourceOptions, search: SearchLimits): Promise<ChainPart[]> {
  if (target.startsWith('@')) return listed(target.slice(1), options, search);
  // An address may have commas itself.
  const urls = isUrl(target) ? splitAddresses(target) : [];
  if (urls.length > 1) return urls.map((url) => partOf(url, options));
  if (isUrl(target) || existsSync(target) || existsSync(splitTree(target).name)) {
    return [partOf(target, options)];
  }
  if (target.includes(',')) {
    const names = target.split(',').filter((name) => name !== '');
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
  const names = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (names.length === 0) throw argumentError(`The list "${list}" is empty.`);
  const parts = names.map((name) =>
    isUrl(name) ? [partOf(name, options)] : partsOf(resolve(dirname(list), name), options, search),
  );
  return (await Promise.all(parts)).flat();
}

function partOf(target: string, options: SourceOptions): ChainPart {
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

export function isUrl(target: string): boolean {
  return protocolOf(target) !== undefined;
}

function fileSource(target: string, options: SourceOptions): WholeSource {
  const cache = options['no-cache'] ? ({ cache: 'none' } as const) : {};
  const align = options.align === undefined ? {} : { align: parseAlign(options.align) };
  if (isRemote(target)) return { kind: 'url', url: plainAddress(target), ...cache, ...align };
  const path = protocolOf(target) === 'file' ? fileURLToPath(target) : target;
  return { kind: 'path', path, ...cache };
}
