import type { DrawResult, FileInfo, Histogram, Progress } from '../../api/api';
import type { ErrorRecord } from '../../base/errors';
import type { PageState } from '../state/address/url-state';

/** The selected item; without `path` the file itself. */
export interface SelectDetail {
  path?: string | undefined;
  className?: string | undefined;
  /** Path of a branch of the tree at `path`. */
  branch?: string | undefined;
  typeName?: string | undefined;
}

/**
 * The drawing: a branch, with its histogram or frequencies, expressions, or a stored object. With layers it is told twice, the
 * second time with the bins of all: their titles are the names in the legend.
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
  | { kind: 'object'; path: string; className: string };

/** Events of a viewer, for the page around it. */
export interface ViewerEvents {
  open: FileInfo;
  select: SelectDetail;
  plot: PlotDetail;
  progress: Progress;
  error: ErrorRecord;
  /** The state that a link would hold. */
  state: PageState;
}
