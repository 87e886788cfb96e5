import { either, listOf, needed, type Params, schemaOf, TEXT } from '../../../base/shape';
import type { InputSchema } from './tool';

export const FILE = needed(
  either(TEXT, listOf(TEXT, undefined, 1)),
  'FILE',
  'A path, an http(s):// or a root:// address of a ROOT file. A list of them, or a pattern (runs/*.root), is read as one: its trees are chained.',
);

/** The schema of a tool that reads FILE. */
export const ofFile = (params: Params): InputSchema => schemaOf({ file: FILE, ...params });
