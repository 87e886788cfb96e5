import type { DrawResult, FileInfo, Histogram, Progress } from '../../api/api';
import type { ErrorRecord } from '../../base/errors';
import type { PlainReport } from '../../report/plain';
import type { PageState } from '../state/address/url-state';

/** The selected item. Without `path`, the file itself. */
export interface SelectDetail {
  path?: string | undefined;
  className?: string | undefined;
  /** Path of a branch of the tree at `path`. */
  branch?: string | undefined;
  typeName?: string | undefined;
}

/**
 * The drawing: a branch with its histogram or frequencies, expressions, or a stored object. With layers the event is
 * sent twice, the second time with the bins of all layers, whose titles are the names in the legend.
 */
export type PlotDetail =
  | { kind: 'branch'; path: string; branch: string; result: DrawResult; layers?: readonly Histogram[] }
  | {
      kind: 'query';
      path: string;
      expr: string;
      cut: string;
      result: DrawResult;
      layers?: readonly Histogram[];
    }
  /** `result` is the whole stored histogram or profile; undefined for objects of other classes. */
  | { kind: 'object'; path: string; className: string; result?: Histogram };

/** The rows that a table of entries shows. */
export interface RowsDetail {
  /** Path of the tree. */
  path: string;
  /** Paths of its branches, in the order of the columns. */
  columns: readonly string[];
  /** First visible entry. */
  from: number;
  /** The entry after the last visible one. */
  to: number;
  /** The entry chosen by the user. */
  entry: number;
}

/** Events of a viewer, for the page around it. */
export interface ViewerEvents {
  open: FileInfo;
  select: SelectDetail;
  plot: PlotDetail;
  rows: RowsDetail;
  /** The report that is shown, as data. */
  report: PlainReport;
  progress: Progress;
  error: ErrorRecord;
  /** The state for a link. */
  state: PageState;
}
