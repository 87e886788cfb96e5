import { listOf, needed, optional, type Params, type Shape, TEXT, textLike, whole } from '../base/shape';
import { ENTRY_RANGE, ENTRY_RANGES, FRACTION_WORDS, fractionOf } from './entry-range';

/** Parameters that several verbs have. */

export const FILE = needed(
  TEXT,
  'FILE',
  'A path, an http(s):// or a root:// address of a ROOT file. A list with commas, or a pattern (runs/*.root), is read as one: its trees are chained.',
);

/** Returns the value of the parameter "file" for a file: a list if the verb takes several. */
export const fileValue = ({ file }: Params, name: string): string | string[] => (file?.of ? [name] : name);

export const TREE = optional(
  TEXT,
  'TREE',
  'Path of a TTree or RNTuple; may be left out where the file has only one.',
);

export const BRANCHES = optional(
  listOf(TEXT, undefined, 1),
  'NAMES',
  'these branches only, with commas between them: the path, or its last part where that is unique; ' +
    '* stands for any characters, ? for one',
);

export const ENTRIES = optional(
  textLike('a range A:B of entries', ENTRY_RANGE),
  'A:B',
  'the entries A to B-1; A or B may be left out; "-20:" are the last 20',
);

export const CUT = optional(
  TEXT,
  'CUT',
  'Selection as TTree::Draw takes it, e.g. "nMuon==2 && Muon_pt[0]>20".',
);

export const COLUMNS = needed(
  listOf(TEXT, undefined, 1),
  'NAMES',
  'Branches, patterns with * and ?, or expressions as TTree::Draw takes them.',
);

/** The choice of entries that are read. */
export const CHOSEN_ENTRIES = {
  entries: optional(
    // A tool takes a text; on a command line the option may be repeated.
    { ...listOf(TEXT), schema: textLike('', ENTRY_RANGES).schema } as Shape<string | string[]>,
    'A:B',
    'the entries A to B-1; A or B may be left out; "-20:" are the last 20; several ranges with commas: 0:10,50:60',
  ),
  entryList: optional(TEXT, 'FILE', 'the entries that a text file lists, as numbers or ranges A:B'),
  sample: optional(
    TEXT,
    'PART',
    'a random part of the entries (of the range, where one is given), as 1% or 0.01; only baskets that hold ' +
      'some of them are read',
  ),
  seed: optional(whole(0, 0xffffffff), 'N', 'another sample: 0 to 4294967295, default 0'),
} as const satisfies Params;

/** A part of all: above 0, and at most 1. */
export const FRACTION: Shape<number> = {
  words: FRACTION_WORDS,
  is: (value): value is number => typeof value === 'number' && value > 0 && value <= 1,
  schema: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
  parse: fractionOf,
};

/** The use of a file, besides "branches". */
export const USE = {
  reads: optional(
    TEXT,
    'TRACE',
    'the use that a trace recorded: of xylem, ROOT or another program, see docs/features/traces.md',
  ),
  draw: optional(TEXT, 'EXPR', 'a use that draws this'),
  cut: optional(TEXT, 'CUT', 'with --draw: the cut'),
  selector: optional(
    TEXT,
    'SELECTOR',
    'the use of a selector (docs/features/selectors.md): its module is loaded for its branches, and runs over no entry',
  ),
} as const satisfies Params;

export const SAMPLES = optional(
  TEXT,
  'FILE',
  'samples of files with their cross sections: {"samples": [{"name": "dy", "files": ["dy*.root"], "crossSection": 6077}]}; ' +
    'then the files may be left out',
);

/** Explanation of FILE, for the help of commands that read the entries of trees. */
export const CHAIN_TEXT = `FILE is a path or an http(s) URL; also several files as one: a quoted pattern ('run*.root'), a list
(a.root,b.root), or a text file of paths and URLs (@list.txt). A file may name its own tree:
file.root?#tree. TREE may be left out where there is only one.`;
