import { Writable } from 'node:stream';
import type { FileSource, PlainSource, SourceSpec, WholeSource } from '../../../api/api';
import { overBudget } from '../../../base/data-errors';
import { XylemError } from '../../../base/errors';
import { formatBytes, formatCount } from '../../../base/format';
import type { schemaOf } from '../../../base/shape';
import type { Command } from '../../../cli/command';
import { type Context, type OpenFile, withFile } from '../../../cli/context';
import { OwnFiles } from '../../../cli/own-files';
import { TextOutput } from '../../../cli/terminal/output';
import { verbCall } from '../../../cli/verb-call';
import type { VerbCall } from '../../../verbs/verb';

/** Maximum numbers of bytes that a call reads and answers, and the folder in which tools may make files. */
export interface Limits {
  read: number;
  answer: number;
  writeTo: string | undefined;
}

/** A JSON Schema of the arguments of a tool. */
export type InputSchema = ReturnType<typeof schemaOf>;

/** Arguments that fit to the schema of their tool. */
export type Input = Readonly<Record<string, unknown>>;

/** A picture beside the text of an answer. */
export interface Picture {
  mimeType: 'image/svg+xml' | 'image/png';
  bytes: Buffer;
}

export interface Answer {
  text: string;
  picture?: Picture | undefined;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  input: InputSchema;
  /** Whether it makes files. */
  writes?: boolean;
  /** Throws XylemError and UsageError. */
  run(input: Input, call: Call): Promise<Answer>;
}

/** A search for the files of a pattern ends after this many ms. */
const SEARCH_MS = 10_000;

/** One call of a tool: the commands' surroundings, with outputs that are gathered. */
export class Call {
  readonly #outer: Context;

  constructor(
    outer: Context,
    readonly limits: Limits,
    readonly signal: AbortSignal | undefined,
  ) {
    this.#outer = outer;
  }

  /** Opens what `file` names, and closes it in every case. */
  async withFile<T>(file: string, use: (open: OpenFile, context: Context) => Promise<T>): Promise<T> {
    const { context } = this.#gathering();
    return await withFile(file, {}, context, (open) => use(open, context));
  }

  /** Lends a verb what it needs; `said` returns what went to stderr meanwhile. */
  lend(): { lent: VerbCall; said: () => Promise<string> } {
    const { context, said } = this.#gathering();
    return {
      lent: { ...verbCall({}, context), signal: this.signal },
      said: async () => {
        await context.err.flush();
        return said().toString('utf8').trimEnd();
      },
    };
  }

  /**
   * Runs a command. Returns its stdout, followed by its stderr. Throws what the command throws, and INTERNAL if the
   * command failed and only wrote on stderr.
   */
  async command(command: Command, options: readonly string[], words: readonly string[]): Promise<string> {
    const { context, printed, said } = this.#gathering();
    const status = await command.run([...options, '--', ...words], context);
    await Promise.all([context.out.flush(), context.err.flush()]);
    const [text, notes] = [printed().toString('utf8').trimEnd(), said().toString('utf8').trimEnd()];
    if (status !== 0 && text === '') throw new XylemError({ code: 'INTERNAL', message: notes });
    return notes === '' ? text : `${text}\n\n${notes}`;
  }

  /** Returns the bytes that `draw` writes on stdout. */
  async printed(draw: (context: Context) => Promise<unknown>): Promise<Buffer> {
    const { context, printed } = this.#gathering();
    await draw(context);
    await context.out.flush();
    return printed();
  }

  #gathering(): { context: Context; printed: () => Buffer; said: () => Buffer } {
    const out = gathered(this.limits.answer);
    const err = gathered(this.limits.answer);
    const files = new OwnFiles({ signal: this.signal, ms: SEARCH_MS, noTexts: true });
    const { reader, open } = this.#outer;
    const context: Context = {
      out: new TextOutput(out.stream),
      err: new TextOutput(err.stream),
      interactive: false,
      files,
      reader,
      open: async (source) => {
        await files.addSource(source);
        return open(withoutToken(source));
      },
    };
    return { context, printed: out.all, said: err.all };
  }
}

/**
 * Removes the tokens of this user from the addresses of a source, because an assistant may have read an address in a
 * text. Only hosts that XYLEM_TOKEN_HOSTS names get a token.
 */
function withoutToken(source: SourceSpec): SourceSpec {
  const plain = (one: PlainSource): PlainSource => (one.kind === 'url' ? { ...one, token: 'none' } : one);
  const whole = (one: WholeSource): WholeSource =>
    one.kind === 'replicas' ? { ...one, replicas: one.replicas.map(plain) } : plain(one);
  const file = (one: FileSource): FileSource =>
    one.kind === 'within' ? { ...one, outer: whole(one.outer) } : whole(one);
  if (source.kind !== 'chain') return file(source);
  return { ...source, files: source.files.map((part) => ({ ...part, source: file(part.source) })) };
}

/** Gathers an answer while it is within the limit. */
function gathered(limit: number): { stream: Writable; all: () => Buffer } {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const stream = new Writable({
    write(piece: Buffer, _encoding, done) {
      bytes += piece.length;
      if (bytes <= limit) pieces.push(piece);
      done();
    },
  });
  return {
    stream,
    all: () => {
      checkAnswer(bytes, limit);
      return Buffer.concat(pieces);
    },
  };
}

/** Throws BUDGET for an answer that is longer than the limit. */
export function checkAnswer(bytes: number, limit: number): void {
  if (bytes <= limit) return;
  throw overBudget(
    `The answer would have ${formatCount(bytes)} bytes, more than the limit of ${formatBytes(limit)}.`,
    'Ask for less: fewer branches, rows or bins. The user sets the limit with --max-answer.',
  );
}

/** Texts of an argument that is a text, or a list of them. */
export function listOf(value: unknown): string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

export const textOf = (value: unknown): string | undefined =>
  value === undefined ? undefined : String(value);

/** The files that a call names, as the commands take them. */
export const filesOf = (input: Input): string => listOf(input.file).join(',');
