import type { ErrorRecord } from '../base/errors';
import type { DrawResult, FileInfo, Progress, QueryOutcome } from '../file/api';
import type { PageState } from './page-state';

/** What was chosen; without `path` the file itself. */
export interface SelectDetail {
  path?: string | undefined;
  className?: string | undefined;
  /** Path of a branch of the tree at `path`. */
  branch?: string | undefined;
  typeName?: string | undefined;
}

/** What is drawn: a branch, with the histogram or frequencies of it, expressions, or a stored object. */
export type PlotDetail =
  | { kind: 'branch'; path: string; branch: string; result: DrawResult }
  | { kind: 'query'; path: string; expr: string; cut: string; result: QueryOutcome }
  | { kind: 'object'; path: string; className: string };

/** What happens in a viewer, for the page that it is in. */
export interface ViewerEvents {
  open: FileInfo;
  select: SelectDetail;
  plot: PlotDetail;
  progress: Progress;
  error: ErrorRecord;
  /** What a link would hold. */
  state: PageState;
}
