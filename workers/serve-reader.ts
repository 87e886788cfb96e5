import type { FileId, FileSource, SourceSpec, WholeSource } from '../web/api/api';
import type { EngineApi } from '../web/api/engine-api';
import { XylemError } from '../web/base/errors';
import type { PageInsight } from '../web/insight/api';
import type { EngineReader } from '../web/write/api';
import type { WriteWork } from '../web/write/work';
import { channelEndpoint, type ReaderChannel } from './json-channel';
import { type LentWork, lentWork } from './lent-host';
import { borrowSource, isLent } from './lent-source';
import { expose } from './rpc';

/** All calls that a served reader answers. */
export type ServedReader = EngineApi & PageInsight & LentWork;

/** The source that an address stands for; undefined where it is read only if it is one of http(s):// or root://. */
export type ServedSource = (address: string) => WholeSource | undefined;

/** Answers the calls of the other side of a channel with a reader of this one; returns what ends that. */
export function answerReader(
  channel: ReaderChannel,
  reader: EngineReader,
  write: () => Promise<{ work: WriteWork; module: WebAssembly.Module }>,
  sourceOf: ServedSource = () => undefined,
): () => void {
  const end = channelEndpoint(channel, 'b');
  const files = new Set<FileId>();
  const whole = (source: WholeSource): WholeSource => {
    if (isLent(source)) return { kind: 'source', source: borrowSource(source) };
    if (source.kind === 'url') {
      const opened = sourceOf(source.url) ?? readable(source.url);
      return opened.kind === 'url' ? { ...source, url: opened.url } : opened;
    }
    if (source.kind === 'buffer') return source;
    throw refused(source.kind);
  };
  const file = (source: FileSource): FileSource =>
    source.kind === 'within' ? { ...source, outer: whole(source.outer) } : whole(source);
  const placed = (source: SourceSpec): SourceSpec =>
    source.kind === 'chain'
      ? { ...source, files: source.files.map((part) => ({ ...part, source: file(part.source) })) }
      : file(source);
  const { insight, writer: _writer, terminate: _terminate, ...calls } = reader;
  const work = lentWork(async () => {
    const { work: own, module } = await write();
    return withModule(own, module);
  });
  const served = expose<ServedReader>(end, {
    ...(insight as PageInsight),
    ...work,
    ...calls,
    async open(source, options) {
      const info = await reader.open(placed(source), options);
      files.add(info.id);
      return info;
    },
    async close(id) {
      files.delete(id);
      await reader.close(id);
    },
  });
  return () => {
    served.close();
    end.close();
    for (const id of files) void reader.close(id).catch(() => {});
    files.clear();
  };
}

/** The last argument of each call is its task, which has the module of the other side, or none. */
function withModule(work: WriteWork, writer: WebAssembly.Module): WriteWork {
  const calls = Object.entries(work) as [string, (...args: unknown[]) => unknown][];
  return Object.fromEntries(
    calls.map(([name, call]) => [
      name,
      (...args: unknown[]) => call(...args.slice(0, -1), { ...(args.at(-1) as object), writer }),
    ]),
  ) as unknown as WriteWork;
}

function readable(address: string): WholeSource {
  if (/^(https?|roots?):\/\//i.test(address)) return { kind: 'url', url: address };
  throw refused(address);
}

function refused(what: string): XylemError {
  return new XylemError({ code: 'ARGUMENT', message: `"${what}" is not read for this viewer.` });
}
