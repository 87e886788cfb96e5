import type { FileId, FileSource, FriendTree, SourceSpec, UrlSource, WholeSource } from '../web/api/api';
import { deferredReader } from '../web/api/deferred-reader';
import type { EngineApi, ReopenOptions } from '../web/api/engine-api';
import type { WriteWork } from '../web/api/write';
import { overBudget, unsupported } from '../web/base/data-errors';
import { argumentError, toXylemError, XylemError } from '../web/base/errors';
import { methodsBy } from '../web/base/forward';
import type { PageInsight } from '../web/insight/api';
import { isRemote, plainAddress } from '../web/io/schemes';
import { hasSecrets } from '../web/io/signatures';
import { FRIENDS, type Guarded } from '../web/query/friends/friend-files';
import { channelEndpoint, type ReaderChannel } from './json-channel';
import { type LentWork, lentWork } from './lent-host';
import { borrowSource, isLent } from './lent-source';
import { expose } from './rpc';
import { Turns } from './turns';

/** All calls that a served reader answers. */
export type ServedReader = EngineApi & PageInsight & LentWork;

/**
 * Returns the source for an address; undefined if only http(s):// and root:// addresses are read. With `beside`, a
 * tree of that file names the address or path as that of a friend.
 */
export type ServedSource = (
  address: string,
  beside?: WholeSource,
) => WholeSource | undefined | Promise<WholeSource | undefined>;

/** Maximum number of open files of a viewer. Each takes a file descriptor of the program. */
const MAX_FILES = 512;

/** The parts that work with a reader. `insight` has a method for any name. */
export interface ServedParts {
  insight(reader: EngineApi): PageInsight;
  write(reader: EngineApi): Promise<WriteWork>;
  /** Loads xylem-write.wasm. */
  writer(): Promise<WebAssembly.Module>;
}

/**
 * Answers the calls from the other side of a channel with a local reader, until the channel ends. Returns a function
 * that ends it earlier. The other side can use only files that it opened; it cannot run code or manage the cache.
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
    const [written, module] = await Promise.all([parts.write(own), parts.writer()]);
    return withModule(written, module);
  });
  const calls = {
    ...work,
    ...own,
    // The module of the writer cannot be sent, so only the program itself can make this call.
    makeBaskets: () => notServed('Baskets are made by the program that reads, while it writes a file.'),
  } as unknown as Calls;
  const insight = parts.insight(own) as unknown as Calls;
  const served = expose(
    end,
    methodsBy<ServedReader>((name) => understood(name, calls[name] ?? insight[name])),
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

type Calls = Record<string, (...args: unknown[]) => unknown>;

/** Wraps a call: errors say so if the other side used a form that no viewer of this version sends. */
const understood =
  (name: string, call: Calls[string] | undefined) =>
  async (...args: unknown[]) => {
    try {
      return await call?.(...args);
    } catch (thrown) {
      const error = toXylemError(thrown);
      const isForm = error.code === 'INTERNAL' && error.cause instanceof TypeError;
      throw isForm ? malformed(name, error) : error;
    }
  };

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

/** Calls that need much memory. They never call the other side, so they cannot wait for each other. */
const IN_TURN: ReadonlySet<string> = new Set<keyof EngineApi>([
  'draw',
  'drawAll',
  'scan',
  'arrays',
  'readBlock',
  'summarize',
  'functionValues',
]);

/** The files that the other side has open. After its channel has ended it opens no more. */
interface OpenFiles {
  ids: Set<FileId>;
  over: boolean;
}

/** Returns a reader for another program: only for files opened by it, which are listed in `files`. */
function ownFiles(reader: EngineApi, files: OpenFiles, sourceOf: ServedSource): EngineApi {
  let opening = 0;
  /** Friends of trees are checked, too, because a file may name any path and any address. */
  const guarded = (source: WholeSource, isAsked = false): WholeSource => {
    const friends = async (place: WholeSource): Promise<WholeSource> => {
      const address = place.kind === 'url' ? place.url : place.kind === 'path' ? place.path : '';
      const { [FRIENDS]: _, ...beside } = source as Guarded;
      const given = await sourceOf(address, beside);
      if (given) return guarded(wished(given, { kind: 'url', url: address }));
      // Headers of the program are meant for the sources it gave, not for addresses that a file names on the same
      // server.
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
    // The other side may not choose the id.
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
    // The cache contains files of others, too.
    cacheInfo: async () => undefined,
    clearCache: () => notServed(CACHE),
    limitCache: () => notServed(CACHE),
  };
}

const CACHE = 'The cache of this reader is that of another program.';

async function notServed(message: string): Promise<never> {
  throw unsupported(message);
}

/** Returns the files that the arguments of a call name: the first one, and those of friends. */
function filesOf([file, request]: readonly unknown[]): unknown[] {
  const { friends } = Object(request) as { friends?: readonly FriendTree[] | null };
  return [file, ...[friends ?? []].flat().map((friend) => friend?.file)];
}

function notOpen(): XylemError {
  return argumentError('This viewer has no such file open.');
}

/** The last argument of each call is its task. Its module is replaced by that of this side. */
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
 * Returns the source as the program gave it. The viewer may only restrict caching and set the request size. Content
 * read with secrets of the program is not kept in the cache, where other viewers could get it by its address.
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

/** Whether access to a source depends on its headers or on secrets in its address. */
function isSigned({ url, headers }: UrlSource): boolean {
  return Object.keys(headers ?? {}).length > 0 || (URL.canParse(url) && hasSecrets(new URL(url)));
}

/** Returns the source for an address named by a file beside one of the program, without the program's headers. */
function named({ url, cache, align }: UrlSource): WholeSource {
  return { kind: 'url', url, token: 'none', ...(cache && { cache }), ...(align !== undefined && { align }) };
}

/**
 * Returns the source for an address that the viewer requests. Content read with secrets in the address is not cached,
 * because others could read it without them.
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
