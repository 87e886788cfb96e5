import { unsupported } from '../../../../base/data-errors';
import type { Core } from '../../../../core/core';
import type { WriterExports } from '../../../../core/module';
import type { TapeValue } from '../../../../core/tape';
import { ClassCodec } from '../encode/class-codec';
import type { ObjectData } from '../encode/types';
import { HEADER_BYTES, type Records } from '../file/records';

type Data = { [member: string]: TapeValue };

/** Empty objects of the classes of new files, made by ROOT, and the streamer infos needed to write them. */
export class Templates {
  readonly codec: ClassCodec;
  /** fVersion of the file that ROOT wrote. New files have the same, because they have its classes. */
  readonly rootVersion: number;
  /** The record of each object, by its class. */
  readonly #objects = new Map<string, Uint8Array>();
  readonly #infos: Uint8Array;

  static async create(core: Core<WriterExports>, records: Records): Promise<Templates> {
    const { ROOT_CLASSES } = await import('./root-classes');
    const file = Uint8Array.from(atob(ROOT_CLASSES), (character) => character.charCodeAt(0));
    return new Templates(core, records, file);
  }

  private constructor(core: Core<WriterExports>, records: Records, file: Uint8Array) {
    const { version, seekInfo, nbytesInfo } = records.readFile(file);
    this.rootVersion = version;
    this.#infos = file.subarray(seekInfo, seekInfo + nbytesInfo);
    this.codec = new ClassCodec(core, version, this.#infos);
    // The first record is the directory. Objects are between it and the streamer infos.
    let at = HEADER_BYTES + records.readKey(file.subarray(HEADER_BYTES)).nbytes;
    while (at < seekInfo) {
      const record = file.subarray(at, at + records.readKey(file.subarray(at)).nbytes);
      this.#objects.set(this.codec.read(record)._typename, record);
      at += record.length;
    }
  }

  /** The record of the streamer infos of all classes. */
  get classes(): Uint8Array<ArrayBuffer> {
    return this.#infos.slice();
  }

  /** Returns a new empty object of a class. Throws UNSUPPORTED for a class that is not available. */
  make(className: string): ObjectData {
    const record = this.#objects.get(className);
    if (record) return this.codec.read(record);
    throw unsupported(`A ${className} cannot be made.`);
  }

  /** Returns the streamer infos of some classes, and of all classes that they use. */
  infos(classNames: ReadonlySet<string>): ObjectData {
    const list = this.codec.read(this.#infos);
    const known = new Map(itemsOf(list).map((info) => [String(info.fName), info]));
    const needed = new Set(classNames);
    for (const name of needed) {
      const elements = known.get(name)?.fElements;
      for (const { _typename, fName, fTypeName } of itemsOf(elements)) {
        const type = _typename === 'TStreamerBase' ? fName : fTypeName;
        needed.add(String(type).replaceAll('*', ''));
      }
    }
    const kept = itemsOf(list).filter(({ fName }) => needed.has(String(fName)));
    return { ...list, arr: kept, opt: kept.map(() => '') };
  }
}

/** Joins several lists, with each version of a class once. Changes the first list. */
export function joinInfos([first, ...others]: [ObjectData, ...ObjectData[]]): ObjectData {
  if (others.length === 0) return first;
  const all = new Map<string, Data>();
  for (const item of [first, ...others].flatMap(itemsOf)) {
    const { _typename, fName, name, fClassVersion, fCheckSum } = item;
    const identity = [_typename, fName ?? name, fClassVersion, fCheckSum].join(' ');
    if (!all.has(identity)) all.set(identity, item);
  }
  return { ...first, arr: [...all.values()], opt: Array.from(all, () => '') };
}

function itemsOf(list: TapeValue | undefined): Data[] {
  return list && typeof list === 'object' && 'arr' in list && Array.isArray(list.arr)
    ? (list.arr as Data[])
    : [];
}
