import type {
  ArraysRequest,
  DrawAllRequest,
  DrawnTogether,
  DrawRequest,
  SourceSpec,
  SummaryRequest,
} from '../api/api';
import type { BlockRequest, RowsRequest } from '../api/engine-api';
import type { ProcessRequest } from '../api/selector';
import { unsupported } from '../base/data-errors';
import { argumentError, type XylemError } from '../base/errors';
import { checkOptions, type Rule, type Rules, shown } from '../base/options';
import { ANY, either, FLAG, listOf, NUMBER, OBJECT, oneOf, TEXT, TEXT_BY_NAME, whole } from '../base/shape';

/*
 * Checks arguments of programs without types: members that are missing or of another kind. Without these
 * checks a call would fail somewhere within, and be reported as a fault of xylem.
 */

const PLACES: Rule<readonly unknown[]> = { words: 'a list of paths or indices', is: Array.isArray };
const PLACE = either(TEXT, whole(0));

/** Versions, seeds, entries and axes are checked by the code that uses them, because the command line uses it too. */
const LANGUAGE = {
  tree: TEXT,
  entries: ANY,
  friends: listOf(OBJECT),
  rootVersion: ANY,
  seed: ANY,
} as const;

const DRAWING = {
  expr: TEXT,
  branch: PLACE,
  cut: TEXT,
  option: TEXT,
  axes: ANY,
  bins: ANY,
  range: ANY,
  exact: FLAG,
} as const;

const REQUESTS: {
  arrays: Rules<ArraysRequest>;
  readBlock: Rules<BlockRequest>;
  summarize: Rules<SummaryRequest>;
  draw: Rules<DrawRequest>;
  drawAll: Rules<DrawAllRequest>;
  'each drawing': Rules<DrawnTogether>;
  scan: Rules<RowsRequest>;
  process: Rules<ProcessRequest>;
} = {
  arrays: { tree: TEXT, branches: PLACES, entries: ANY, raw: FLAG },
  readBlock: { tree: TEXT, branches: PLACES, entries: ANY, starts: ANY, maxBytes: ANY, parts: ANY },
  summarize: { tree: TEXT, branches: PLACES, entries: ANY, details: FLAG, exact: FLAG },
  draw: { ...LANGUAGE, ...DRAWING, labels: FLAG },
  drawAll: { ...LANGUAGE, draws: listOf(OBJECT), sameAxes: FLAG },
  'each drawing': DRAWING,
  scan: {
    ...LANGUAGE,
    cut: TEXT,
    columns: TEXT,
    limit: NUMBER,
    maxBytes: NUMBER,
    by: oneOf('entry', 'instance'),
    count: FLAG,
    packed: ANY,
    placed: FLAG,
    names: ANY,
  },
  process: {
    ...{
      tree: TEXT,
      module: TEXT,
      set: TEXT_BY_NAME,
      entries: ANY,
      friends: listOf(OBJECT),
      rootVersion: ANY,
    },
    limitMs: whole(1),
    sample: OBJECT,
    files: TEXT_BY_NAME,
    spool: TEXT,
  },
};

/** The members that a request needs. */
const NEEDED = {
  arrays: ['tree', 'branches'],
  readBlock: ['tree', 'branches'],
  summarize: ['tree'],
  draw: ['tree', 'expr'],
  drawAll: ['tree', 'draws'],
  'each drawing': ['expr'],
  scan: ['tree', 'columns'],
  process: ['tree', 'module'],
} as const;

/** Throws ARGUMENT for a request that lacks what the call needs, or has what the call does not know. */
export function checkRequest(call: keyof typeof REQUESTS, request: unknown): void {
  const given: Record<string, unknown> = Object(request);
  const rules: Readonly<Record<string, Rule>> = REQUESTS[call];
  // A drawing of a branch by its index needs no expression.
  const needed = NEEDED[call].map((member) =>
    member === 'expr' && given.branch !== undefined ? 'branch' : member,
  );
  for (const member of needed) {
    const { words, is } = rules[member] ?? ANY;
    if (is(given[member])) continue;
    throw argumentError(
      `The request of ${call} needs ${member}: ${words}; ${shown(given[member])} was given.`,
      `Call it as ${call}(file, { ${needed.join(', ')}, … }).`,
    );
  }
  checkOptions(call, request, rules);
}

/** Throws ARGUMENT when the value is not a text. */
export function checkText(value: unknown, call: string, what: string): void {
  if (typeof value === 'string') return;
  throw argumentError(`${call} needs ${what}, a text; ${shown(value)} was given.`);
}

/** The kinds of sources; one that is lent is from another thread. */
const SOURCES: Readonly<Record<SourceSpec['kind'] | 'lent', true>> = {
  url: true,
  path: true,
  blob: true,
  buffer: true,
  source: true,
  replicas: true,
  within: true,
  chain: true,
  lent: true,
};

/** Throws ARGUMENT when the value is not a source of a file. */
export function checkSource(source: unknown): void {
  const kind: unknown = Object(source).kind;
  if (typeof kind === 'string' && Object.hasOwn(SOURCES, kind)) return;
  throw argumentError(
    `A file is opened by a source with its kind; ${shown(source)} was given.`,
    "Give { kind: 'url', url }, { kind: 'path', path }, { kind: 'blob', blob, name } or { kind: 'buffer', buffer, name }; openRoot takes an address or a Blob alone, too.",
  );
}

/** Maximum number of bytes of a chunk, because offsets of lists and texts have 32 bits. */
const MAX_BYTES = 2 ** 31 - 1;

/** Throws ARGUMENT unless it is a number of bytes from 1 to 2^31 - 1. */
export function checkChunkBytes(bytes: unknown, what: string): void {
  if (typeof bytes === 'number' && bytes >= 1 && bytes <= MAX_BYTES) return;
  throw argumentError(
    `${what} is ${shown(bytes)}: it has to be a number of bytes from 1 to ${MAX_BYTES}.`,
    'Leave it out for chunks that follow the clusters.',
  );
}

/** The error of a reader that does not run the code of users. */
export function noSelectors(): XylemError {
  return unsupported(
    'This reader runs no selectors.',
    'Open the file with openRoot: tree.process of the library runs them, in Node and in pages.',
  );
}

/** Whether a drawing has an expression or a cut, and not only a branch. */
export function isWritten({ branch, cut }: Pick<DrawRequest, 'branch' | 'cut'>): boolean {
  return branch === undefined || cut !== undefined;
}
