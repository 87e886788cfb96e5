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
  POSITIVE,
  TEXT,
  TEXT_BY_NAME,
  whole,
} from '../base/shape';
import type { MergeRootOptions } from '../features/writer/work/merge-root';
import type { NewNtupleOptions } from '../features/writer/work/new/new-ntuple';
import type { NewTreeOptions } from '../features/writer/work/new/new-tree';
import type { WriteRootOptions } from '../features/writer/work/write-root';
import type { FriendChoice, OpenOptions, TreeOptions } from './open-root';
import type {
  ChunkOptions,
  DrawChoice,
  DrawListOptions,
  DrawOptions,
  DrawShape,
  ExpressionOptions,
  ProcessOptions,
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
export const PROCESS: Rules<ProcessOptions> = {
  ...CALL,
  set: TEXT_BY_NAME,
  entries: ANY,
  rootVersion: ROOT_VERSION,
  limitMs: whole(1),
  samples: listOf(OBJECT),
  luminosity: POSITIVE,
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
const READER = opaque(
  'a reader',
  (value) => typeof Object(value).open === 'function' && typeof Object(value).close === 'function',
);
export const OPEN: Rules<OpenOptions> = { ...CALL, ...REQUEST, reader: READER };
export const MERGE: Rules<Pick<MergeRootOptions, keyof RequestOptions | 'reader'>> = {
  ...REQUEST,
  reader: READER,
};
export const WRITE: Rules<WriteRootOptions> = {
  codec: TEXT,
  name: TEXT,
  reproducible: FLAG,
  reader: READER,
  signal: CALL.signal,
};
const CLUSTER_BYTES = opaque('a number of bytes above 0', (value) => NUMBER.is(value) && value > 0);
export const NEW_NTUPLE: Rules<NewNtupleOptions> = {
  title: TEXT,
  types: OBJECT,
  clusterBytes: CLUSTER_BYTES,
};
export const NEW_TREE: Rules<NewTreeOptions> = { ...NEW_NTUPLE, counters: TEXT_BY_NAME };
export const TREE: Rules<TreeOptions> = { ...CALL, friends: OBJECT };
export const FRIEND: Rules<FriendChoice> = {
  file: OBJECT,
  tree: TEXT,
  index: opaque('one or two expressions', (value) => listOf(TEXT, 2).is(value) && value.length > 0),
};
