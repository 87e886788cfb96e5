import { type EventEmitter, once } from 'node:events';
import { ioError } from '../../base/io-error';
import { printable, printableJson, printableText } from '../../base/text';

/** Number of characters that are collected before they are written to the stream. */
const CHUNK_SIZE = 1 << 16;

/** Thrown by writes when the reader of the output has gone (`xylem … | head`). */
export class BrokenPipe extends Error {
  override readonly name = 'BrokenPipe';
}

/** Where text goes: what is used of a stream of Node. */
export interface TextStream {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
  /** Returns false if "drain" has to be waited for, which an `EventEmitter` tells. */
  write(data: string | Uint8Array, done?: (error?: Error | null) => void): boolean;
  isTTY?: boolean;
  columns?: number;
}

/** Form of the text, which decides how control characters in it are made safe for the terminal. */
export type TextForm = 'text' | 'json';

/**
 * Writes text to a stream in pieces of about 64 kB. `put` only collects; `drain`, awaited regularly, waits
 * for a slow reader, so that memory stays bounded however much is printed. All text may hold names of a file:
 * control characters become dots, in JSON escapes.
 */
export class TextOutput {
  #pending: string[] = [];
  #ready = '';
  #size = 0;
  #failure: Error | undefined;
  /** Something has been given to the stream or waits to be. */
  used = false;
  #form: TextForm = 'text';

  constructor(private readonly stream: TextStream) {
    stream.on('error', (error: NodeJS.ErrnoException) => this.#fail(error));
  }

  /** Columns of the terminal; undefined when the stream is not a terminal. */
  get columns(): number | undefined {
    return this.stream.columns;
  }

  get isTerminal(): boolean {
    return this.stream.isTTY === true;
  }

  setForm(form: TextForm): void {
    this.#settle();
    this.#form = form;
  }

  /** Text with lines and tabs of its own. */
  put(text: string): void {
    if (text === '') return;
    this.used = true;
    this.#pending.push(text);
    this.#size += text.length;
  }

  /** One line: line ends and tabs in it, which a name may have, are shown as dots. */
  line(text = ''): void {
    this.put(`${this.#form === 'text' ? printable(text) : text}\n`);
  }

  /** One line of cells with tabs between them; tabs in the cells are shown as dots. */
  cells(cells: readonly string[]): void {
    this.put(`${cells.map(printable).join('\t')}\n`);
  }

  /** Text with sequences for the terminal, as colours: nothing in it may come from a file. */
  styled(text: string): void {
    this.#settle();
    this.used = true;
    this.#ready += text;
    this.#size += text.length;
  }

  /** Replaces the terminal's last line; '' removes it. */
  status(text: string): void {
    this.styled('\r\u001b[K');
    this.put(printable(text));
  }

  /** Writes the collected text when it is a chunk or more, and waits while the stream is full. */
  async drain(): Promise<void> {
    if (this.#size >= CHUNK_SIZE) await this.flush();
  }

  /** Writes everything to the stream. Throws BrokenPipe, and IO. */
  async flush(): Promise<void> {
    this.#settle();
    const text = this.#ready;
    this.#ready = '';
    this.#size = 0;
    await this.#give(text);
  }

  /** Writes bytes unchanged, after all text, and waits while the stream is full. */
  async write(bytes: Uint8Array): Promise<void> {
    await this.flush();
    if (bytes.length > 0) this.used = true;
    await this.#give(bytes);
  }

  /** Waits until the operating system has everything. Throws as `flush`. */
  async end(): Promise<void> {
    await this.flush();
    await new Promise<void>((resolve) =>
      this.stream.write('', (error) => {
        // The event comes later.
        if (error) this.#fail(error);
        resolve();
      }),
    );
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Replaces control characters in the collected text. */
  #settle(): void {
    if (this.#pending.length === 0) return;
    const text = this.#pending.join('');
    this.#ready += this.#form === 'json' ? printableJson(text) : printableText(text);
    this.#pending = [];
  }

  async #give(data: string | Uint8Array): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (data.length === 0) return;
    try {
      // A file as stdout throws here, a pipe tells by an event.
      if (!this.stream.write(data)) await once(this.stream as unknown as EventEmitter, 'drain');
    } catch (thrown) {
      throw this.#fail(thrown);
    }
  }

  /** Keeps the first failure. Text that is collected after it is lost. */
  #fail(thrown: unknown): Error {
    const broken = thrown instanceof Error && 'code' in thrown && thrown.code === 'EPIPE';
    this.#failure ??= broken
      ? new BrokenPipe(thrown.message)
      : ioError('The output cannot be written', thrown);
    return this.#failure;
  }
}
