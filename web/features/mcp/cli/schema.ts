import { either, listOf, needed, optional, type Params, schemaOf, TEXT } from '../../../base/shape';
import type { InputSchema } from './tool';

/** Parameters that several tools have, besides those of web/verbs/params.ts. */

export const TEXTS = listOf(TEXT, undefined, 1);

export const FILE = needed(
  either(TEXT, TEXTS),
  'FILE',
  'A path, an http(s):// or a root:// address of a ROOT file. A list of them, or a pattern (runs/*.root), is read as one: its trees are chained.',
);
export const CUT = optional(
  TEXT,
  'CUT',
  'Selection as TTree::Draw takes it, e.g. "nMuon==2 && Muon_pt[0]>20".',
);
export const COLUMNS = needed(
  TEXTS,
  'NAMES',
  'Branches, patterns with * and ?, or expressions as TTree::Draw takes them.',
);

/** The schema of a tool that reads FILE. */
export const ofFile = (params: Params): InputSchema => schemaOf({ file: FILE, ...params });
