import type { CallOptions, EntrySelection, FileId, TreeLayout } from '../../../api/api';
import type { NamedLink } from '../../../api/doctor';
import type { PerfReport } from '../../../api/reading';
import { CALL, checkOptions } from '../../../base/options';
import type { InsightHost, PageInsight } from '../../../insight/api';
import { chooseEntries } from '../../../model/entry-choice';
import type { Strategy } from '../../whatif/work/programs';
import { simulatedReport } from './simulated';

export interface ProgramReadsRequest {
  /** Path of the tree, optionally with ";cycle". */
  tree: string;
  /** Name of the file. */
  file: string;
  program: Strategy;
  /** Indices of branches in the order in which they are read for an entry. */
  branches: readonly number[];
  entries?: EntrySelection | undefined;
  from: NamedLink;
  /** The healed layout, and how it was healed. Default: as the file is. */
  healed?: { layout: TreeLayout; form: string } | undefined;
}

declare module '../../../insight/api' {
  interface PageInsight {
    /** Returns how a program would read a tree. Reads nothing. */
    programReads(file: FileId, request: ProgramReadsRequest, options?: CallOptions): Promise<PerfReport>;
  }
}

export async function programReads(
  { layoutOf }: InsightHost,
  ...[id, request, options = {}]: Parameters<PageInsight['programReads']>
): Promise<PerfReport> {
  checkOptions('programReads', options, CALL);
  const { tree, file, program, branches, entries, from, healed } = request;
  const layout = healed?.layout ?? (await layoutOf(id, tree));
  const choice = chooseEntries(entries, layout.tree.entries);
  return simulatedReport({ file, layout, branches, entries: choice, from, form: healed?.form }, program);
}
