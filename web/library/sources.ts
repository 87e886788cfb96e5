import type { ChainPart, FileSource, PlainSource, RequestOptions, SourceSpec, WholeSource } from '../api/api';
import { nameOfFile } from '../api/sources';
import { argumentError, throwIfAborted, toXylemError, XylemError } from '../base/errors';
import { shown } from '../base/options';
import { checkRead, pastTheEnd } from '../io/ranges';
import { replicasIn } from '../io/replicas/replica-names';
import { plainAddress } from '../io/schemes';
import type { ByteSource } from '../io/source';

/** A byte source of one's own: the form that hyparquet's AsyncBuffer has, too. */
export interface SliceSource {
  /** Size in bytes. */
  readonly byteLength: number;
  /** Returns the bytes from `start` up to, but without, `end`. Several calls may be under way. */
  slice(start: number, end: number): ArrayBuffer | Uint8Array | Promise<ArrayBuffer | Uint8Array>;
  /** The name that people see. */
  readonly name?: string;
}

/**
 * One file: an address (in Node also a path), a Blob or File, bytes in memory, a byte source of one's own, or a
 * source with its kind.
 */
export type OneSource =
  | string
  | URL
  | Blob
  | ArrayBuffer
  | Uint8Array
  | SliceSource
  | ByteSource
  | FileSource;

/** A source that `openRoot` opens: one file, or several whose trees are read as one. */
export type RootSource = OneSource | SourceSpec | readonly OneSource[];

/**
 * Makes the source with its kind; `named` interprets a text on this host. Headers go to the origin of the
 * first address only, because they may be secret. Throws ARGUMENT.
 */
export function specOf(
  source: RootSource,
  named: (text: string) => WholeSource,
  { headers, credentials, fetch, align }: RequestOptions = {},
): SourceSpec {
  let origin: string | undefined;
  const whole = (spec: WholeSource): WholeSource =>
    spec.kind === 'replicas' ? { ...spec, replicas: spec.replicas.map(plain) } : plain(spec);
  const plain = (spec: PlainSource): PlainSource => {
    if (spec.kind !== 'url') return spec;
    const base = globalThis.location?.href;
    const url = plainAddress(spec.url);
    // Other texts fail when they are opened.
    const here = URL.canParse(url, base) ? new URL(url, base).origin : url;
    origin ??= here;
    return {
      ...spec,
      url,
      ...(headers && here === origin && { headers }),
      ...(credentials && { credentials }),
      ...(fetch && { fetch }),
      ...(align !== undefined && { align }),
    };
  };
  const one = (from: OneSource): FileSource => {
    const spec = plainSpec(from, named);
    return spec.kind === 'within' ? { ...spec, outer: whole(spec.outer) } : whole(spec);
  };
  if (Array.isArray(source)) return { kind: 'chain', files: source.map((file) => ({ source: one(file) })) };
  if (isKind(source) && source.kind === 'chain') {
    return { kind: 'chain', files: source.files.map((part) => ({ ...part, source: one(part.source) })) };
  }
  return one(source as OneSource);
}

/**
 * Returns the source of a text: of one file, or of one with replicas, "root://a//f.root|https://b/f.root". `named` interprets one of
 * them on this host.
 */
export function maybeReplicas(text: string, named: (text: string) => PlainSource): WholeSource {
  const { name, addresses } = replicasIn([text]);
  if (addresses.length === 0 || (addresses.length === 1 && name === undefined)) return named(text);
  return { kind: 'replicas', replicas: addresses.map(named), ...(name !== undefined && { name }) };
}

/** The parts of a source, as they were given and as they are opened. */
export function partsOf(source: RootSource, spec: SourceSpec): { given: OneSource; part: ChainPart }[] {
  const parts = spec.kind === 'chain' ? spec.files : [{ source: spec }];
  return parts.map((part, i) => ({ part, given: Array.isArray(source) ? source[i] : part.source }));
}

function isKind(source: unknown): source is SourceSpec {
  return typeof Object(source).kind === 'string';
}

function plainSpec(source: OneSource, named: (text: string) => WholeSource): FileSource {
  if (typeof source === 'string' || source instanceof URL) return named(String(source));
  if (source instanceof Blob) {
    return { kind: 'blob', blob: source, name: 'name' in source ? String(source.name) : 'blob' };
  }
  if (source instanceof ArrayBuffer) return { kind: 'buffer', buffer: source, name: 'buffer' };
  if (source instanceof Uint8Array) return { kind: 'source', source: sliced(bytesOf(source)) };
  if (isKind(source)) return source as FileSource;
  if (['read', 'info'].every((name) => typeof Object(source)[name] === 'function'))
    return { kind: 'source', source: source as ByteSource };
  if (typeof Object(source).slice === 'function') {
    return { kind: 'source', source: sliced(source as SliceSource) };
  }
  throw argumentError(
    'This is not a source of a ROOT file.',
    'Give an address, a Blob, an ArrayBuffer, { byteLength, slice(start, end) }, or { name, concurrency, read, info }.',
  );
}

const bytesOf = (bytes: Uint8Array): SliceSource => ({
  byteLength: bytes.byteLength,
  slice: (start, end) => bytes.subarray(start, end),
  name: 'buffer',
});

/** Adapts a source of two members to the engine. Throws ARGUMENT when it has no size. */
function sliced(source: SliceSource): ByteSource {
  const { byteLength: size, name = 'source' } = source;
  if (!Number.isSafeInteger(size) || size < 0) {
    throw argumentError(`byteLength is ${String(size)}: it has to be the size of the file in bytes.`);
  }
  return {
    name,
    concurrency: 4,
    async read(offset, length, signal) {
      checkRead({ offset, length });
      throwIfAborted(signal);
      if (offset >= size) throw pastTheEnd(name, offset, length, size);
      const end = Math.min(offset + length, size);
      const bytes = await slice(source, name, offset, end);
      throwIfAborted(signal);
      if (bytes.byteLength === end - offset) return bytes;
      throw new XylemError({
        code: 'IO',
        message: `${name}: slice returned ${bytes.byteLength} bytes where ${end - offset} were asked for.`,
        where: { offset, length: end - offset },
      });
    },
    info: () => ({ size }),
  };
}

async function slice(source: SliceSource, name: string, start: number, end: number): Promise<Uint8Array> {
  try {
    const bytes: unknown = await source.slice(start, end);
    if (bytes instanceof Uint8Array) return bytes;
    if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes);
    throw noBytes(name, bytes);
  } catch (thrown) {
    if (thrown instanceof XylemError) throw thrown;
    const { code, message } = toXylemError(thrown);
    throw new XylemError({
      code: code === 'ABORTED' ? code : 'IO',
      message: `${name}: the bytes from ${start} to ${end} could not be read: ${message}`,
      where: { offset: start, length: end - start },
      cause: thrown,
    });
  }
}

function noBytes(name: string, given: unknown): XylemError {
  const isBlob = given instanceof Blob;
  return argumentError(
    `${name}: slice returned ${isBlob ? 'a Blob' : shown(given)} in place of bytes.`,
    isBlob
      ? 'Give the Blob itself as the source, or return await blob.slice(start, end).arrayBuffer().'
      : 'Return an ArrayBuffer or a Uint8Array.',
  );
}

/** How a source was named, for messages. */
export function nameOfSource(source: SourceSpec): string {
  if (source.kind !== 'chain') return nameOfFile(source);
  return source.files.map((part) => nameOfFile(part.source)).join(',');
}
