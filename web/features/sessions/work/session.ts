/*
 * A session as a file: open files, what is shown of each, and views that are kept with a title and a note. What is shown is the
 * query of a link to it, without the address of the file. docs/features/sessions.md has the format.
 */
import { argumentError, XylemError } from '../../../base/errors';
import { FLAG, NOT_NEGATIVE, type Shape, TEXT, textLike, whole } from '../../../base/shape';
import { didYouMean, nearest } from '../../../base/suggest';
import { isRemote } from '../../../io/schemes';

/** End of the names of session files. */
export const ENDING = '.xylem.json';

/** A file that is read at an address, or one of the user's machine, which has only a name here. */
export interface NamedFile {
  /** Its address, without anything that gives access; relative addresses are relative to the session. */
  url?: string | undefined;
  /** The name of a file of the user's machine. */
  name?: string | undefined;
  /** Its size in bytes, and the UUID in its header, when the session was saved: another file is noticed. */
  size?: number | undefined;
  uuid?: string | undefined;
}

/** A file of a session. */
export interface SessionFile extends NamedFile {
  /** Several files that are read as one. */
  list?: readonly NamedFile[] | undefined;
  /** The query of a link that shows the same of it. */
  state?: string | undefined;
  /** False for a file that only kept views need. */
  open?: boolean | undefined;
}

/** A view that is kept. */
export interface SessionView {
  /** Index of its file. */
  file: number;
  /** The query of a link. */
  state: string;
  title: string;
  note?: string | undefined;
}

export interface Session {
  title: string;
  /** The open files in their order, then those that only kept views need. */
  files: readonly SessionFile[];
  /** Index of the shown file; undefined if none is shown. */
  shown?: number | undefined;
  views: readonly SessionView[];
  /** How much room the contents take: `wide`, `narrow` or `folded`. */
  contents?: 'wide' | 'narrow' | 'folded' | undefined;
}

/** Version of the format. Readers refuse a later one. */
const VERSION = 1;

/** Maximum number of characters of a session, and of its parts. */
export const MAX_SESSION = 1_000_000;
export const MAX_TITLE = 300;
export const MAX_NOTE = 4000;
const MAX_ADDRESS = 8192;
const MAX_STATE = 65_536;
/** Maximum number of files, and of kept views. */
const MAX_FILES = 1000;
export const MAX_VIEWS = 1000;
/** Number of files that are opened without a question. Each may ask another server, also one on the user's machine. */
export const MAX_UNASKED = 20;

const upTo = (most: number): Shape<string> => ({
  ...TEXT,
  words: `a text of at most ${most} characters`,
  is: (value): value is string => TEXT.is(value) && value.length <= most,
});

/** An address that is read, or a relative one. "javascript:" and others with a scheme are refused. */
const ADDRESS: Shape<string> = {
  ...TEXT,
  words: 'an http(s) or root:// address, or a relative one',
  is: (value): value is string =>
    TEXT.is(value) && value !== '' && value.length <= MAX_ADDRESS && (isRemote(value) || isRelative(value)),
};

function isRelative(address: string): boolean {
  const plain = [...address].filter((letter) => letter > ' ').join('');
  const [first = ''] = plain.split(/[/?#]/, 1);
  return !first.includes(':') && !plain.startsWith('//') && !plain.includes('\\');
}

const SIZE = NOT_NEGATIVE;
const UUID = textLike('a UUID', /^[0-9a-f-]{1,64}$/i);
const FILE = { url: ADDRESS, name: upTo(1000), size: SIZE, uuid: UUID };
const LIST: Shape<readonly unknown[]> = {
  words: 'a list',
  is: (value): value is readonly unknown[] => Array.isArray(value),
};

const SESSION_RULES = {
  xylem: { ...TEXT, words: 'the text "session"', is: (value: unknown) => value === 'session' },
  version: whole(1),
  title: upTo(MAX_TITLE),
  files: LIST,
  views: LIST,
  shown: whole(0),
  contents: textLike('"wide", "narrow" or "folded"', /^(wide|narrow|folded)$/),
};
const FILE_RULES = { ...FILE, list: LIST, state: upTo(MAX_STATE), open: FLAG };
const VIEW_RULES = { file: whole(0), state: upTo(MAX_STATE), title: upTo(MAX_TITLE), note: upTo(MAX_NOTE) };

/**
 * Reads a session. Throws BUDGET if it is too large, UNSUPPORTED for one of a later version of xylem, and ARGUMENT for anything
 * that is not a session, has members that sessions do not have, or values of another kind.
 */
export function parseSession(text: string): Session {
  if (text.length > MAX_SESSION) throw tooLarge();
  const given = jsonOf(text);
  if (!isObject(given) || given.xylem !== 'session')
    throw notASession('It lacks "xylem": "session" at its beginning.');
  const { version } = given;
  if (typeof version === 'number' && version > VERSION) {
    throw new XylemError({
      code: 'UNSUPPORTED',
      message: `The session has version ${version}, and this xylem reads version ${VERSION}.`,
      fix: 'Open it with the xylem that saved it, or with a later one.',
    });
  }
  const session = checked(given, SESSION_RULES, 'the session', ['version', 'files']);
  const files = items(session.files, MAX_FILES, 'files').map((one, i) => fileOf(one, `files[${i}]`));
  const views = items(session.views ?? [], MAX_VIEWS, 'views').map((one, i): SessionView => {
    const place = `views[${i}]`;
    const { file, state, title = '', note } = checked(one, VIEW_RULES, place, ['file', 'state']);
    if (file >= files.length)
      throw notASession(`${place} names file ${file}, and there are ${files.length}.`);
    return { file, state, title, ...(note && { note }) };
  });
  const { title = '', shown, contents } = session;
  if (shown !== undefined && shown >= files.length)
    throw notASession(`"shown" is ${shown}, and there are ${files.length} files.`);
  return { title, files, views, shown, contents: contents as Session['contents'] };
}

function fileOf(given: unknown, place: string): SessionFile {
  const { list, ...file } = checked(given, FILE_RULES, place, []);
  if ([file.url, file.name, list].filter((one) => one !== undefined).length !== 1 && list !== undefined)
    throw notASession(`${place} has a list and an address or a name.`);
  if (list === undefined && file.url === undefined && file.name === undefined)
    throw notASession(`${place} has neither an address nor a name.`);
  if (list === undefined) return file;
  const parts = items(list, MAX_FILES, `${place}.list`).map((one, i): NamedFile => {
    const part = checked(one, FILE, `${place}.list[${i}]`, []);
    if (part.url === undefined && part.name === undefined)
      throw notASession(`${place}.list[${i}] has neither an address nor a name.`);
    return part;
  });
  if (parts.length === 0) throw notASession(`${place}.list is empty.`);
  return { ...file, list: parts };
}

/** Returns the session as the text of a file. */
export function formatSession(session: Session): string {
  return `${JSON.stringify(plain(session), null, 2)}\n`;
}

/** Returns the session as a short text, for a link. */
export function compactSession(session: Session): string {
  return JSON.stringify(plain(session));
}

function plain({ title, files, views, shown, contents }: Session): object {
  const named = files.map(({ open, state, ...file }) => ({
    ...file,
    ...(state && { state }),
    ...(open === false && { open }),
  }));
  return {
    ...{ xylem: 'session', version: VERSION },
    ...(title && { title }),
    files: named,
    ...(views.length > 0 && { views }),
    ...{ shown, contents },
  };
}

/**
 * Returns the names of ROOT files that may lie beside a session: files of a machine, and relative addresses. Throws what
 * `parseSession` throws.
 */
export function filesBeside(text: string): string[] {
  const { files } = parseSession(text);
  const names = files
    .flatMap((file): readonly NamedFile[] => file.list ?? [file])
    .flatMap(({ url, name = '' }) => (url === undefined ? name : nameIn(url)));
  // A session may be hostile: nothing but ROOT files of its own folder.
  return [...new Set(names)].filter((name) => /^[^./\\][^/\\]*\.root$/i.test(name));
}

/** Returns the name in a relative address; empty for others. */
function nameIn(url: string): string {
  try {
    return isRelative(url) ? decodeURIComponent(url.split(/[?#]/, 1)[0] ?? '') : '';
  } catch {
    return '';
  }
}

/** Whether two descriptions are of the same file, as far as both say. */
export function isSameFile(one: SessionFile, other: SessionFile): boolean {
  if (one.list !== undefined || other.list !== undefined) {
    const [parts = [], others = []] = [one.list, other.list];
    return parts.length === others.length && parts.every((part, i) => isSameFile(part, others[i] ?? {}));
  }
  if (one.url !== undefined || other.url !== undefined) return one.url === other.url;
  return one.name === other.name && differenceOf(one, other) === undefined;
}

/** Returns what tells that an opened file is not the one of the session; undefined if nothing does. */
export function differenceOf(kept: NamedFile, opened: NamedFile): string | undefined {
  if (kept.size !== undefined && opened.size !== undefined && kept.size !== opened.size)
    return `it has ${opened.size} bytes, not ${kept.size}`;
  if (kept.uuid !== undefined && opened.uuid !== undefined && kept.uuid !== opened.uuid)
    return `its UUID is ${opened.uuid}, not ${kept.uuid}`;
  return undefined;
}

/** A server, and the number of files that it has. */
export interface ServerFiles {
  server: string;
  files: number;
}

/** Returns the number of files that a session opens, and their servers, those with most files first. Addresses are whole. */
export function opensOf({ files }: Pick<Session, 'files'>): { files: number; servers: ServerFiles[] } {
  const parts = files
    .filter(({ open }) => open !== false)
    .flatMap((file): readonly NamedFile[] => file.list ?? [file]);
  const counts = new Map<string, number>();
  for (const { url } of parts) {
    const server = url === undefined ? 'this machine' : serverOf(url);
    counts.set(server, (counts.get(server) ?? 0) + 1);
  }
  const servers = [...counts].map(([server, count]) => ({ server, files: count }));
  return { files: parts.length, servers: servers.sort((one, other) => other.files - one.files) };
}

/** Returns the host and the port of an address. */
function serverOf(url: string): string {
  return /^[a-z]+:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(url)?.[1] || url.slice(0, 60);
}

type Rules = Readonly<Record<string, Shape<unknown>>>;
type Checked<R extends Rules, N extends keyof R> = {
  [K in N]: R[K] extends Shape<infer T> ? T : never;
} & { [K in keyof R]?: (R[K] extends Shape<infer T> ? T : never) | undefined };

function checked<const R extends Rules, const N extends keyof R & string>(
  given: unknown,
  rules: R,
  place: string,
  needed: readonly N[],
): Checked<R, N> {
  if (!isObject(given)) throw notASession(`${place} is not an object.`);
  for (const [name, value] of Object.entries(given)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      const known = Object.keys(rules);
      const hint = didYouMean(nearest(name, known)) ?? `It can have ${known.join(', ')}.`;
      throw notASession(`${place} has "${name.slice(0, 60)}", which no session has. ${hint}`);
    }
    if (!rule.is(value)) throw notASession(`"${name}" of ${place} has to be ${rule.words}.`);
  }
  for (const name of needed) if (given[name] === undefined) throw notASession(`${place} lacks "${name}".`);
  return given as Checked<R, N>;
}

function items(list: readonly unknown[], most: number, name: string): readonly unknown[] {
  if (list.length > most) throw notASession(`"${name}" has ${list.length} items; ${most} are the most.`);
  return list;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notASession('It is not JSON.');
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function notASession(why: string): XylemError {
  return argumentError(
    `This is not a session of xylem. ${why}`,
    `Sessions are files ${ENDING} that "Save session" writes.`,
  );
}

/** The error of a session that is too large to be one. */
export function tooLarge(): XylemError {
  return new XylemError({
    code: 'BUDGET',
    message: `The session is larger than ${MAX_SESSION / 1e6} MB, which no session is.`,
    fix: `Choose a file ${ENDING} that "Save session" wrote.`,
  });
}
