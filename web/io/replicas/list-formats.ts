// Lists of files as programs print them: Rucio (a table, addresses, JSON, metalink) and DAS (names, JSON).
import { argumentError } from '../../base/errors';
import { protocolOf } from '../schemes';
import { LOGICAL } from './replica-names';

/** A file of a list. */
export interface ListedFile {
  /** Its addresses, the best one first, or a name as the list has it. Empty if only the logical name is known. */
  names: string[];
  /** Logical name, as lfn:/store/f.root. */
  logical?: string | undefined;
  /** Number of bytes, if the list says it. */
  size?: number | undefined;
}

/**
 * Returns the files of a list: of lines, each with a name; of JSON; or of what Rucio and DAS print. `md5` gives hexadecimal digits: with
 * it, addresses whose paths show the same file of Rucio are its replicas. Throws ARGUMENT for a list that is not understood.
 */
export function parseList(text: string, name: string, md5?: (text: string) => string): ListedFile[] {
  const start = text.trimStart();
  const files = start.startsWith('<')
    ? metalink(start, name)
    : isJson(start)
      ? jsonList(start, name)
      : isTable(start)
        ? table(start, name)
        : lines(start);
  return together(files, md5);
}

/** Whether a text is JSON, perhaps broken. The name of a file may begin with a bracket, too, as the pattern "[ab]*.root". */
function isJson(text: string): boolean {
  if (/^(?:\[\s*["{[\]]|\{\s*["}])/.test(text)) return true;
  if (!/^[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether one of the first lines has the headings of Rucio. */
function isTable(text: string): boolean {
  const first = text.slice(0, 10_000).split('\n').slice(0, 10);
  return first.some((line) => ['SCOPE', 'NAME', 'REPLICA'].every((word) => line.includes(word)));
}

function lines(text: string): ListedFile[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      // DAS prints other members beside the name: "file | grep file.name, file.nevents".
      const columns = /^(\/store\/\S+\.root)\s+\S/.exec(line);
      return { names: [columns?.[1] ?? line] };
    });
}

/** The table of "rucio list-file-replicas", of plain lines or of those of a terminal. */
function table(text: string, name: string): ListedFile[] {
  const rows = text
    .replace(/[│┃║]/g, '|')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line.startsWith('|') && !/^\|[\s|+─━-]*\|?$/.test(line))
    .map((line) => line.replace(/^\||\|$/g, '').split('|'));
  return rows.flatMap((cells) => {
    const [scope = '', file = '', ...rest] = cells.map((cell) => cell.trim());
    if (scope === 'SCOPE') return [];
    // The size is rounded there.
    const replica = rest.slice(2).join('|');
    const [, state, address] = /^(?:\((\w+)\) )?[^\s:]+:\s+(\S+)$/.exec(replica) ?? [];
    if (address === undefined)
      throw argumentError(
        `${name}: a row of the table has no address: "${cells.join('|').trim().slice(0, 200)}".`,
        'Long rows may be broken: use "rucio list-file-replicas --pfns" or "--metalink".',
      );
    // With --all-states, others than available ones are named, too. A file that has no other ones stays in the list.
    const isAvailable = state === undefined || /^A(VAILABLE)?$/.test(state);
    return [{ names: isAvailable ? [address] : [], logical: logicalOf(scope, file) }];
  });
}

/** Metalink 4 (RFC 5854), as "rucio list-file-replicas --metalink" prints it. */
function metalink(text: string, name: string): ListedFile[] {
  if (!/<metalink[\s>]/.test(text))
    throw argumentError(
      `${name} is neither a list of files nor a metalink.`,
      'A list has a name on each line.',
    );
  return elements(text, 'file').map(({ attributes, inside }) => {
    const [size = ''] = elements(inside, 'size').map((one) => one.inside.trim());
    const [identity] = elements(inside, 'identity').map((one) => one.inside);
    const found = elements(inside, 'url').map(({ attributes, inside: address }) => ({
      address: unescaped(address.trim()),
      priority: Number(attribute(attributes, 'priority') ?? Number.MAX_SAFE_INTEGER),
    }));
    const sorted = found.toSorted((a, b) => a.priority - b.priority);
    return {
      names: sorted.map(({ address }) => address),
      logical: logicalOf(undefined, unescaped((identity ?? attribute(attributes, 'name') ?? '').trim())),
      ...(/^\d{1,15}$/.test(size) && { size: Number(size) }),
    };
  });
}

interface Element {
  attributes: string;
  inside: string;
}

/** The elements of a name; none of them is within another one. */
function elements(text: string, name: string): Element[] {
  const parts = text.split(`<${name}`).slice(1);
  return parts.flatMap((part) => {
    const start = part.indexOf('>');
    const end = part.indexOf(`</${name}>`);
    const isName = /^[\s>]/.test(part);
    return isName && start >= 0 && end > start
      ? [{ attributes: part.slice(0, start), inside: part.slice(start + 1, end) }]
      : [];
  });
}

function attribute(attributes: string, name: string): string | undefined {
  const mark = ` ${name}="`;
  const start = attributes.indexOf(mark);
  const end = attributes.indexOf('"', start + mark.length);
  return start < 0 || end < 0 ? undefined : attributes.slice(start + mark.length, end);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '');

type Json = Readonly<Record<string, unknown>>;

/** JSON: a list of names, where a list within is of replicas; the records of Rucio, also one on each line; those of DAS. */
function jsonList(text: string, name: string): ListedFile[] {
  const values = parsed(text, name);
  const list = Array.isArray(values) ? values : [values];
  return list.flatMap((one) => jsonFile(one, name));
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    try {
      return text
        .split(/\r?\n/)
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line) as unknown);
    } catch {
      const why = cause instanceof Error ? cause.message : '';
      throw argumentError(`${name} is not JSON: ${why}`, 'A list has a name on each line, or is JSON.');
    }
  }
}

function jsonFile(one: unknown, name: string): ListedFile[] {
  if (typeof one === 'string') return [{ names: [one] }];
  if (isTexts(one)) return [{ names: one }];
  const given = Object(one) as Json;
  // DAS: {"das": {…}, "file": [{"name": "/store/…", "size": 123}]}
  const das = given.file;
  if (Array.isArray(das)) return das.flatMap((file) => jsonFile(file, name));
  if (isTexts(given.files)) return given.files.map((file) => ({ names: [file] }));
  if (Array.isArray(given.files)) return given.files.flatMap((file) => jsonFile(file, name));
  const known = [given.bytes, given.size].find((size) => Number.isSafeInteger(size));
  const size = typeof known === 'number' && known > 0 ? { size: known } : {};
  const file = typeof given.name === 'string' ? given.name : undefined;
  const scope = typeof given.scope === 'string' ? given.scope : undefined;
  const replicas = replicasOf(given);
  if (file !== undefined && replicas !== undefined)
    return [{ names: replicas, logical: logicalOf(scope, file), ...size }];
  if (file !== undefined && scope === undefined)
    return [{ names: [], logical: logicalOf(undefined, file), ...size }];
  if (replicas !== undefined) return [{ names: replicas, ...size }];
  throw argumentError(
    `${name}: an entry of the list is neither a name nor a file: ${JSON.stringify(one)?.slice(0, 200)}`,
    'Give names, lists of replicas, or what "rucio list-file-replicas" and "dasgoclient -json" give.',
  );
}

const isTexts = (given: unknown): given is string[] =>
  Array.isArray(given) && given.length > 0 && given.every((one) => typeof one === 'string');

/** Rucio has addresses as keys of "pfns", with their priorities, and by storage elements in "rses". */
function replicasOf({ replicas, pfns, rses }: Json): string[] | undefined {
  if (isTexts(replicas)) return replicas;
  if (isTexts(pfns)) return pfns;
  if (typeof pfns === 'object' && pfns !== null) {
    const priority = (facts: unknown): number => {
      const given = Object(facts).priority;
      return typeof given === 'number' ? given : Number.MAX_SAFE_INTEGER;
    };
    return Object.entries(pfns)
      .toSorted(([, a], [, b]) => priority(a) - priority(b))
      .map(([address]) => address);
  }
  if (typeof rses !== 'object' || rses === null) return undefined;
  return Object.values(rses).flatMap((addresses) => (isTexts(addresses) ? addresses : []));
}

/** The logical name of a data identifier of Rucio. Those of CMS are the names that DAS gives. */
function logicalOf(scope: string | undefined, name: string): string {
  const whole = scope === undefined || scope === '' ? name : `${scope}:${name}`;
  return LOGICAL + whole.replace(/^cms:(?=\/store\/)/, '');
}

/** The logical name that the path of an address shows: that of CMS, or of Rucio if its hash is right. */
function logicalInPath(address: string, md5: (text: string) => string): string | undefined {
  if (protocolOf(address) === undefined) return undefined;
  const path = address.replace(/[?#].*$/s, '');
  const cms = path.search(/\/store\/(?:data|mc|hidata|himc|user|group|results)\//);
  if (cms >= 0) return LOGICAL + path.slice(cms);
  const segments = path.split('/');
  const [one = '', two = '', file = ''] = segments.slice(-3);
  if (!/^[0-9a-f]{2}$/.test(one) || !/^[0-9a-f]{2}$/.test(two)) return undefined;
  // The dot in the scope of a user or a group is a folder: "user/name".
  const scopes = [segments.slice(-4, -3), segments.slice(-5, -3)].map((parts) => parts.join('.'));
  const scope = scopes.find((text) => md5(`${text}:${file}`).startsWith(one + two));
  return scope === undefined ? undefined : logicalOf(scope, file);
}

/** Joins the replicas of a file. The order is that in which the files occur first. */
function together(files: readonly ListedFile[], md5: ((text: string) => string) | undefined): ListedFile[] {
  const found = new Map<string, ListedFile>();
  const all: ListedFile[] = [];
  for (const file of files) {
    const logical = file.logical ?? (md5 && logicalOfName(file.names, md5));
    const before = logical === undefined ? undefined : found.get(logical);
    // A name that occurs twice stays so, because it may be a mistake.
    if (before && !file.names.some((name) => before.names.includes(name))) {
      before.names.push(...file.names);
      before.logical = logical;
      before.size ??= file.size;
      continue;
    }
    // A single address keeps its own name.
    const own = { ...file, names: [...new Set(file.names)] };
    if (logical !== undefined && !before) found.set(logical, own);
    all.push(own);
  }
  return all;
}

/** The logical name of a line with one address, which names neither a tree nor a range of its entries. */
function logicalOfName(
  [name = '', ...more]: readonly string[],
  md5: (text: string) => string,
): string | undefined {
  if (more.length > 0 || /[#|]/.test(name)) return undefined;
  return logicalInPath(name, md5);
}
