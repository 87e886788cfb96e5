import type { FileSource, PlainSource, SourceSpec, WholeSource } from '../web/api/api';
import type { Host } from './host';
import { lendSource } from './lent-source';
import { transferable } from './protocol';

/**
 * Returns a source that another thread or program can open. Functions of the page stay here, and are called through
 * ports.
 */
export async function sendable(
  source: SourceSpec,
  host: Pick<Host, 'openSource'>,
  stays: (source: WholeSource) => boolean = callsBack,
): Promise<SourceSpec> {
  const ports: MessagePort[] = [];
  const whole = async (one: WholeSource): Promise<WholeSource> =>
    one.kind === 'replicas'
      ? { ...one, replicas: await Promise.all(one.replicas.map(plain)) }
      : await plain(one);
  const plain = async (one: PlainSource): Promise<PlainSource> => {
    if (!stays(one)) return one;
    const lent = lendSource(await host.openSource(one));
    ports.push(lent.port);
    // `borrowSource` on the other side knows this kind, too.
    return lent as unknown as PlainSource;
  };
  const file = async (one: FileSource): Promise<FileSource> =>
    one.kind === 'within' ? { ...one, outer: await whole(one.outer) } : await whole(one);
  if (source.kind !== 'chain') {
    const sent = await file(source);
    return ports.length === 0 ? source : transferable(sent, ports);
  }
  const files = await Promise.all(
    source.files.map(async (part) => ({ ...part, source: await file(part.source) })),
  );
  return ports.length === 0 ? source : transferable({ ...source, files }, ports);
}

/** Whether a source consists of objects of this page. */
export function callsBack(source: WholeSource): boolean {
  return source.kind === 'source' || (source.kind === 'url' && source.fetch !== undefined);
}
