import type { InputSchema } from './tool';

export const text = (description: string) => ({ type: 'string', description });
export const texts = (description: string) => ({
  type: 'array',
  items: { type: 'string' },
  minItems: 1,
  description,
});
export const oneOf = (values: readonly string[], description: string) => ({
  type: 'string',
  enum: values,
  description,
});
export const flag = (description: string) => ({ type: 'boolean', description });
export const count = (description: string, most: number, least = 1) => ({
  type: 'integer',
  minimum: least,
  maximum: most,
  description,
});

export const FILE = {
  anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 1 }],
  description:
    'A path, an http(s):// or a root:// address of a ROOT file. A list of them, or a pattern (runs/*.root), is read as one: its trees are chained.',
};
export const TREE = text('Path of a TTree or RNTuple; may be left out where the file has only one.');
export const CUT = text('Selection as TTree::Draw takes it, e.g. "nMuon==2 && Muon_pt[0]>20".');
export const ENTRIES = {
  type: 'string',
  pattern: '^-?\\d*:-?\\d*$',
  description: 'Only the entries A to B-1, as "A:B"; either may be left out, and "-20:" are the last 20.',
};
export const BRANCHES = texts('Paths of branches, or patterns with * and ?.');
export const COLUMNS = texts('Branches, patterns with * and ?, or expressions as TTree::Draw takes them.');

/** The schema of a tool that reads FILE. */
export function ofFile(properties: InputSchema['properties'], required: readonly string[] = []): InputSchema {
  return {
    type: 'object',
    properties: { file: FILE, ...properties },
    required: ['file', ...required],
    additionalProperties: false,
  };
}
