import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Characters gathered before they are given to the stream. */
const chunkSize = 1 << 16;

/** Thrown by writes when the reader of the output has gone (`xylem … | head`). */
export class BrokenPipe extends Error {
  override readonly name = 'BrokenPipe';
}

/**
 * Text to a stream in pieces of about 64 kB. `put` only gathers; `drain`, awaited now and then,
 * waits for a slow reader, so that memory stays bounded however much is printed.
 */
export class TextOutput {
  private pending: string[] = [];
  private size = 0;
  private failure: Error | undefined;
  /** Something has been given to the stream or waits to be. */
  used = false;

  constructor(private readonly stream: Writable) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.failure ??= error.code === 'EPIPE' ? new BrokenPipe(error.message) : error;
    });
  }

  /** Columns of the terminal; undefined when the stream is none. */
  get columns(): number | undefined {
    return 'columns' in this.stream && typeof this.stream.columns === 'number'
      ? this.stream.columns
      : undefined;
  }

  put(text: string): void {
    if (text === '') return;
    this.used = true;
    this.pending.push(text);
    this.size += text.length;
  }

  line(text = ''): void {
    this.put(`${text}\n`);
  }

  /** Gives what was gathered to the stream when it is a chunk or more, and waits while the stream is full. */
  async drain(): Promise<void> {
    if (this.size >= chunkSize) await this.flush();
  }

  /** Gives everything to the stream. Throws BrokenPipe, or what the stream failed with. */
  async flush(): Promise<void> {
    const text = this.pending.join('');
    this.pending = [];
    this.size = 0;
    await this.give(text);
  }

  /** Gives bytes to the stream, behind all text, and waits while the stream is full. */
  async write(bytes: Uint8Array): Promise<void> {
    await this.flush();
    if (bytes.length > 0) this.used = true;
    await this.give(bytes);
  }

  private async give(data: string | Uint8Array): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    if (data.length === 0) return;
    try {
      if (!this.stream.write(data)) await once(this.stream, 'drain');
    } catch (thrown) {
      throw this.failure ?? thrown;
    }
  }

  /** Waits until the operating system has everything. */
  async end(): Promise<void> {
    await this.flush();
    await new Promise<void>((resolve) => this.stream.write('', () => resolve()));
    if (this.failure !== undefined) throw this.failure;
  }
}
