import type { KeyInfo } from '../api/api';
import { corrupt, overBudget, unsupported } from '../base/data-errors';
import { XylemError } from '../base/errors';
import type { Range } from '../io/source';

/** Maximum depth of directories, because each level makes paths longer and costs a round trip. */
export const MAX_DIRECTORY_DEPTH = 1000;

/** The first bytes of a ROOT file: "root". */
export const ROOT_MARK = [0x72, 0x6f, 0x6f, 0x74];

export function beginsAsRoot(head: Uint8Array): boolean {
  return ROOT_MARK.every((byte, i) => head[i] === byte);
}

export function cutOffFile(message: string, size: number): XylemError {
  return new XylemError({
    code: 'TRUNCATED',
    message,
    where: { offset: size },
    fix: 'Copy the file again: the end of it is missing. What is left of a copy on this machine can be opened, and saved by xylem salvage.',
  });
}

export function tooDeep(path: string): XylemError {
  return overBudget(
    `Directories nest deeper than ${MAX_DIRECTORY_DEPTH} levels, at "${path.slice(0, 60)}…".`,
    'The file may be damaged: no program is known to nest directories this deep.',
  );
}

export function preRelease(path: string): XylemError {
  return unsupported(
    `"${path}" was written by a pre-release of the RNTuple format, before version 1.0.`,
    'Such files can only be read by the version of ROOT that wrote them: write the data again with ROOT 6.36 or later.',
    { path },
  );
}

export function otherRecord({ path, offset }: KeyInfo): XylemError {
  return corrupt(`At byte ${offset}, another record lies than that of "${path}".`, { path, offset });
}

export function checkInside(range: Range, end: number, what: string): void {
  if (range.offset >= 0 && range.length > 0 && range.offset + range.length <= end) return;
  throw corrupt(
    `${what} should lie at bytes ${range.offset} to ${range.offset + range.length}, outside of the file's ${end} bytes.`,
    { offset: range.offset, length: range.length },
    'The file may be damaged: compare its checksum with the original and copy it again.',
  );
}
