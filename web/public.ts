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
export type {
  Calculated,
  CalculatedEfficiency,
  CalculatedNumber,
  CalculatedStatistics,
} from './api/calc';
export type {
  Correction,
  CorrectionInput,
  CorrectionInputs,
  CorrectionSet,
  CorrectionTools,
  CorrectionVariable,
  EventList,
  GoodRuns,
  PileupChoice,
  PileupCounts,
  PileupWeights,
} from './api/corrections';
export type {
  DoctorCost,
  DoctorFinding,
  DoctorGrade,
  DoctorOptions,
  DoctorPromise,
  DoctorRemedy,
  DoctorReport,
  NamedLink,
} from './api/doctor';
export { DOCTOR_RULES, type DoctorRule } from './api/doctor-rules';
export type { ChunkRequest, ExportFormat, ExportRequest } from './api/export';
export type {
  FitInput,
  FitMethod,
  FitOptions,
  FitResult,
  FittedParameter,
  ParameterSetting,
  TogetherOptions,
  TogetherResult,
} from './api/fit';
export type { InsightApi, KindSum, MapSums, SegmentKind } from './api/insight';
export type { ModelInput, ModelTensor, ModelTools, ModelVariable, TrainedModel } from './api/models';
export type { XylemReader } from './api/reader';
export type { FileSinkOptions, Sink } from './api/sink';
export type {
  BasketSum,
  ExportedTree,
  FetchCost,
  HealLevel,
  HealOptions,
  Lost,
  Merged,
  MergeInput,
  MergeOptions,
  PlannedTree,
  PlanOptions,
  RootExportRequest,
  RootOptions,
  SalvagedFile,
  SalvageOptions,
  Selection,
  SkimmedFile,
  SkimOptions,
  WriteApi,
  WritePlan,
  WrittenFile,
  WrittenNew,
} from './api/write';
export { type ErrorCode, type ErrorPlace, type ErrorRecord, XylemError } from './base/errors';
export type { BinContents } from './bins/given-histogram';
export type { SparseHistogram } from './bins/sparse-histogram';
export type { Graph, GraphPoint } from './bins/stored-graph';
export type { Column, DType, PrimitiveArray } from './core/columns';
export type { EntryChunk } from './export/chunks';
export { EXPORT_FORMATS } from './export/formats';
export { plainRows } from './export/plain-rows';
export * from './features/public';
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
  FitValuesOptions,
  ProcessedTree,
  ProcessOptions,
  SampleChoice,
  ScanOptions,
  ScanRow,
  TreeHandle,
  TypedArrays,
} from './library/tree-handle';
export type {
  ColumnType,
  ColumnValues,
  MergeFile,
  MergeRootOptions,
  NewNtupleOptions,
  NewTreeOptions,
  RootWriter,
  TreeWriter,
  WriteRootOptions,
} from './library/write';
export { memorySink } from './sinks/sink';
