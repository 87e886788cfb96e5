import type { FileInfo, SourceSpec } from '../../../api/api';
import type { FileSource, WholeSource } from '../../../api/sources';
import { storedAddress } from '../../../io/signatures';
import { readableUrl } from '../../../ui/state/address/url-state';
import { sourceName } from '../../../ui/state/viewer-state';
import type { NamedFile, SessionFile } from '../work/session';

/** A source as a session names it. */
interface Described {
  /** Undefined if a session cannot name it. */
  file?: SessionFile | undefined;
  /** A sentence on what is left out of the session. */
  leftOut?: string | undefined;
}

/** Returns how a session names a source. `info`: the facts of the file, if it is open. */
export function describe(source: SourceSpec, info: FileInfo | undefined): Described {
  if (source.kind !== 'chain') {
    const { file, leftOut } = describeOne(source);
    if (file === undefined) return { leftOut };
    const facts = info?.files === undefined ? factsOf(source, info) : {};
    return { file: { ...file, ...facts }, leftOut };
  }
  const parts = source.files.map((part) => describeOne(part.source));
  const leftOut = parts.find((part) => part.leftOut !== undefined)?.leftOut;
  if (source.files.some(({ tree }) => tree !== undefined) || parts.some(({ file }) => file === undefined))
    return { leftOut: leftOut ?? cannot(sourceName(source)) };
  return { file: { list: parts.flatMap(({ file }) => file ?? []) }, leftOut };
}

function describeOne(source: FileSource): { file?: NamedFile; leftOut?: string } {
  const name = sourceName(source);
  switch (source.kind) {
    case 'url': {
      const url = storedAddress(source.url);
      if (url === source.url) return { file: { url } };
      return { file: { url }, leftOut: `The address of ${name} is kept without its token or signature.` };
    }
    case 'blob':
      return { file: { name: source.name, size: source.blob.size } };
    default:
      return { leftOut: cannot(name) };
  }
}

const cannot = (name: string): string =>
  `${name} has neither an address nor a file that a session could name.`;

/** Size and UUID of an open file. A file of the user's machine has the size of the whole file. */
function factsOf(source: SourceSpec, info: FileInfo | undefined): Pick<NamedFile, 'size' | 'uuid'> {
  if (info === undefined || source.kind === 'chain') return {};
  const { uuid } = info;
  const isPlain = /^[0-9a-f-]{1,64}$/i.test(uuid);
  return { ...(source.kind === 'url' && { size: info.size }), ...(isPlain && { uuid }) };
}

/** Returns the files that a file of a session consists of. */
export const partsOf = (file: SessionFile): readonly NamedFile[] => file.list ?? [file];

/**
 * Returns the source of a file of a session. `found` has the files of the user's machine, and addresses of them, by their places
 * in `partsOf`. Returns undefined if one is missing.
 */
export function sourceOf(
  file: SessionFile,
  found: readonly (File | string | undefined)[],
): SourceSpec | undefined {
  const sources = partsOf(file).flatMap(({ url }, i): WholeSource[] => {
    const given = found[i];
    if (url !== undefined) return [{ kind: 'url', url }];
    if (typeof given === 'string') return [{ kind: 'url', url: given }];
    return given === undefined ? [] : [{ kind: 'blob', blob: given, name: given.name }];
  });
  if (sources.length < partsOf(file).length) return undefined;
  if (file.list === undefined) return sources[0];
  return { kind: 'chain', files: sources.map((source) => ({ source })) };
}

/** Returns a file with whole addresses. Throws ARGUMENT for an address that is not read. */
export function absolute({ list, ...file }: SessionFile, base: string): SessionFile {
  const whole = <F extends NamedFile>(one: F): F =>
    one.url === undefined ? one : { ...one, url: readableUrl(one.url, base) };
  return { ...whole(file), ...(list && { list: list.map(whole) }) };
}

/** Returns the name of a file for display. */
export function nameOf(file: SessionFile): string {
  const [first = {}, ...others] = partsOf(file);
  const name = first.name ?? sourceName({ kind: 'url', url: first.url ?? '' });
  return others.length === 0 ? name : `${name} and ${others.length} more`;
}
