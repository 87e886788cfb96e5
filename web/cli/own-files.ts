import type { SourceSpec, WholeSource } from '../api/api';
import type { Replaces } from '../sinks/node-existing';
import { UsageError } from './arguments';
import type { SearchLimits } from './files-like';
import { FailedFiles } from './list-line';

/** How an output is named in messages, and the files that it may replace. */
export interface OutputOptions {
  /** The word or option that names it: "OUT", "--svg". */
  word: string;
  /** Says which word it is. */
  hint?: string | undefined;
  replaces: Replaces;
  /** Whether the command has an option by which it replaces the file. */
  force?: boolean | undefined;
}

/** Loaded when an output is named: most commands have none, and the library has this code in a part of its own. */
const existing = () => import('../sinks/node-existing');

/**
 * The files that a command reads and writes. No output may be a file that is read or another output, under whatever name or
 * link, in whatever order they are met. Inputs are looked at only where an output is there already: a command may have thousands.
 */
export class OwnFiles {
  /** Paths of inputs that were not looked at yet, and identities of the others. */
  readonly #paths: string[] = [];
  /** Those that could not be read. */
  readonly failed = new FailedFiles();
  readonly #inputs = new Set<string>();
  readonly #outputs = new Map<string, string>();
  /** Words that name outputs, by the places of the files, which may be new. */
  readonly #places = new Map<string, string>();
  #headersFor: string | undefined;

  /** `search`: bounds of searches for the files of a pattern. */
  constructor(readonly search: SearchLimits = {}) {}

  /**
   * Whether URLs of an origin get the headers of the command line: those of the first one do, because a list may name
   * servers of other people, and headers hold tokens.
   */
  hasHeaders(origin: string): boolean {
    this.#headersFor ??= origin;
    return origin === this.#headersFor;
  }

  /** Notes a file that is read. Throws UsageError when it is an output. */
  async addInput(path: string): Promise<void> {
    if (this.#outputs.size === 0) {
      this.#paths.push(path);
      return;
    }
    const { identityOf } = await existing();
    const identity = await identityOf(path);
    const word = this.#outputs.get(identity ?? '');
    if (word !== undefined) throw written(word, path);
    if (identity !== undefined) this.#inputs.add(identity);
  }

  /** Notes the files of a source. Throws UsageError when one is an output. */
  async addSource(source: SourceSpec): Promise<void> {
    const parts = source.kind === 'chain' ? source.files.map((part) => part.source) : [source];
    for (const part of parts) {
      this.failed.know(part);
      const whole: WholeSource = part.kind === 'within' ? part.outer : part;
      for (const one of whole.kind === 'replicas' ? whole.replicas : [whole])
        if (one.kind === 'path') await this.addInput(one.path);
    }
  }

  /** Notes the name of a file that will be written. Throws UsageError if another word names the same file. */
  async nameOutput(path: string, word: string, hint?: string): Promise<void> {
    const { placeOf } = await existing();
    const place = await placeOf(path);
    if (place === undefined) return;
    const other = this.#places.get(place) ?? word;
    this.#places.set(place, word);
    if (other === word) return;
    const message = `${word} and ${other} name the same file: "${path}".`;
    throw new UsageError(sentences(message, hint, 'Name another file.'));
  }

  /**
   * Notes a file that is written. Throws UsageError if it is an input or another output, or if it exists and may not be
   * replaced.
   */
  async addOutput(path: string, { word, hint, replaces, force }: OutputOptions): Promise<void> {
    await this.nameOutput(path, word, hint);
    const identity = await this.refuseInput(path, word, hint);
    if (identity === undefined) return;
    const { keptText, whyKept } = await existing();
    const why = await whyKept(path, replaces);
    if (why !== undefined) {
      const fix =
        force === undefined ? 'Name another file.' : 'Name another file, or replace it with --force.';
      throw new UsageError(sentences(`${word}:`, keptText(path, why), hint, fix));
    }
    this.#outputs.set(identity, word);
  }

  /** Returns the identity of an output; undefined if it does not exist. Throws UsageError if it is an input. */
  async refuseInput(path: string, word: string, hint?: string): Promise<string | undefined> {
    const { identityOf } = await existing();
    const identity = await identityOf(path);
    if (identity === undefined) return undefined;
    for (const input of this.#paths.splice(0)) this.#inputs.add((await identityOf(input)) ?? '');
    if (this.#inputs.has(identity)) throw written(word, path, hint);
    return identity;
  }
}

function written(word: string, path: string, hint?: string): UsageError {
  return new UsageError(sentences(`${word} is also an input: "${path}".`, hint, 'Name another file.'));
}

const sentences = (...parts: (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(' ');
