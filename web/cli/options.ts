import { BRANCHES, CHAIN_TEXT, CHOSEN_ENTRIES } from '../verbs/params';

/** An option of a command, for parseArgs, help and completion. */
export interface Option {
  type: 'string' | 'boolean';
  multiple?: boolean;
  short?: string;
  /** Placeholder of its value: N, A:B, OUT. A FILE and an OUT are completed as paths. */
  value?: string;
  about: string;
  /** The allowed words; separated by commas when `multiple`. */
  choices?: readonly string[];
  /** Whether a file of the name OUT is kept unless --force is given. Other outputs replace files, but no ROOT file. */
  keeps?: boolean;
  /** A FILE that is read and written again. */
  updated?: boolean;
}

export type Options = Readonly<Record<string, Option>>;

/** Name of the option of a parameter: failOn is --fail-on. */
export const optionName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

type More = Omit<Option, 'type' | 'value' | 'about'>;

export type Flag = { type: 'boolean'; about: string };
export type Valued = { type: 'string'; value: string; about: string };

export function flag(about: string): Flag;
export function flag<const M extends More>(about: string, more: M): Flag & M;
export function flag(about: string, more?: More): Flag {
  return { type: 'boolean', about, ...more };
}

/** An option with a value, for which `value` stands in the help. */
export function valued(value: string, about: string): Valued;
export function valued<const M extends More>(value: string, about: string, more: M): Valued & M;
export function valued(value: string, about: string, more?: More): Valued {
  return { type: 'string', value, about, ...more };
}

export const helpOption = {
  help: flag('show this text', { short: 'h' }),
} as const satisfies Options;

export const jsonOption = {
  json: flag('print JSON instead of text'),
} as const satisfies Options;

/** The option of commands whose output does not replace a file of its name. */
export const forceOption = {
  force: flag('replace a file of the name OUT, which is kept otherwise'),
} as const satisfies Options;

export const headerOption = {
  header: valued(
    "'K: V'",
    'send this header with each request to the origin of the first URL, and to no other; may be repeated',
    { multiple: true },
  ),
} as const satisfies Options;

export const traceOption = {
  trace: valued(
    'OUT',
    'write every read of the file to OUT as JSON, with counters as TTreePerfStats has them',
  ),
} as const satisfies Options;

export const alignOption = {
  align: valued(
    'SIZE',
    'ask http(s) servers for whole blocks of SIZE (64KiB to 16MiB), a request for each, so that a cache on the way ' +
      'holds them for all readers: 1MiB',
  ),
} as const satisfies Options;

const requestsOption = {
  'max-requests': valued(
    'HOST=N,…',
    'send at most N requests at once to an http(s) host, for all files together; *.example.org=N is for each host of a domain. ' +
      'Default: XYLEM_MAX_REQUESTS, or 6 for each file',
  ),
} as const satisfies Options;

const redirectorOption = {
  redirector: valued(
    'URL,…',
    'read files that are named by logical names (lfn:NAME, or a path that does not exist, as /store/mc/f.root) from this server: ' +
      'root://cms-xrd-global.cern.ch. If there are several, the next one is read when one fails',
  ),
} as const satisfies Options;

const cacheOptions = {
  ...requestsOption,
  ...redirectorOption,
  'no-cache': flag('neither read nor write the cache of what was read from URLs'),
  ...alignOption,
} as const satisfies Options;

/** The option of commands that read files: those that failed are a list for the next run. */
export const failedOption = {
  failed: valued(
    'OUT',
    'write a list of the files that could not be read, which the next command takes as @OUT',
  ),
} as const satisfies Options;

/** Options of commands that read several files, each by itself. */
export const filesOptions = {
  ...jsonOption,
  ...headerOption,
  ...cacheOptions,
  ...failedOption,
  ...helpOption,
} as const;

/** Options of commands that read a file. */
export const commonOptions = {
  ...jsonOption,
  ...headerOption,
  ...cacheOptions,
  ...traceOption,
  ...failedOption,
  ...helpOption,
} as const;

export { CHAIN_TEXT };

export const FILE_TEXT = 'FILE is a path or an http(s) URL.';

/** The option of a parameter that verbs have, too. */
const ofParam = ({ value, about }: { value: string; about: string }): Valued => valued(value, about);

export const branchesOption = {
  branches: { ...ofParam(BRANCHES), multiple: true },
} as const satisfies Options;

export const sampleOption = {
  sample: valued('PART', 'a part of the entries (of the range, where one is given), as 1% or 0.01'),
} as const satisfies Options;

export const entryOptions = {
  entries: { ...ofParam(CHOSEN_ENTRIES.entries), multiple: true },
  'entry-list': ofParam(CHOSEN_ENTRIES.entryList),
  sample: ofParam(CHOSEN_ENTRIES.sample),
  seed: ofParam(CHOSEN_ENTRIES.seed),
} as const satisfies Options;
