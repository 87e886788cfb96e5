import type { CallOptions, FileInfo } from '../../../api/api';
import type { InsightHost, PageInsight } from '../../../insight/api';
import { type ComparedFile, diffFiles } from './diff-files';
import type { DiffPart, DiffReport } from './diff-report';

export interface DiffAsked {
  parts: readonly DiffPart[];
  /** Histograms that differ are the same if chi2 gives this probability or more. */
  probability?: number | undefined;
}

declare module '../../../insight/api' {
  interface PageInsight {
    /** Compares what two open files hold. */
    diff(a: FileInfo, b: FileInfo, asked: DiffAsked, options?: CallOptions): Promise<DiffReport>;
  }
}

export function diff(
  { reader }: InsightHost,
  ...[a, b, { parts, probability }, { signal, onProgress } = {}]: Parameters<PageInsight['diff']>
): Promise<DiffReport> {
  const fileOf = (info: FileInfo): ComparedFile => ({
    reader,
    info,
    keys: () => reader.keys(info.id, { signal }),
    tree: async (path) => ({ info: await reader.tree(info.id, path, { signal }) }),
    object: (path) => reader.object(info.id, path, { signal }),
  });
  const tolerance = { rel: 0, abs: 0 };
  return diffFiles(fileOf(a), fileOf(b), {
    ...{ parts: new Set(parts), probability, tolerance, signal, onProgress },
  });
}
