import type { CallOptions, FileInfo } from '../../../../api/api';
import type { EngineApi } from '../../../../api/engine-api';
import { unsupported } from '../../../../base/data-errors';
import { XylemError } from '../../../../base/errors';
import type { Core } from '../../../../core/core';
import type { WriterExports } from '../../../../core/module';
import { findKey } from '../../../../model/keys';
import { ClassCodec } from '../encode/class-codec';
import type { ObjectData } from '../encode/types';
import type { KeyTexts, Records } from '../file/records';
import { readInput } from '../input/input';
import { refuseNestedTrees } from '../input/nested-trees';

/** An object of another file, with everything needed to write it. */
export interface ReadObject {
  /** The texts of its key. */
  texts: KeyTexts;
  object: ObjectData;
  codec: ClassCodec;
  /** The list of the streamer infos of its file. */
  infos: ObjectData | undefined;
}

/**
 * Reads an object of an open file in a form that can be written again. The caller frees its `codec`. Throws
 * NOT_FOUND, UNSUPPORTED for trees, RNTuples, directories, and objects that refer to others by TRef, and NO_STREAMER.
 */
export async function readStored(
  { core, records }: { core: Core<WriterExports>; records: Records },
  reader: EngineApi,
  file: FileInfo,
  path: string,
  options: CallOptions = {},
): Promise<ReadObject> {
  const { keys, header, streamers } = await readInput(reader, file.id, file, records, options);
  const key = findKey(keys, path);
  if (!key)
    throw new XylemError({
      code: 'NOT_FOUND',
      message: `There is no "${path}" in ${file.name}.`,
      where: { path },
    });
  if (['tree', 'ntuple', 'directory'].includes(key.kind)) throw refused(path, `it is a ${key.className}`);
  const infos = streamers && (await reader.bytes(file.id, [streamers], options));
  const record = await reader.bytes(file.id, [{ offset: key.offset, length: key.storedBytes }], options);
  const codec = new ClassCodec(core, header.version, infos);
  try {
    refuseNestedTrees(key, record, codec);
    const object = codec.read(record);
    if (hasReferences(object)) throw refused(path, 'it refers to other objects by TRef, or is referred to');
    return { texts: records.textsOf(key.header), object, codec, infos: infos && codec.readInfos(infos) };
  } catch (thrown) {
    codec.free();
    throw thrown;
  }
}

/** Whether an object, or one within it, has the number of a process id. */
function hasReferences(object: ObjectData): boolean {
  const seen = new Set<unknown>();
  const left: unknown[] = [object];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null || ArrayBuffer.isView(next) || seen.has(next)) continue;
    seen.add(next);
    if ('$pid' in next || ('_typename' in next && next._typename === 'TRef')) return true;
    for (const value of Object.values(next)) left.push(value);
  }
  return false;
}

function refused(path: string, why: string): XylemError {
  return unsupported(
    `"${path}" cannot be copied alone: ${why}.`,
    '"xylem skim" and skim() copy it with what it needs.',
    { path },
  );
}
