import type { RequestOptions, SummaryRequest } from '../api/api';
import { CALL, ROOT_VERSION, type Rules } from '../base/options';
import {
  ANY,
  either,
  FLAG,
  FUNCTION,
  listOf,
  NUMBER,
  OBJECT,
  oneOf,
  opaque,
  PAIR,
  TEXT,
  TEXT_BY_NAME,
  whole,
} from '../base/shape';
import type { FriendChoice, OpenOptions, TreeOptions } from './open-root';
import type {
  ChunkOptions,
  DrawChoice,
  DrawListOptions,
  DrawOptions,
  DrawShape,
  ExpressionOptions,
  ScanOptions,
} from './tree-handle';

/** Entries are checked where they are chosen, with a message of their own. */
const LANGUAGE = { ...CALL, entries: ANY, rootVersion: ROOT_VERSION, seed: whole(0) } as const;
const BINS = whole(1, 1_000_000);
const MAX_AXES = 3;

const PAIR_OR_NONE = opaque(PAIR.words, (value) => value === undefined || PAIR.is(value));

export const ARRAYS: Rules<ExpressionOptions> = { ...LANGUAGE, cut: TEXT };
/** Bytes of a chunk are checked where chunks are made. */
export const CHUNKS: Rules<ChunkOptions> = { ...ARRAYS, chunkBytes: ANY };
export const NUMBERS: Rules<Omit<ExpressionOptions, 'cut'>> = LANGUAGE;
export const DRAW_LIST: Rules<DrawListOptions> = { ...LANGUAGE, sameAxes: FLAG };
const SHAPE: Rules<DrawShape> = {
  cut: TEXT,
  bins: either(BINS, listOf(BINS, MAX_AXES)),
  range: either(PAIR, listOf(PAIR_OR_NONE, MAX_AXES)),
  axis: oneOf('root', 'tight'),
  option: TEXT,
};
export const DRAW: Rules<DrawOptions> = { ...LANGUAGE, ...SHAPE };
export const DRAW_CHOICE: Rules<DrawChoice> = { ...SHAPE, expr: TEXT };
export const SCAN: Rules<ScanOptions> = {
  ...LANGUAGE,
  cut: TEXT,
  limit: opaque('a number of rows', (value) => NUMBER.is(value) && value >= 0),
  by: oneOf('entry', 'instance'),
};
export const SUMMARIZE: Rules<Omit<SummaryRequest, 'tree'>> = {
  branches: listOf(either(TEXT, whole(0))),
  entries: ANY,
  details: FLAG,
  exact: FLAG,
};

export const REQUEST: Rules<RequestOptions> = {
  headers: TEXT_BY_NAME,
  credentials: oneOf('omit', 'same-origin', 'include'),
  fetch: FUNCTION,
  align: NUMBER,
};
/** A reader is one that `openReader` gave. */
export const READER = opaque(
  'a reader',
  (value) => typeof Object(value).open === 'function' && typeof Object(value).close === 'function',
);
export const OPEN: Rules<OpenOptions> = { ...CALL, ...REQUEST, reader: READER };
export const TREE: Rules<TreeOptions> = { ...CALL, friends: OBJECT };
export const FRIEND: Rules<FriendChoice> = {
  file: OBJECT,
  tree: TEXT,
  index: opaque('one or two expressions', (value) => listOf(TEXT, 2).is(value) && value.length > 0),
};
