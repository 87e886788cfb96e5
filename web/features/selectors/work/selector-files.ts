import { unsupported } from '../../../base/data-errors';
import { argumentError, XylemError } from '../../../base/errors';
import { withNames } from './misspelt';

/** A file that a selector declares. Its content is unpacked if it is gzip. */
export interface SelectorFile {
  /** As the selector names it. */
  readonly name: string;
  readonly bytes: Uint8Array;
  text(): string;
  /** Throws ARGUMENT if it is not JSON. */
  json(): unknown;
}

export type SelectorFiles = Readonly<Record<string, SelectorFile>>;

/** Returns the bytes of an address. */
type ReadBytes = (url: URL) => Promise<Uint8Array>;

async function fetched(url: URL): Promise<Uint8Array> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

let readBytes: ReadBytes = fetched;

/** Replaces how this thread reads files of selectors. Called by hosts whose modules are files. */
export function readFilesBy(read: ReadBytes): void {
  readBytes = read;
}

/** Returns why the text cannot be the name of a file; undefined if it can. */
export function whyNoFile(name: unknown): string | undefined {
  if (typeof name !== 'string' || name.trim() === '') return 'is not the name of a file';
  if (/^([/\\]|[a-z][\w+.-]*:)/i.test(name))
    return 'is not a path beside the selector, so that it cannot travel with it';
  return undefined;
}

/** Reads the files that a selector declares, by their names. Throws ARGUMENT, IO and UNSUPPORTED. */
export async function readFiles(
  module: string,
  declared: Readonly<Record<string, string>> = {},
): Promise<SelectorFiles> {
  const found = await Promise.all(
    Object.entries(declared).map(
      async ([name, path]): Promise<[string, SelectorFile]> => [
        name,
        fileOf(path, await contentOf(module, path)),
      ],
    ),
  );
  return withNames(Object.fromEntries(found), (name) => `The selector declares no file "${name}".`);
}

async function contentOf(module: string, path: string): Promise<Uint8Array> {
  const base = module.startsWith('/') ? `file://${module}` : module;
  if (!URL.canParse(path, base)) {
    throw unsupported(
      `A selector that is a text has no files beside it, such as "${path}".`,
      'Run it by "xylem process", or write what it needs into its text.',
    );
  }
  try {
    const bytes = await readBytes(new URL(path, base));
    return isGzip(bytes) ? await unpacked(bytes) : bytes;
  } catch (cause) {
    throw new XylemError({
      code: 'IO',
      message: `The selector declares the file "${path}", which cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
      where: { path },
      fix: 'Put it beside the module; names are relative to it.',
      cause,
    });
  }
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

async function unpacked(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  return new Uint8Array(
    await new Response(stream.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer(),
  );
}

function fileOf(name: string, bytes: Uint8Array): SelectorFile {
  const text = () => new TextDecoder().decode(bytes);
  return {
    name,
    bytes,
    text,
    json() {
      try {
        return JSON.parse(text()) as unknown;
      } catch (thrown) {
        const why = thrown instanceof Error ? thrown.message : String(thrown);
        throw argumentError(`The file "${name}" of the selector is not JSON: ${why}.`);
      }
    },
  };
}
