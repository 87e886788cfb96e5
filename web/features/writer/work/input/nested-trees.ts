import { unsupported } from '../../../../base/data-errors';
import { toXylemError, XylemError } from '../../../../base/errors';
import { errorOf, type TapeValue } from '../../../../core/tape';
import type { ObjectCodec } from '../encode/types';
import type { InputKey } from './input';

/** The tag and name of a new class after a pointer: 0xFFFFFFFF, then the class name. */
const BRANCH = Uint8Array.of(0xff, 0xff, 0xff, 0xff, ...new TextEncoder().encode('TBranch'));
/** Error codes of damaged records. */
const DAMAGED = new Set<string>(['CORRUPT', 'COMPRESSION']);

/**
 * Throws UNSUPPORTED if an object that is not a tree contains branches with baskets in the file, for example a TList
 * of trees written as one key. The positions in its record would be wrong in another file. Also throws if a part
 * cannot be decoded, because it may contain such a branch. Objects without branches are decompressed but not decoded.
 */
export function refuseNestedTrees(key: InputKey, record: Uint8Array, codec: ObjectCodec): void {
  if (!key.className.startsWith('TBranch') && !namesBranch(record, codec)) return;
  let object: TapeValue;
  try {
    object = codec.look(record);
  } catch (thrown) {
    throw unknown(key.path, toXylemError(thrown).message);
  }
  refuseBaskets(key.path, object);
  const why = firstError(object);
  if (why !== undefined) throw unknown(key.path, `A part of it cannot be decoded: ${why}.`);
}

/** Throws UNSUPPORTED if a value, or a value within it, is a branch with baskets in the file. */
export function refuseBaskets(path: string, value: TapeValue | undefined): void {
  for (const { fBasketSeek } of objectsIn(value)) {
    if (ArrayBuffer.isView(fBasketSeek) && Array.from<number | bigint>(fBasketSeek).some((at) => at > 0))
      throw refused(path);
  }
}

/** Returns why the first undecodable part of a value cannot be decoded; undefined if everything is decoded. */
function firstError(value: TapeValue): string | undefined {
  for (const object of objectsIn(value)) {
    const why = errorOf(object);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** Yields all objects within a value, each once. */
function* objectsIn(value: TapeValue | undefined): Generator<{ [member: string]: TapeValue }> {
  const seen = new Set<object>();
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null || ArrayBuffer.isView(next) || seen.has(next)) continue;
    seen.add(next);
    if (Array.isArray(next)) {
      for (const item of next) left.push(item);
      continue;
    }
    yield next;
    for (const member of Object.values(next)) left.push(member);
  }
}

/**
 * Whether an object contains a branch. False for a damaged object, which can be read neither here nor in the copy.
 */
function namesBranch(record: Uint8Array, codec: ObjectCodec): boolean {
  try {
    return codec.contains(record, BRANCH);
  } catch (thrown) {
    if (thrown instanceof XylemError && DAMAGED.has(thrown.code)) return false;
    throw thrown;
  }
}

function refused(path: string): XylemError {
  return unsupported(
    `"${path}" holds a tree with baskets elsewhere in the file, which cannot be copied.`,
    'Write the tree under a key of its own with ROOT: Write() without kSingleKey.',
    { path },
  );
}

function unknown(path: string, why: string): XylemError {
  return unsupported(
    `"${path}" holds a tree, and it is not known whether the tree has baskets elsewhere in the file. ${why}`,
    'Leave the object out of the copy.',
    { path },
  );
}
