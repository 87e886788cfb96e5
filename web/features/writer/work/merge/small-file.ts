import type { FileInfo, KeyInfo } from '../../../../api/api';
import type { EngineApi } from '../../../../api/engine-api';
import type { SmallFile } from '../../../../api/write';
import { XylemError } from '../../../../base/errors';
import type { Core } from '../../../../core/core';
import { type FileHeader, type KeyRecord, readHeader, readKeys } from '../../../../core/file-core';
import type { WriterExports } from '../../../../core/module';
import { endOf, totalLength } from '../../../../io/ranges';
import type { Range } from '../../../../io/source';
import { kindOfClass } from '../../../../model/keys';
import type { Records } from '../file/records';
import { type Input, type InputKey, type InputReader, placeOf, readKeyList } from '../input/input';
import type { MergeSource } from './merge-files';
import { changed } from './survey';

type OpenFile = Awaited<ReturnType<MergeSource['open']>>;

/** A small file in memory, as an input of a merge. */
export interface SmallInput {
  input: Input;
  close(): Promise<void>;
}

/**
 * Returns the input of a small file that is in memory, if it is as files usually are: whole, with a list of keys and
 * streamer infos, without directories and RNTuples. Undefined for others, also damaged ones, which have to be opened.
 */
export function smallInput(
  source: MergeSource,
  small: SmallFile,
  core: Core<WriterExports>,
  records: Records,
): SmallInput | undefined {
  try {
    return inputOf(source, small, core, records);
  } catch (thrown) {
    if (thrown instanceof XylemError) return undefined;
    throw thrown;
  }
}

/** Bytes from the start of a file on that contain its header and the root directory. */
const START_BYTES = 4 * 1024;

function inputOf(
  source: MergeSource,
  { bytes, validator }: SmallFile,
  core: Core<WriterExports>,
  records: Records,
): SmallInput | undefined {
  const start = bytes.subarray(0, START_BYTES);
  const header = readHeader(core, start);
  const whole = { offset: header.begin, length: bytes.length - header.begin };
  const list = { offset: header.seekKeys, length: header.nbytesKeys };
  const streamers = { offset: header.seekInfo, length: header.nbytesInfo };
  if (header.end !== bytes.length || !isWithin(whole, list) || !isWithin(whole, streamers)) return undefined;
  // Keys of it are kept.
  const ofList = bytes.slice(list.offset, endOf(list));
  const keys = keysOf(readKeys(core, ofList), ofList, records);
  if (!keys?.every(({ offset, storedBytes }) => isWithin(whole, { offset, length: storedBytes })))
    return undefined;
  const numbers = records.readFile(start);
  const info = infoOf(source.name, header, validator);
  const { reader, close } = readerOf(source, bytes, info);
  return {
    input: {
      ...{ reader, id: info.id, info, keys, streamers },
      header: numbers,
      title: records.textsOf(start.subarray(numbers.begin)).title,
      created: records.readDirectory(start.subarray(numbers.begin + numbers.nbytesName)).created,
      directories: [],
      copyBytes: undefined,
      taken: { bytes: 0 },
    },
    close,
  };
}

const isWithin = (whole: Range, part: Range): boolean =>
  part.offset >= whole.offset && part.length > 0 && endOf(part) <= endOf(whole);

/** Returns the keys with their bytes in the list; undefined if it has directories, RNTuples, or keys that are not in it. */
function keysOf(found: readonly KeyRecord[], list: Uint8Array, records: Records): InputKey[] | undefined {
  const headers = readKeyList(list, records);
  const keys: InputKey[] = [];
  for (const { name, title, className, cycle, nbytes, objlen, seekKey } of found) {
    const kind = kindOfClass(className);
    const header = headers.get(placeOf(seekKey, cycle))?.shift();
    if (kind === 'directory' || kind === 'ntuple' || !header) return undefined;
    const key: KeyInfo = {
      ...{ path: name, name, title, className, cycle, kind },
      ...{ storedBytes: nbytes, objectBytes: objlen, offset: seekKey },
    };
    keys.push({ ...key, header });
  }
  return keys;
}

function infoOf(name: string, header: FileHeader, validator: string): FileInfo {
  const { title, end, rootVersion, compression, created, modified, uuid } = header;
  return {
    id: 0,
    name,
    title,
    size: end,
    rootVersion,
    compression,
    created,
    modified,
    uuid,
    validator,
    notes: [],
  };
}

/** Reads from memory. For all else the file is opened. */
function readerOf(
  source: MergeSource,
  memory: Uint8Array,
  info: FileInfo,
): { reader: InputReader; close(): Promise<void> } {
  let opening: Promise<OpenFile> | undefined;
  const opened = async (): Promise<OpenFile> => {
    opening ??= source.open();
    const file = await opening;
    const { uuid, validator = info.validator } = file.info;
    if (uuid !== info.uuid || validator !== info.validator) throw changed(source);
    return file;
  };
  const bytes: EngineApi['bytes'] = async (_id, ranges, options = {}) => {
    if (options.again || !ranges.every((range) => range.offset >= 0 && endOf(range) <= memory.length)) {
      const file = await opened();
      return file.reader.bytes(file.info.id, ranges, options);
    }
    const length = totalLength(ranges);
    const { into } = options;
    const all = into && into.length >= length ? into.subarray(0, length) : new Uint8Array(length);
    let at = 0;
    for (const range of ranges) {
      all.set(memory.subarray(range.offset, endOf(range)), at);
      at += range.length;
    }
    return all;
  };
  return {
    reader: {
      bytes,
      layout: async (_id, ...more) => {
        const file = await opened();
        return file.reader.layout(file.info.id, ...more);
      },
      tree: async (_id, ...more) => {
        const file = await opened();
        return file.reader.tree(file.info.id, ...more);
      },
      types: async (_id, ...more) => {
        const file = await opened();
        return file.reader.types(file.info.id, ...more);
      },
      arrays: async (_id, ...more) => {
        const file = await opened();
        return file.reader.arrays(file.info.id, ...more);
      },
      makeBaskets: async (...task) => (await opened()).reader.makeBaskets(...task),
    },
    async close() {
      const file = await opening?.catch(() => undefined);
      await file?.close();
    },
  };
}
