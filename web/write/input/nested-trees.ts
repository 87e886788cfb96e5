import { unsupported } from '../../base/data-errors';
import { toXylemError, XylemError } from '../../base/errors';
import { errorOf, type TapeValue } from '../../core/tape';
import type { ObjectCodec } from '../encode/types';
import type { InputKey } from './input';

/** The class of an object behind a pointer: a tag for a new class (0xFFFFFFFF), then its name. */
const BRANCH = Uint8Array.of(0xff, 0xff, 0xff, 0xff, ...new TextEncoder().encode('TBranch'));
/** Codes of records that are damaged. */
const DAMAGED = new Set<string>(['CORRUPT', 'COMPRESSION']);

/**
 * Throws UNSUPPORTED when an object that is not a tree itself holds branches with baskets in the file, such as a TList of
 * trees that is written as one key: the places in its record would be wrong in another file. So would be those in a
 * part that cannot be decoded: it may hold such a branch. Objects without branches are unpacked, not decoded.
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

/** Throws UNSUPPORTED when a value, or a value within it, is a branch that has baskets in the file. */
export function refuseBaskets(path: string, value: TapeValue | undefined): void {
  for (const { fBasketSeek } of objectsIn(value)) {
    if (ArrayBuffer.isView(fBasketSeek) && Array.from<number | bigint>(fBasketSeek).some((at) => at > 0))
      throw refused(path);
  }
}

/** Why the first part of a value that cannot be decoded cannot be; undefined when all is decoded. */
function firstError(value: TapeValue): string | undefined {
  for (const object of objectsIn(value)) {
    const why = errorOf(object);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** All objects within a value, each once. */
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

/** Whether an object has a branch. One that is damaged can be read neither here nor in the copy, and holds nothing. */
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
