import type { CallOptions } from '../../../api/api';
import type { ExaminedFile } from '../../../api/doctor';
import { CALL, checkOptions } from '../../../base/options';
import type { InsightHost, PageInsight } from '../../../insight/api';
import type { DatasetModel } from './model';
import { openFacts, pageUse } from './open-fleet';
import { type FleetFinding, type FleetRequest, simulateFleet } from './simulate-fleet';

declare module '../../../insight/api' {
  interface PageInsight {
    /**
     * Simulates jobs at several sites. A data set whose `file` is the name of the open file uses its metadata, and the
     * given tree if it names none. Other data sets are read from their addresses.
     */
    fleet(
      file: ExaminedFile & { size: number },
      tree: string,
      request: FleetRequest,
      options?: CallOptions,
    ): Promise<FleetFinding[]>;
  }
}

export async function fleet(
  { reader }: InsightHost,
  ...[file, tree, request, options = {}]: Parameters<PageInsight['fleet']>
): Promise<FleetFinding[]> {
  checkOptions('fleet', options, CALL);
  const facts = (dataset: DatasetModel) => openFacts(reader, file, tree, dataset);
  return simulateFleet(request, { facts, use: pageUse(request) }, options);
}
