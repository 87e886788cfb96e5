/** The names that the library has both in browsers and in Node. */

export type {
  AxisRequest,
  AxisRule,
  BranchInfo,
  BranchKind,
  BranchSummary,
  CacheInfo,
  CallOptions,
  ChainPart,
  ChainSource,
  CheckOptions,
  CheckReport,
  CheckRule,
  ClassInfo,
  Compression,
  DrawAllRequest,
  DrawnTogether,
  DrawOutcome,
  DrawRequest,
  DrawResult,
  EntryNumbers,
  EntryRange,
  EntrySample,
  EntrySelection,
  ExpressionRules,
  FileId,
  FileInfo,
  FileSource,
  Finding,
  Frequencies,
  FriendTree,
  Histogram,
  KeyInfo,
  KeyKind,
  MemberInfo,
  PartialNote,
  PlainObject,
  PlainValue,
  ProfileErrors,
  Progress,
  ReaderApi,
  RequestOptions,
  RulesOfRoot,
  Severity,
  SourceSpec,
  SummaryRequest,
  TableValue,
  TreeExpressions,
  TreeInfo,
  UrlSource,
  WholeSource,
} from './api/api';
export { type ErrorCode, type ErrorPlace, type ErrorRecord, XylemError } from './base/errors';
export type { BinContents } from './bins/given-histogram';
export type { Graph, GraphPoint } from './bins/stored-graph';
export type { Column, DType, PrimitiveArray } from './core/columns';
export type { ChunkRequest, EntryChunk } from './export/chunks';
export { plainRows } from './export/plain-rows';
export type { DoctorOptions } from './features/doctor/work/doctor';
export { DOCTOR_RULES, type DoctorRule } from './features/doctor/work/doctor-rules';
export type {
  DoctorCost,
  DoctorFinding,
  DoctorGrade,
  DoctorPromise,
  DoctorRemedy,
  DoctorReport,
} from './features/doctor/work/doctor-types';
export type { ExportRequest } from './features/exports/work/export-tree';
export { EXPORT_FORMATS, type ExportFormat } from './features/exports/work/formats';
export type { KindSum, SegmentKind } from './features/map/work/map';
export type { SelectorCounter } from './features/selectors/work/kinds/counter';
export type {
  SelectorAxis,
  SelectorHistogram,
  SelectorTitles,
} from './features/selectors/work/kinds/histogram';
export type { SelectorJob } from './features/selectors/work/kinds/kinds';
export type { SelectorLabels } from './features/selectors/work/kinds/labels';
export type { TableColumnType } from './features/selectors/work/kinds/rows';
export type { SelectorTable } from './features/selectors/work/kinds/table';
export type {
  EntryOf,
  FourVector,
  ListColumn,
  Selector,
  SelectorColumn,
  SelectorTask,
} from './features/selectors/work/types';
export type { NamedLink } from './features/whatif/work/layout-costs';
export type { MergeInput, WriteApi, XylemReader } from './features/writer/work/api';
export type { Selection } from './features/writer/work/input/selection';
export type { Merged } from './features/writer/work/merge/merge-files';
export type { MergeFile, MergeRootOptions } from './features/writer/work/merge-root';
export type { ExportedTree, RootExportRequest } from './features/writer/work/new/export-root';
export type { WrittenNew } from './features/writer/work/new/new-file';
export type { NewNtupleOptions } from './features/writer/work/new/new-ntuple';
export type { NewTreeOptions } from './features/writer/work/new/new-tree';
export type { ColumnType, ColumnValues } from './features/writer/work/new/values';
export type {
  BasketSum,
  FetchCost,
  PlannedTree,
  PlanOptions,
  WritePlan,
} from './features/writer/work/plan/write-plan';
export type { Lost } from './features/writer/work/salvage/salvage';
export type { HealLevel } from './features/writer/work/verbs/heal';
export type {
  HealOptions,
  MergeOptions,
  RootOptions,
  SalvagedFile,
  SalvageOptions,
  SkimmedFile,
  SkimOptions,
  WrittenFile,
} from './features/writer/work/work';
export type { RootWriter, TreeWriter, WriteRootOptions } from './features/writer/work/write-root';
export type { InsightApi, MapSums } from './insight/api';
export type { LinkEstimate } from './io/link';
export type { ByteSource, Range, SourceInfo } from './io/source';
export type { DroppedReads, ReadRecord, TraceSummary } from './io/trace';
export type { Bin, Bins, Drawn, DrawnHistogram, DrawnTexts } from './library/drawn';
export type { NameOf, Names } from './library/names';
export type { FriendChoice, OpenOptions, RootHandle, TreeOptions } from './library/open-root';
export { readChunks } from './library/read-chunks';
export type { DataOf, Rows, RowValue } from './library/rows';
export type { OneSource, RootSource, SliceSource } from './library/sources';
export type {
  Arrays,
  ChunkOptions,
  DrawChoice,
  DrawListOptions,
  DrawOptions,
  DrawShape,
  ExpressionOptions,
  ProcessedTree,
  ProcessOptions,
  SampleChoice,
  ScanOptions,
  ScanRow,
  TreeHandle,
  TypedArrays,
} from './library/tree-handle';
export { type FileSinkOptions, memorySink, type Sink } from './sinks/sink';
