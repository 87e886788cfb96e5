import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { XylemError } from '../base/errors';
import type { ChainPart, SourceSpec, WholeSource } from '../file/api';
import { parseHeaders } from './arguments';

/** The common options that say how a file is read. */
export interface SourceOptions {
  header?: string[] | undefined;
  'no-cache'?: boolean | undefined;
}

/**
 * What FILE of a command line names: a path, a URL, or several as one chain: a pattern
 * ("runs/*.root", "**" for folders of any depth), a list ("a.root,b.root"), a text file of them
 * ("@list.txt"). Each may name its tree: "file.root?#tree". Throws NOT_FOUND and IO.
 */
export async function sourceOf(target: string, options: SourceOptions): Promise<SourceSpec> {
  const parts = await partsOf(target, options);
  const [only] = parts;
  if (parts.length === 1 && only && only.tree === undefined) return only.source;
  return { kind: 'chain', files: parts };
}

async function partsOf(target: string, options: SourceOptions): Promise<ChainPart[]> {
  if (target.startsWith('@')) return listed(target.slice(1), options);
  if (isUrl(target) || existsSync(target)) return [partOf(target, options)];
  if (target.includes(',')) {
    const names = target.split(',').filter((name) => name !== '');
    return (await Promise.all(names.map((name) => partsOf(name, options)))).flat();
  }
  const { name, tree } = splitTree(target);
  if (!/[*?[]/.test(name)) return [partOf(target, options)];
  const found = await glob(name);
  if (found.length > 0) return found.map((path) => ({ source: { kind: 'path', path }, tree }));
  throw new XylemError({
    code: 'NOT_FOUND',
    message: `No file is like "${name}".`,
    fix: 'A pattern may have *, ? and [abc] in names, and ** for folders of any depth.',
  });
}

/** One name a line; lines that begin with "#" are left out. Paths are those of the list's folder. */
async function listed(list: string, options: SourceOptions): Promise<ChainPart[]> {
  let text: string;
  try {
    text = await readFile(list, 'utf8');
  } catch (cause) {
    throw new XylemError({ code: 'IO', message: `The list "${list}" cannot be read.`, cause });
  }
  const names = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (names.length === 0) throw new XylemError({ code: 'ARGUMENT', message: `The list "${list}" is empty.` });
  const parts = names.map((name) =>
    isUrl(name) ? [partOf(name, options)] : partsOf(resolve(dirname(list), name), options),
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

/** "file.root?#tree", and of URLs, or where it is `plain`, "file.root#tree". */
export function splitTree(target: string, plain = false): { name: string; tree: string | undefined } {
  const match = (plain || isUrl(target) ? /^([^#]*?)\??#([^@].*)$/s : /^(.*)\?#(.+)$/s).exec(target);
  return match ? { name: match[1] ?? '', tree: match[2] } : { name: target, tree: undefined };
}

function isUrl(target: string): boolean {
  return /^(https?|file):\/\//i.test(target);
}

function fileSource(target: string, options: SourceOptions): WholeSource {
  const headers = parseHeaders(options.header);
  if (/^https?:\/\//i.test(target)) {
    return {
      kind: 'url',
      url: target,
      ...(options.header !== undefined && { headers }),
      ...(options['no-cache'] && { cache: 'none' }),
    };
  }
  if (/^file:\/\//i.test(target)) return { kind: 'path', path: fileURLToPath(target) };
  return { kind: 'path', path: target };
}

/** Paths like a pattern, in the order of their names. */
async function glob(pattern: string): Promise<string[]> {
  const [first = '', ...rest] = pattern.split('/');
  const absolute = first === '';
  const segments = absolute ? rest : [first, ...rest];
  return (await matches(absolute ? '/' : '', segments)).sort();
}

async function matches(folder: string, [segment, ...rest]: string[]): Promise<string[]> {
  if (segment === undefined) return [folder];
  if (segment !== '**' && !/[*?[]/.test(segment)) {
    const path = join(folder, segment);
    return existsSync(path) ? matches(path, rest) : [];
  }
  const entries = await readdir(folder || '.', { withFileTypes: true }).catch(() => []);
  const found: string[] = segment === '**' ? await matches(folder, rest) : [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (segment === '**') {
      if (entry.isDirectory()) found.push(...(await matches(path, ['**', ...rest])));
    } else if (likeName(segment).test(entry.name) && (rest.length === 0 || entry.isDirectory())) {
      found.push(...(await matches(path, rest)));
    }
  }
  return found;
}

/** The names that one segment of a pattern stands for; a leading dot must be written. */
function likeName(segment: string): RegExp {
  const text = segment.replace(/\[[^\]]+\]|[\s\S]/g, (part) => {
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    if (part.length > 1) return part.replace(/^\[!/, '[^').replaceAll('\\', '\\\\');
    return part.replace(/[\\^$.|+(){}[\]]/g, '\\$&');
  });
  return new RegExp(`^${segment.startsWith('.') ? '' : '(?!\\.)'}${text}$`, 'u');
}
