import { resolve } from 'node:path';

const SELECTOR = resolve(import.meta.dirname, '../../docs/features/selectors/q1-met.mjs');

/**
 * Lines of each command that reads files. Words: U is the address, C a local file, L a list of addresses, T a trace of reading the address, O a file to write with this ending.
 */
export const LINES: Record<string, string[][]> = {
  ls: [['U'], ['U', 't'], ['U', 'nosuch'], ['L']],
  keys: [['U']],
  tree: [['U', 't']],
  values: [
    ['U', 't', '--entries', '0:2'],
    ['U', 't', '--digest'],
  ],
  object: [
    ['U', 'h'],
    ['U', 'nosuch'],
  ],
  types: [['U']],
  check: [['U'], ['L']],
  diff: [
    ['U', 'C'],
    ['C', 'U'],
  ],
  serve: [['U']],
  mcp: [['U']],
  hist: [['U', 'h']],
  draw: [
    ['U', 't', 'n'],
    ['U', 't', 'n', '--svg', 'O.svg'],
    ['U', 't', 'n', '--root', 'O.root'],
    ['U', 't', 'n', '--csv', 'O.csv'],
    ['C', 't', 'n', '--layer', 'n; file=U'],
    ['C', 't', 'n', '--layer', 'n; src=U'],
    ['U', 't', 'nosuch+'],
    ['U', 't', 'n', '--partial', '-', '--hist', '3,0,9'],
    ['L', 't', 'n', '--partial', 'O.json', '--hist', '3,0,9', '--jobs', '1'],
  ],
  wall: [
    ['U'],
    ['U', '--svg', 'O.svg'],
    ['U', '--html', 'O.html'],
    ['U', '--pdf', 'O.pdf'],
    ['U', '--reference', 'C', '--junit', '-'],
    ['C', '--reference', 'U', '--html', 'O.html'],
  ],
  combine: [['U']],
  process: [
    [SELECTOR, 'U', 't'],
    [SELECTOR, 'L', 't'],
    ['U', 'U', 't'],
  ],
  dataset: [
    ['U', 't'],
    ['L', 't', '--deep'],
  ],
  plan: [],
  scan: [['U', 't', 'n', '--limit', '2']],
  perf: [
    ['U', 't'],
    ['U', 't', '--html', 'O.html'],
    ['U', 't', '--svg', 'O.svg'],
    ['U', 't', '--trace', 'O.json'],
    ['T', '--file', 'U'],
    ['T', '--file', 'U', '--html', 'O.html'],
    ['T', '--file', 'U', '--trace-events', 'O.json'],
  ],
  whatif: [['U', 't']],
  fleet: [['U']],
  doctor: [['U'], ['U', '--html', 'O.html']],
  map: [['U'], ['U', '--svg', 'O.svg'], ['U', '--reads', 'T']],
  layout: [['U', 't']],
  probe: [['U']],
  summary: [['U', 't']],
  cache: [['clear', 'U'], ['keep', 'U'], ['list'], ['clear', 'U'], ['U']],
  completion: [['U']],
  entry: [['U', 't', '0']],
  export: [
    ['U', 't', '--format', 'jsonl', '--branches', 'n'],
    ['U', 't', '--format', 'parquet', '--branches', 'n', '--out', 'O.parquet'],
    ['U', 't', '--format', 'arrow', '--branches', 'n', '--out', 'O.arrow'],
  ],
  heal: [
    ['U', 'O.root'],
    ['U', '--dry-run'],
  ],
  salvage: [['U', 'O.root']],
  skim: [['U', 'O.root', '--tree', 't', '--entries', '1:2']],
  merge: [
    ['O.root', 'U', 'U'],
    ['O.root', 'L'],
  ],
};
