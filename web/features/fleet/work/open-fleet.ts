import type { ExaminedFile } from '../../../api/doctor';
import type { EngineApi } from '../../../api/engine-api';
import { together } from '../../../api/reading';
import { argumentError, XylemError } from '../../../base/errors';
import { protocolOf } from '../../../io/schemes';
import { isTree } from '../../../model/keys';
import type { DatasetModel } from './model';
import type { FleetRequest } from './simulate-fleet';
import { type DatasetFacts, datasetFacts, type FleetSources } from './works';

/** Name of the page's selector in a model. */
const SELECTOR = 'selector.js';

/**
 * Returns the uses of a page. Traces are found by the name of the program that read; the selector is that of the
 * page's tab.
 */
export function pageUse({
  readings = [],
  selector: held,
}: Pick<FleetRequest, 'readings' | 'selector'>): FleetSources['use'] {
  return async ({ name, trace, selector }) => {
    if (selector === SELECTOR && held !== undefined) return { use: { name, selector: held } };
    if (selector !== '') {
      throw argumentError(
        `The use "${name}" names the selector "${selector}", and the page has only that of the tab Selector.`,
        `Open it in the tab Selector, and name it "${SELECTOR}".`,
      );
    }
    const own = readings.filter(({ by }) => by === trace);
    const [first] = own;
    if (first !== undefined) return { use: { name, reading: together(own) }, readings: own };
    const known = [...new Set(readings.map(({ by }) => `"${by}"`))].join(', ');
    throw argumentError(
      `The use "${name}" names the trace "${trace}", which is not open here.`,
      known === '' ? 'Drop a trace on the open file first.' : `The traces that are open: ${known}.`,
    );
  };
}

/**
 * Returns the metadata of a data set: those of the open file if it has its name, otherwise of the file at that
 * address. Rejects with XylemError.
 */
export async function openFacts(
  api: EngineApi,
  open: ExaminedFile & { size: number },
  tree: string,
  dataset: DatasetModel,
): Promise<DatasetFacts> {
  if (dataset.file === open.name) return datasetFacts(api, open, dataset.tree ?? tree);
  if (protocolOf(dataset.file) !== 'http') {
    throw argumentError(
      `The data set "${dataset.name}" names the file "${dataset.file}", which is not open here.`,
      `Write the name of the open file, "${open.name}", or an address.`,
    );
  }
  const info = await api.open({ kind: 'url', url: dataset.file });
  try {
    const path = dataset.tree ?? (await api.keys(info.id)).find(isTree)?.path;
    if (path !== undefined) return await datasetFacts(api, info, path);
    throw new XylemError({
      code: 'NOT_FOUND',
      message: `${dataset.file} has no tree.`,
      fix: 'Name a file with a TTree or an RNTuple.',
    });
  } finally {
    await api.close(info.id);
  }
}
