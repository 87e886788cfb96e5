/** The names of selectors that the library has. */
export { defineSelector } from './define-selector';
export type { BranchText, OptionalBranch } from './work/branches';
export type {
  Branches,
  DefinedSelector,
  EntryValues,
  ProcessColumns,
  ResultOf,
  ResultsOf,
} from './work/define';
export type { Categories, EdgeBins, EqualBins, SelectorAxis } from './work/kinds/axes';
export type { SelectorCounter } from './work/kinds/counter';
export type { GridValue } from './work/kinds/grid';
export type { SelectorHistogram, SelectorTitles } from './work/kinds/histogram';
export type { SelectorJob } from './work/kinds/kinds';
export type { SelectorLabels } from './work/kinds/labels';
export type { SelectorTable } from './work/kinds/table';
export type { TableColumnType } from './work/rows/types';
export type { SelectorFile, SelectorFiles } from './work/selector-files';
export type { EntryOf, FourVector, ListColumn, Selector, SelectorColumn, SelectorTask } from './work/types';
export type { SelectorVariation, SelectorVariations } from './work/vary';
