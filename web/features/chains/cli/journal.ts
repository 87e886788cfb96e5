import { existsSync } from 'node:fs';
import { open, stat, truncate } from 'node:fs/promises';
import { argumentError } from '../../../base/errors';
import { ioError } from '../../../base/io-error';
import type { Context } from '../../../cli/context';
import { OwnFiles } from '../../../cli/own-files';
import {
  type AnyPartial,
  Combiner,
  emptyPartial,
  type KindName,
  kindOf,
  type PartialResult,
  queryDifference,
  type ReadInput,
} from '../work/partial';
import { parsePartial, partialText } from '../work/partial-text';
import { readPartials } from './read-partials';
import { findSides } from './side-files';

// A journal has a partial result on each line: one of each file that was read, appended when the file was read, so that a process
// may be killed at any moment. Then its last line may be incomplete.

/** A journal is written anew as one line when it has this many bytes, and twice as many as that line. */
const LONG = 64 * 1024 * 1024;
/** A last line that is longer is not looked at. */
const LONGEST = 500_000_000;
const BEGIN = '{"format":"xylem-partial"';
const LINE_END = 10;

/** The last line of a journal if it has no end: where it begins in bytes, and whether it is incomplete. */
interface Tail {
  at: number;
  text: string;
  isTorn: boolean;
}

/** A journal that was read: its results, and how it goes on. */
export interface Begun {
  found: AnyPartial | undefined;
  tail: Tail | undefined;
}

/** Reads a journal; nothing if there is none. Throws ARGUMENT for other files, for results of another query, and IO. */
export async function readJournal<K extends KindName>(
  path: string,
  kind: K,
  query: PartialResult<K>['query'],
  context: Context,
): Promise<Begun> {
  if (!existsSync(path)) return { found: undefined, tail: undefined };
  const tail = await tailOf(path);
  const combiner = new Combiner();
  let count = 0;
  const now = { kind, query } as unknown as AnyPartial;
  // It is written again, and so noted as an output.
  for await (const { text, name } of readPartials([path], new OwnFiles())) {
    if (tail?.isTorn && text === tail.text) continue;
    const line = await parsePartial(text, name);
    if (line.kind !== kind || JSON.stringify(line.query) !== JSON.stringify(query)) {
      const why = line.kind === kind ? ` ${queryDifference(line, now)}` : '';
      throw argumentError(
        `"${path}" is a partial result of another query.${why}`,
        `Give the same ${kindOf(kind).words}, or another file.`,
      );
    }
    await findSides(line, name);
    combiner.add(line);
    count += 1;
  }
  if (tail?.isTorn) {
    const [, name] = /"inputs":\[\{"file":("(?:[^"\\]|\\.)*")/.exec(tail.text) ?? [];
    const of = name === undefined ? '' : `, of ${JSON.parse(name)},`;
    context.err.line(
      `"${path}": the last line${of} is incomplete, because the process was ended while it was written; it is dropped`,
    );
  }
  return { found: count > 0 ? combiner.result() : undefined, tail };
}

/** Returns the last line of a file if it has no end. */
async function tailOf(path: string): Promise<Tail | undefined> {
  const file = await open(path, 'r').catch((thrown: unknown) => {
    throw ioError(`"${path}" cannot be read`, thrown, path);
  });
  try {
    const { size } = await file.stat();
    const pieces: Buffer[] = [];
    let at = size;
    while (at > 0) {
      const length = Math.min(at, 1 << 20);
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, at - length);
      const end = buffer.lastIndexOf(LINE_END);
      pieces.unshift(buffer.subarray(end + 1));
      at -= length;
      // Such a line is refused when it is read.
      if (size - at > LONGEST) return undefined;
      if (end < 0) continue;
      at += end + 1;
      break;
    }
    const text = Buffer.concat(pieces).toString();
    if (text === '') return undefined;
    // Another file is left as it is, and refused when it is parsed.
    const isOurs = text.startsWith(BEGIN) || BEGIN.startsWith(text);
    return { at, text, isTorn: isOurs && !isJson(text) };
  } finally {
    await file.close();
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Appends what is read to a journal. */
export class Journal<K extends KindName> {
  #bytes = 0;
  #wholeBytes = 0;
  #last: Promise<void> = Promise.resolve();

  readonly #path: string;
  readonly #partial: PartialResult<K>;

  private constructor(path: string, partial: PartialResult<K>) {
    this.#path = path;
    this.#partial = partial;
  }

  /** Goes on with a journal that was read as `begun`, or begins it anew. Throws IO. */
  static async open<K extends KindName>(
    path: string,
    partial: PartialResult<K>,
    begun: Begun,
  ): Promise<Journal<K>> {
    const { found, tail } = begun;
    const journal = new Journal(path, partial);
    if (found === undefined || partial.inputs.length === 0) {
      await journal.#replace();
      return journal;
    }
    try {
      if (tail?.isTorn) await truncate(path, tail.at);
      journal.#bytes = (await stat(path)).size;
      if (tail && !tail.isTorn) await journal.#append('\n');
    } catch (thrown) {
      throw ioError(`"${path}" cannot be written`, thrown, path);
    }
    return journal;
  }

  /** The line of an input. Its sums are read before this returns. */
  async line(input: ReadInput, sum: unknown): Promise<string> {
    const { kind, query } = this.#partial;
    const one = { ...emptyPartial(kind, query), inputs: [input], sum };
    return await partialText(one as unknown as AnyPartial);
  }

  /** Appends a line, after those that are being appended. Throws IO. */
  put(line: string): Promise<void> {
    this.#last = this.#last.then(async () => {
      await this.#append(`${line}\n`);
      if (this.#bytes > LONG && this.#bytes > 2 * this.#wholeBytes) await this.#replace();
    });
    return this.#last;
  }

  async #append(text: string): Promise<void> {
    try {
      const file = await open(this.#path, 'a');
      try {
        await file.writeFile(text);
      } finally {
        await file.close();
      }
    } catch (thrown) {
      throw ioError(`"${this.#path}" cannot be written`, thrown, this.#path);
    }
    this.#bytes += Buffer.byteLength(text);
  }

  /** Writes all that was read as one line, in place of the file. */
  async #replace(): Promise<void> {
    const { saveFile } = await import('../../../sinks/node-save-file');
    const partial = this.#partial;
    const text =
      partial.inputs.length === 0 ? '' : `${await partialText(partial as unknown as AnyPartial)}\n`;
    await saveFile(this.#path, (put) => put(text));
    this.#wholeBytes = Buffer.byteLength(text);
    this.#bytes = this.#wholeBytes;
  }
}
