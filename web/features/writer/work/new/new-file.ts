import type { FileInfo, Histogram } from '../../../../api/api';
import type { EngineApi } from '../../../../api/engine-api';
import type { Sink } from '../../../../api/sink';
import type { WrittenNew } from '../../../../api/write';
import { argumentError, type XylemError } from '../../../../base/errors';
import type { SparseHistogram } from '../../../../bins/sparse-histogram';
import { makeBasketsHere } from '../../../../core/basket-packer';
import { type Codec, compressionNumber } from '../../../../core/compression';
import { Core } from '../../../../core/core';
import type { WriterExports } from '../../../../core/module';
import type { NewNtupleOptions, NewTreeOptions } from '../../../../library/write';
import type { ObjectData } from '../encode/types';
import { type Directory, FileWriter, packDate } from '../file/file-writer';
import { identityOf, randomIdentity } from '../file/identity';
import { type KeyTexts, Records } from '../file/records';
import { makeRecord, writeObject } from '../merge/new-records';
import { readStored } from './copy-object';
import { histogramObject } from './histogram-object';
import { NewNtuple } from './new-ntuple';
import { NewTree } from './new-tree';
import { type MakeBaskets, PackedBaskets } from './packed-baskets';
import { sparseObject } from './sparse-object';
import { joinInfos, Templates } from './templates';

/** Options for writing a new file. */
export interface NewFileOptions {
  /** xylem-write.wasm. */
  writer: WebAssembly.Module;
  /** Name of the file, without folders. */
  name: string;
  codec: Codec;
  /** Compresses baskets. Default: in this thread. */
  makeBaskets?: MakeBaskets | undefined;
  /**
   * Writes the same bytes for the same content: without dates, and with a UUID made from the content. Default: false.
   */
  reproducible?: boolean | undefined;
}

/** A new ROOT file. Objects are written in the order of the calls. Await each call before the next one. */
export class NewFile {
  readonly core: Core<WriterExports>;
  readonly records: Records;
  readonly templates: Templates;
  readonly out: FileWriter;
  readonly codec: Codec;
  readonly #makeBaskets: MakeBaskets;
  readonly #writer: WebAssembly.Module;
  readonly date: number;
  #directoryTexts: ReadonlyMap<string, KeyTexts> = new Map();
  readonly #directories = new Map<string, Directory>();
  readonly #paths = new Set<string>();
  /** Streamer infos of the files from which objects were copied. */
  readonly #otherInfos: ObjectData[] = [];
  readonly #trees: (NewTree | NewNtuple)[] = [];
  readonly #classes = new Set<string>();

  static async create(sink: Sink, options: NewFileOptions): Promise<NewFile> {
    const core = await Core.create<WriterExports>(options.writer);
    const records = new Records(core);
    return new NewFile(core, records, await Templates.create(core, records), sink, options);
  }

  private constructor(
    core: Core<WriterExports>,
    records: Records,
    templates: Templates,
    sink: Sink,
    { writer, name, codec, reproducible, makeBaskets = makeBasketsHere() }: NewFileOptions,
  ) {
    this.#writer = writer;
    this.#makeBaskets = makeBaskets;
    this.core = core;
    this.records = records;
    this.templates = templates;
    this.codec = codec;
    this.date = reproducible ? 1 : packDate(new Date());
    this.out = new FileWriter(sink, records, {
      name,
      title: '',
      version: templates.rootVersion,
      compress: compressionNumber(codec),
      created: this.date,
      date: this.date,
      uuid: async (lists) => (reproducible ? identityOf(name, lists) : randomIdentity()),
    });
    this.#directories.set('', this.out.root);
  }

  /** Sets the names and titles of directories that are created later, by their paths. */
  nameDirectories(texts: ReadonlyMap<string, KeyTexts>): void {
    this.#directoryTexts = texts;
  }

  /**
   * Reserves a path for a new object, and creates its directories. Throws ARGUMENT if the path is taken, or ROOT
   * could not find it.
   */
  async place(path: string): Promise<{ directory: Directory; name: string }> {
    const names = path.split('/');
    if (names.some((name) => !isName(name))) throw badPath(path);
    if (this.#paths.has(path) || this.#directories.has(path)) throw taken(path);
    this.#paths.add(path);
    let directory = this.out.root;
    for (let i = 1; i < names.length; i++) {
      const above = names.slice(0, i).join('/');
      let next = this.#directories.get(above);
      if (!next) {
        if (this.#paths.has(above)) throw taken(above);
        const name = names[i - 1] ?? '';
        const { name: bytes, title } = this.#directoryTexts.get(above) ?? { name, title: name };
        next = await this.out.newDirectory(directory, bytes, title);
        this.#directories.set(above, next);
      }
      directory = next;
    }
    return { directory, name: names.at(-1) ?? '' };
  }

  /** Writes a drawn histogram or profile as TH1D, TH2D, TH3D, TProfile or TProfile2D. Throws UNSUPPORTED. */
  async histogram(path: string, histogram: Histogram): Promise<void> {
    const object = histogramObject(histogram, this.templates);
    const { directory, name } = await this.place(path);
    object.fName = name;
    await this.write(directory, object);
  }

  /** Writes a histogram with any number of axes as THnSparseT<TArrayD>. */
  async sparse(path: string, histogram: SparseHistogram): Promise<void> {
    const object = sparseObject(histogram, this.templates);
    const { directory, name } = await this.place(path);
    object.fName = name;
    await this.write(directory, object);
  }

  /**
   * Copies an object of an open file. Its key gets the last name of the path, as with TDirectory::WriteObject. Throws
   * NOT_FOUND, and UNSUPPORTED for objects that cannot be copied individually: see `readStored`.
   */
  async copy(reader: EngineApi, file: FileInfo, from: string, path: string): Promise<void> {
    const { texts, object, codec, infos } = await readStored(this, reader, file, from);
    try {
      const { directory, name: given } = await this.place(path);
      // An unchanged name keeps its bytes.
      const name = nameWithin(from) === given ? texts.name : given;
      const encode = (keyLength: number) => codec.write(object, keyLength);
      const listed = await writeObject(this.#merging(), { ...texts, name }, 1, directory, encode, codec);
      this.out.list(directory, listed.key, { seek: listed.seek });
      if (infos) this.#otherInfos.push(infos);
    } finally {
      codec.free();
    }
  }

  #merging() {
    const { out, records, date, codec } = this;
    return { out, records, date, compress: compressionNumber(codec) };
  }

  /** Returns a compressor for the baskets of a tree or the pages of an RNTuple. `before`: see PackedBaskets. */
  packed(before?: (bytes: number) => Promise<void>): PackedBaskets {
    return new PackedBaskets(this.#makeBaskets, this.#writer, compressionNumber(this.codec), before);
  }

  /** Begins a tree, whose entries are appended to it. */
  async tree(path: string, options: NewTreeOptions = {}): Promise<NewTree> {
    const tree = new NewTree(this, await this.place(path), options);
    this.#trees.push(tree);
    return tree;
  }

  /** Begins an RNTuple, whose entries are appended to it. */
  async ntuple(path: string, options: NewNtupleOptions = {}): Promise<NewNtuple> {
    const ntuple = new NewNtuple(this, await this.place(path), options);
    this.#trees.push(ntuple);
    return ntuple;
  }

  /** Writes the anchor of an RNTuple, uncompressed. */
  async anchor(
    { directory, name }: { directory: Directory; name: string },
    object: Uint8Array,
  ): Promise<void> {
    const names = { className: 'ROOT::RNTuple', name, title: '' };
    const merging = { ...this.#merging(), compress: 0 };
    const { key, seek } = await writeObject(merging, names, 1, directory, () => object, this.templates.codec);
    this.out.list(directory, key, { seek });
    this.#classes.add('ROOT::RNTuple');
  }

  /** Writes an object of a class that new files support, under its own name. */
  async write(directory: Directory, object: ObjectData): Promise<void> {
    const { out, templates } = this;
    const names = {
      className: object._typename,
      name: String(object.fName),
      title: String(object.fTitle ?? ''),
    };
    const encode = (keyLength: number) => templates.codec.write(object, keyLength);
    const { key, seek } = await writeObject(this.#merging(), names, 1, directory, encode, templates.codec);
    out.list(directory, key, { seek });
    for (const className of classesOf(object)) this.#classes.add(className);
  }

  /** Writes the rest. */
  async finish(): Promise<WrittenNew> {
    for (const tree of this.#trees) await tree.finish();
    await this.#writeInfos();
    return { bytes: await this.out.finish(), keys: this.#paths.size };
  }

  async #writeInfos(): Promise<void> {
    const { out, templates } = this;
    const infos = joinInfos([templates.infos(this.#classes), ...this.#otherInfos]);
    const names = { className: 'TList', name: 'StreamerInfo', title: 'Doubly linked list' };
    const record = makeRecord(
      this.#merging(),
      names,
      1,
      (keyLength) => templates.codec.write(infos, keyLength),
      templates.codec,
    );
    await out.streamers(record);
  }
}

/** Returns the classes of an object and of everything in it. */
function classesOf(object: ObjectData): Set<string> {
  const classes = new Set<string>();
  const seen = new Set<unknown>();
  const left: unknown[] = [object];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next !== 'object' || next === null || ArrayBuffer.isView(next) || seen.has(next)) continue;
    seen.add(next);
    if ('_typename' in next) classes.add(String(next._typename));
    for (const value of Object.values(next)) if (typeof value === 'object' && value) left.push(value);
  }
  return classes;
}

/** Returns the last name in a path, without its cycle. */
function nameWithin(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/;\d+$/, '');
}

/** Whether a name of a key is free of the characters that paths and cycles use. */
function isName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  return name !== '' && name.trim() === name && !/[;:\u0000-\u001f\u007f]/.test(name);
}

function badPath(path: string): XylemError {
  return argumentError(
    `"${path}" cannot be the path of an object: names between its slashes are not empty, and have no semicolon, colon or control character.`,
    'Choose another name.',
  );
}

function taken(path: string): XylemError {
  return argumentError(
    `"${path}" is in the file already.`,
    'Choose another name: each object is written once.',
    { path },
  );
}
