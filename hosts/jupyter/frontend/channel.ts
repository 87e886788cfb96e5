import type { ByteSource } from '../../../web/element/one-file';

/** The members of a widget's model that are used here: see anywidget's types. */
export interface WidgetModel {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  send(message: unknown, callbacks?: unknown, buffers?: ArrayBuffer[]): void;
  on(event: string, listener: (...args: never[]) => void): void;
  off(event: string, listener: (...args: never[]) => void): void;
}

/** Maximum number of bytes of one message. Larger messages are not faster, and delay the others. */
const BLOCK_BYTES = 1 << 20;
const CONCURRENCY = 8;
/** Maximum number of bytes that are kept for all views of a page. Several cells may show the same file. */
const KEPT_BYTES = 32 << 20;

type Buffer = ArrayBuffer | ArrayBufferView<ArrayBuffer>;
interface Answer {
  id?: unknown;
  error?: string;
  code?: 'IO' | 'FILE_CHANGED';
}

/** A failure that the kernel answered. */
export class KernelError extends Error {
  readonly code: 'IO' | 'FILE_CHANGED';
  readonly fix: string | undefined;
  constructor(message: string, code: 'IO' | 'FILE_CHANGED' = 'IO', fix?: string) {
    super(message);
    this.code = code;
    this.fix = fix;
  }
}

/** ms between checks whether a silent kernel still runs. */
const LOOK_MS = 3000;

/** Asks the kernel over the channel of a widget, and waits for the answer with the same id. */
export class Channel {
  readonly #model: WidgetModel;
  readonly #waiting = new Map<
    string,
    { resolve(bytes: Uint8Array<ArrayBuffer>): void; reject(error: Error): void }
  >();
  #looks: ReturnType<typeof setInterval> | undefined;

  constructor(model: WidgetModel) {
    this.#model = model;
    model.on('msg:custom', (message: Answer, buffers: Buffer[]) => this.#hear(message, buffers));
  }

  /** Sends a message that needs no answer. Nothing happens if the kernel has ended. */
  tell(message: Record<string, unknown>, buffers?: ArrayBuffer[]): void {
    try {
      this.#model.send(message, undefined, buffers);
    } catch {
      // Only sending shows that the channel is closed: its kernel has ended, and answers nothing that was asked.
      const ended = new KernelError('The kernel has ended.', 'IO', 'Run the cell again.');
      for (const { reject } of this.#waiting.values()) reject(ended);
      this.#waiting.clear();
    }
  }

  /** Checks whether the kernel runs, as long as an answer is missing. */
  #look(): void {
    this.#looks ??= setInterval(() => {
      if (this.#waiting.size > 0) this.tell({ kind: 'look' });
      if (this.#waiting.size > 0) return;
      clearInterval(this.#looks);
      this.#looks = undefined;
    }, LOOK_MS);
  }

  #hear({ id, error, code }: Answer, [buffer]: Buffer[]): void {
    const asked = this.#waiting.get(String(id));
    if (asked === undefined) return;
    this.#waiting.delete(String(id));
    if (error !== undefined || buffer === undefined)
      asked.reject(new KernelError(error ?? 'No bytes came.', code));
    else asked.resolve(bytesOf(buffer));
  }

  /** Rejects with KernelError, and with the reason of the signal. A kernel that is busy answers late. */
  ask(message: Record<string, unknown>, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const id = crypto.getRandomValues(new Uint32Array(4)).join('-');
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(id);
        reject(signal?.reason);
      };
      if (signal?.aborted) return abort();
      signal?.addEventListener('abort', abort, { once: true });
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          signal?.removeEventListener('abort', abort);
          settle(value);
        };
      this.#waiting.set(id, { resolve: settled(resolve), reject: settled(reject) });
      this.#look();
      this.tell({ ...message, id });
    });
  }
}

function bytesOf(buffer: Buffer): Uint8Array<ArrayBuffer> {
  return ArrayBuffer.isView(buffer)
    ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
    : new Uint8Array(buffer);
}

/** A file that the kernel reads, as `View._files` describes it. */
export interface KernelFile {
  name: string;
  size: number;
  validator: string;
  /** Whether the server of the notebook may have the file, too. */
  placed: boolean;
}

/** Ranges that came, the last used one at the end. All views share them, because they ask for the same ranges. */
const kept = new Map<string, Uint8Array<ArrayBuffer>>();
let keptBytes = 0;

export function keep(key: string, bytes: Uint8Array<ArrayBuffer>): void {
  kept.set(key, bytes);
  keptBytes += bytes.length;
  for (const [oldest, { length }] of kept) {
    if (keptBytes <= KEPT_BYTES) return;
    kept.delete(oldest);
    keptBytes -= length;
  }
}

/** Returns a range that was kept. */
export function recall(key: string): Uint8Array<ArrayBuffer> | undefined {
  const known = kept.get(key);
  if (known === undefined) return undefined;
  kept.delete(key);
  kept.set(key, known);
  return known;
}

/** Returns the source of a file that the kernel reads. `fail` makes the error that the viewer shows. */
export function kernelSource(
  channel: Channel,
  file: number,
  { name, size, validator }: KernelFile,
  fail: (error: unknown, offset: number, length: number) => Error,
): ByteSource {
  let free = CONCURRENCY;
  const turns: (() => void)[] = [];
  /** Reads of all blocks share the channel: no more than this many are under way. */
  const read = async (
    offset: number,
    length: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> => {
    const key = `${validator} ${offset} ${length}`;
    const known = recall(key);
    if (known !== undefined) return known;
    if (free > 0) free--;
    else await new Promise<void>((turn) => turns.push(turn));
    try {
      const bytes = await channel.ask({ kind: 'read', file, offset, length }, signal);
      if (bytes.length !== length) throw new KernelError(`${name}: ${bytes.length} of ${length} bytes came.`);
      keep(key, bytes);
      return bytes;
    } finally {
      const next = turns.shift();
      if (next === undefined) free++;
      else next();
    }
  };
  return {
    name,
    concurrency: CONCURRENCY,
    info: () => ({ size, validator }),
    async read(offset, wanted, signal) {
      const length = Math.min(wanted, size - offset);
      try {
        if (length <= 0) throw new KernelError(`${name} has ${size} bytes, none from ${offset} on.`);
        if (length <= BLOCK_BYTES) return await read(offset, length, signal);
        const all = new Uint8Array(length);
        const starts = Array.from({ length: Math.ceil(length / BLOCK_BYTES) }, (_, i) => i * BLOCK_BYTES);
        await Promise.all(
          starts.map(async (start) =>
            all.set(await read(offset + start, Math.min(BLOCK_BYTES, length - start), signal), start),
          ),
        );
        return all;
      } catch (error) {
        throw fail(error, offset, length);
      }
    },
  };
}
