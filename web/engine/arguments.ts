import { XylemError } from '../base/errors';

/*
 * Checks arguments of programs without types: members that are missing or of another kind. Without these
 * checks a call would fail somewhere within, and be reported as a fault of xylem.
 */

type Kind = 'text' | 'list' | 'branch';

const KINDS: Record<Kind, { words: string; is: (value: unknown) => boolean }> = {
  text: { words: 'a text', is: (value) => typeof value === 'string' },
  list: { words: 'a list of paths or indices', is: Array.isArray },
  branch: {
    words: 'a path or an index',
    is: (value) => typeof value === 'string' || typeof value === 'number',
  },
};

const NEEDED = {
  arrays: { tree: 'text', branches: 'list' },
  readBlock: { tree: 'text', branches: 'list' },
  summarize: { tree: 'text' },
  'draw of a branch': { tree: 'text', branch: 'branch' },
  draw: { tree: 'text', expr: 'text' },
  scan: { tree: 'text', columns: 'text' },
} satisfies Record<string, Record<string, Kind>>;

/** Throws ARGUMENT for a request that lacks what the call needs. */
export function checkRequest(call: keyof typeof NEEDED, request: unknown): void {
  const given: Record<string, unknown> = Object(request);
  for (const [member, kind] of Object.entries(NEEDED[call])) {
    const { words, is } = KINDS[kind as Kind];
    if (is(given[member])) continue;
    throw new XylemError({
      code: 'ARGUMENT',
      message: `The request of ${call} needs ${member}: ${words}; ${shown(given[member])} was given.`,
      fix: `Call it as ${call.replace(/ .*/, '')}(file, { ${Object.keys(NEEDED[call]).join(', ')}, … }).`,
    });
  }
}

/** Throws ARGUMENT when the value is not a text. */
export function checkText(value: unknown, call: string, what: string): void {
  if (typeof value === 'string') return;
  throw new XylemError({
    code: 'ARGUMENT',
    message: `${call} needs ${what}, a text; ${shown(value)} was given.`,
  });
}

const SOURCES = ['url', 'path', 'blob', 'buffer', 'source', 'within', 'chain', 'lent'];

/** Throws ARGUMENT when the value is not a source of a file. */
export function checkSource(source: unknown): void {
  const kind: unknown = Object(source).kind;
  if (typeof kind === 'string' && SOURCES.includes(kind)) return;
  throw new XylemError({
    code: 'ARGUMENT',
    message: `A file is opened by a source with its kind; ${shown(source)} was given.`,
    fix: "Give { kind: 'url', url }, { kind: 'path', path }, { kind: 'blob', blob, name } or { kind: 'buffer', buffer, name }; openRoot takes an address or a Blob alone, too.",
  });
}

/** Maximum number of bytes of a chunk, because offsets of lists and texts have 32 bits. */
const MAX_BYTES = 2 ** 31 - 1;

/** Throws ARGUMENT unless it is a number of bytes from 1 to 2^31 - 1. */
export function checkChunkBytes(bytes: unknown, what: string): void {
  if (typeof bytes === 'number' && bytes >= 1 && bytes <= MAX_BYTES) return;
  throw new XylemError({
    code: 'ARGUMENT',
    message: `${what} is ${shown(bytes)}: it has to be a number of bytes from 1 to ${MAX_BYTES}.`,
    fix: 'Leave it out for chunks that follow the clusters.',
  });
}

/** A value in a few characters. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'string') return `"${value.slice(0, 60)}"`;
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object without it';
  return String(value).slice(0, 60);
}
