import type { CallOptions, FileInfo } from '../../../api/api';
import { CALL, checkOptions } from '../../../base/options';
import type { InsightHost, PageInsight } from '../../../insight/api';
import { type CardRequest, type EntryCard, findEntry, readCard, type StepRequest } from './card';

declare module '../../../insight/api' {
  interface PageInsight {
    /** Reads all branches of one entry. Throws ARGUMENT if there is no such entry. */
    entryCard(file: FileInfo, request: CardRequest, options?: CallOptions): Promise<EntryCard>;
    /** Returns the entry that passes a cut next to another one; undefined if there is none. */
    findEntry(file: FileInfo, request: StepRequest, options?: CallOptions): Promise<number | undefined>;
  }
}

export async function entryCard(
  { reader }: InsightHost,
  ...[file, request, options]: Parameters<PageInsight['entryCard']>
): Promise<EntryCard> {
  checkOptions('entryCard', options, CALL);
  return await readCard(reader, file, await reader.tree(file.id, request.tree, options), request, options);
}

export async function nextEntry(
  { reader }: InsightHost,
  ...[file, request, options]: Parameters<PageInsight['findEntry']>
): Promise<number | undefined> {
  checkOptions('findEntry', options, CALL);
  return await findEntry(
    reader,
    file.id,
    await reader.tree(file.id, request.tree, options),
    request,
    options,
  );
}
