import type { FileId, FileSource, FriendTree, SourceSpec, UrlSource, WholeSource } from '../web/api/api';
import { deferredReader } from '../web/api/deferred-reader';
import type { EngineApi, ReopenOptions } from '../web/api/engine-api';
import { overBudget, unsupported } from '../web/base/data-errors';
import { argumentError, toXylemError, XylemError } from '../web/base/errors';
import type { PageInsight } from '../web/insight/api';
import { isRemote, plainAddress } from '../web/io/schemes';
import { hasSecrets } from '../web/io/signatures';
import { deferredInsight } from '../web/library/deferred';
import { FRIENDS, type Guarded } from '../web/query/friends/friend-files';
import type { WriteWork } from '../web/write/work';
import { channelEndpoint, type ReaderChannel } from './json-channel';
import { type LentWork, lentWork } from './lent-host';
import { borrowSource, isLent } from './lent-source';
import { expose } from './rpc';
import { Turns } from './turns';

/** All calls that a served reader answers. */
export type ServedReader = EngineApi & PageInsight & LentWork;

/**
 * The source that an address stands for; undefined where it is read only if it is one of http(s):// or root://. With
 * `beside`, a tree of that file names the address, or the path, as that of a friend.
 */
export type ServedSource = (
  address: string,
  beside?: WholeSource,
) => WholeSource | undefined | Promise<WholeSource | undefined>;

/** Most files that a viewer has open at once: each takes a descriptor of the program, which has few. */
const MAX_FILES = 512;

/** Makes what works with a reader, for the first call that needs it. */
export interface ServedParts {
  insight(reader: EngineApi): Promise<PageInsight>;
  write(reader: EngineApi): Promise<{ work: WriteWork; module: WebAssembly.Module }>;
}

/**
 * Answers the calls of the other side of a channel with a reader of this one, until the channel ends; returns what ends
 * that before. The other side has the files that it opened, and neither runs code here nor manages the cache.
 */
export function answerReader(
  channel: ReaderChannel,
  reader: EngineApi,
  parts: ServedParts,
  sourceOf: ServedSource = () => undefined,
): () => void {
  const end = channelEndpoint(channel, 'b');
  const files: OpenFiles = { ids: new Set(), over: false };
  const own = ownFiles(reader, files, sourceOf);
  const work = lentWork(async () => {
    const { work: written, module } = await parts.write(own);
    return withModule(written, module);
  });
  let insight: Promise<PageInsight> | undefined;
  const served = expose(
    end,
    understood<ServedReader>({
      ...deferredInsight(
        () => (insight ??= parts.insight(own)),
        () => {},
      ),
      ...work,
      ...own,
      // The module of the writer cannot cross, so that only the program itself can call it.
      makeBaskets: () => notServed('Baskets are made by the program that reads, while it writes a file.'),
    }),
  );
  const finish = (): void => {
    served.close();
    end.close();
    files.over = true;
    for (const id of files.ids) void reader.close(id).catch(() => {});
    files.ids.clear();
  };
  end.onFailure(finish);
  return finish;
}

/** The same calls, whose errors say so where the other side asked in a form that no viewer of this version has. */
function understood<T extends object>(api: T): T {
  type Call = (...args: unknown[]) => unknown;
  const calls = Object.entries(api).map(([name, call]) => [
    name,
    async (...args: unknown[]) => {
      try {
        return await (call as Call)(...args);
      } catch (thrown) {
        const error = toXylemError(thrown);
        const isForm = error.code === 'INTERNAL' && error.cause instanceof TypeError;
        throw isForm ? malformed(name, error) : error;
      }
    },
  ]);
  return Object.fromEntries(calls) as T;
}

function malformed(name: string, { message, cause }: XylemError): XylemError {
  return new XylemError({
    code: 'ARGUMENT',
    message: `The arguments of ${name}() from this viewer cannot be understood: ${message.replace(/\.$/, '')}.`,
    where: { breadcrumbs: ['reader channel'] },
    fix: 'Use the same version of xylem at both ends of the channel. If it is the same, this is a fault of xylem: please report it.',
    cause,
  });
}

/** Calls that name no file. */
const WITHOUT_FILE: ReadonlySet<string> = new Set<keyof EngineApi>([
  'warm',
  'functionValues',
  'encode',
  'makeBaskets',
]);

/** Calls whose results and work take much memory. They call nothing of the other side, so that none waits for another. */
const IN_TURN: ReadonlySet<string> = new Set<keyof EngineApi>([
  'draw',
  'drawAll',
  'scan',
  'arrays',
  'readBlock',
  'summarize',
  'functionValues',
]);

/** The files that the other side has open; when its channel is over, it opens no more. */
interface OpenFiles {
  ids: Set<FileId>;
  over: boolean;
}

/** A reader for another program: of the files that this opens, which are noted in `files`. */
function ownFiles(reader: EngineApi, files: OpenFiles, sourceOf: ServedSource): EngineApi {
  let opening = 0;
  /** Friends that trees of a file name are asked for, too: a file may name any path and any address. */
  const guarded = (source: WholeSource, isAsked = false): WholeSource => {
    const friends = async (place: WholeSource): Promise<WholeSource> => {
      const address = place.kind === 'url' ? place.url : place.kind === 'path' ? place.path : '';
      const { [FRIENDS]: _, ...beside } = source as Guarded;
      const given = await sourceOf(address, beside);
      if (given) return guarded(wished(given, { kind: 'url', url: address }));
      // Headers of the program are for what it gave them for, and not for what a file names on the same server.
      if (place.kind !== 'url') throw refused(address);
      return guarded(isAsked ? place : named(place), isAsked);
    };
    return { ...source, [FRIENDS]: friends } as Guarded;
  };
  const whole = async (source: WholeSource): Promise<WholeSource> => {
    if (isLent(source)) return { kind: 'source', source: borrowSource(source) };
    if (source.kind === 'buffer') return source;
    if (source.kind !== 'url') throw refused(source.kind);
    if (typeof source.url !== 'string') throw refused(typeof source.url);
    const given = await sourceOf(source.url);
    return given ? guarded(wished(given, source)) : guarded(asked(source), true);
  };
  const file = async (source: FileSource): Promise<FileSource> =>
    source.kind === 'within' ? { ...source, outer: await whole(source.outer) } : await whole(source);
  const placed = async (source: SourceSpec): Promise<SourceSpec> => {
    if (source.kind !== 'chain') return await file(source);
    const files = source.files.map(async (part) => ({ ...part, source: await file(part.source) }));
    return { ...source, files: await Promise.all(files) };
  };
  type Call = (...args: unknown[]) => Promise<unknown>;
  const turns = new Turns();
  const calls = Object.entries(deferredReader(async () => reader)).map(([name, given]) => {
    const call = given as Call;
    const checked: Call = async (...args) => {
      for (const id of filesOf(args)) if (!files.ids.has(id as FileId)) throw notOpen();
      return await call(...args);
    };
    const own = WITHOUT_FILE.has(name) ? call : checked;
    return [name, IN_TURN.has(name) ? (...args: unknown[]) => turns.run(() => own(...args)) : own];
  });
  return {
    ...(Object.fromEntries(calls) as EngineApi),
    // The id is not for the other side to say.
    async open(source, { as: _as, ...options }: ReopenOptions = {}) {
      if (files.ids.size + opening >= MAX_FILES) throw tooMany();
      opening++;
      try {
        const info = await reader.open(await placed(source), options);
        if (files.over) await reader.close(info.id).catch(() => {});
        else files.ids.add(info.id);
        return info;
      } finally {
        opening--;
      }
    },
    async close(id) {
      if (files.ids.delete(id)) await reader.close(id);
    },
    process: () =>
      notServed('Selectors are code, which a reader does not run for a viewer of another program.'),
    // It has files of others, too.
    cacheInfo: async () => undefined,
    clearCache: () => notServed(CACHE),
    limitCache: () => notServed(CACHE),
  };
}

const CACHE = 'The cache of this reader is that of another program.';

async function notServed(message: string): Promise<never> {
  throw unsupported(message);
}

/** The files that the arguments of a call name: the first one, and those of friends. */
function filesOf([file, request]: readonly unknown[]): unknown[] {
  const { friends } = Object(request) as { friends?: readonly FriendTree[] | null };
  return [file, ...[friends ?? []].flat().map((friend) => friend?.file)];
}

function notOpen(): XylemError {
  return argumentError('This viewer has no such file open.');
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

/**
 * The source of the program as it gave it; the viewer says only that less is kept, and the size of requests. What is read by
 * secrets of the program is not kept in the cache: other viewers would get it by its address while its server cannot be reached.
 */
function wished(given: WholeSource, { cache, align }: UrlSource): WholeSource {
  if (given.kind !== 'url') return given;
  const isSecret = given.fetch !== undefined || isSigned(given);
  return {
    ...((cache === 'none' || isSecret) && { cache: 'none' as const }),
    ...(align !== undefined && { align }),
    ...given,
  };
}

/** Whether headers or the address of a source say who may read it. */
function isSigned({ url, headers }: UrlSource): boolean {
  return Object.keys(headers ?? {}).length > 0 || (URL.canParse(url) && hasSecrets(new URL(url)));
}

/** An address that a file names beside one of the program, without the headers of that. */
function named({ url, cache, align }: UrlSource): WholeSource {
  return { kind: 'url', url, token: 'none', ...(cache && { cache }), ...(align !== undefined && { align }) };
}

/**
 * An address that the viewer asks for. What is read by its secrets is not kept in the cache, from which others would get it who
 * have none.
 */
function asked(source: UrlSource): WholeSource {
  const { url, headers, cache, align, token } = source;
  return {
    ...readable(url),
    ...(headers !== undefined && { headers }),
    ...((cache === 'none' || isSigned(source)) && { cache: 'none' as const }),
    ...(align !== undefined && { align }),
    ...(token === 'none' && { token }),
  };
}

function readable(address: string): UrlSource {
  if (isRemote(address)) return { kind: 'url', url: plainAddress(address) };
  throw refused(address);
}

function tooMany(): XylemError {
  return overBudget(`This viewer has ${MAX_FILES} files open.`, 'Close some of them.');
}

function refused(what: string): XylemError {
  return argumentError(`"${what}" is not read for this viewer.`);
}
