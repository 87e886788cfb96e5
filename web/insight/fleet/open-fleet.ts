import type { EngineApi } from '../../api/engine-api';
import { XylemError } from '../../base/errors';
import { isTree } from '../../model/key-kind';
import type { ExaminedFile } from '../doctor/doctor';
import type { DatasetModel } from './model';
import { type DatasetFacts, datasetFacts } from './works';

export { simulateFleet } from './simulate-fleet';

/**
 * The metadata of a data set: of the open file when it has its name, else of the file at that address. Rejects with
 * XylemError.
 */
export async function openFacts(
  api: EngineApi,
  open: ExaminedFile & { size: number },
  tree: string,
  dataset: DatasetModel,
): Promise<DatasetFacts> {
  if (dataset.file === open.name) return datasetFacts(api, open, dataset.tree ?? tree);
  if (!/^https?:\/\//.test(dataset.file)) {
    throw new XylemError({
      code: 'ARGUMENT',
      message: `The data set "${dataset.name}" names the file "${dataset.file}", which is not open here.`,
      fix: `Write the name of the open file, "${open.name}", or an address.`,
    });
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
