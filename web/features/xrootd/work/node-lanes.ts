import { throwIfAborted } from '../../../base/abort';

/** Maximum number of connections for one file. */
const MAX_LANES = 4;
/** Maximum number of bytes requested over one connection at once. Further reads wait. */
const LANE_BYTES = 4 * 1024 * 1024;
/** Reads up to this length never wait. */
const SHORT = 64 * 1024;

/** A connection on which the file is open. */
interface LaneFile {
  connection: { readonly lost: boolean; close(): void };
}

interface Lane<F> {
  file: F;
  /** Bytes that were requested and have not arrived. */
  bytes: number;
}

/**
 * The connections for reading one file: the first one, and up to three more while reads wait. A single connection
 * delivers at most one TCP window per round trip, however fast the link is.
 */
export class Lanes<F extends LaneFile> {
  readonly #open: () => Promise<F>;
  readonly #lanes: Lane<F>[] = [];
  /** Reads that wait for a connection, the oldest first. */
  readonly #waiting: (() => void)[] = [];
  #most = MAX_LANES;
  #timer: NodeJS.Timeout | undefined;

  /** `open` opens the same file on another connection. */
  constructor(open: () => Promise<F>) {
    this.#open = open;
  }

  /** The number of connections, for tests and reports. */
  get size(): number {
    return this.#lanes.length;
  }

  get connections(): F['connection'][] {
    return this.#lanes.map(({ file }) => file.connection);
  }

  /**
   * Runs a read of `bytes` bytes on the connection with the least work. `main` is the file's first connection, and
   * `connectMs` the time it took to open. Throws the errors of `run`, and ABORTED while waiting.
   */
  async use<T>(
    main: F,
    bytes: number,
    connectMs: number,
    run: (file: F) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    let lane = this.#free(main, bytes);
    while (!lane) {
      this.#openLater(connectMs);
      await new Promise<void>((wake) => this.#waiting.push(wake));
      if (signal?.aborted) this.#wake();
      throwIfAborted(signal);
      lane = this.#free(main, bytes);
    }
    lane.bytes += bytes;
    try {
      return await run(lane.file);
    } finally {
      lane.bytes -= bytes;
      this.#wake();
    }
  }

  /** Ends all connections except the first by `end`. Waiting reads continue, and find theirs lost. */
  close(end: (file: F) => void): void {
    this.#most = 0;
    clearTimeout(this.#timer);
    for (const { file } of this.#lanes.splice(1)) end(file);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Returns the connection with the least work, if it has capacity. A lost one other than `main` is dropped. */
  #free(main: F, bytes: number): Lane<F> | undefined {
    if (this.#lanes[0]?.file !== main) this.#lanes[0] = { file: main, bytes: 0 };
    const alive = this.#lanes.filter(({ file }) => file === main || !file.connection.lost);
    this.#lanes.splice(0, this.#lanes.length, ...alive);
    const lane = alive.reduce((least, one) => (one.bytes < least.bytes ? one : least));
    const hasRoom = lane.bytes === 0 || lane.bytes + bytes <= LANE_BYTES;
    return hasRoom || bytes <= SHORT || this.#most === 0 ? lane : undefined;
  }

  #wake(): void {
    this.#waiting.shift()?.();
  }

  /** Opens the file once more if reads have waited as long as that takes. */
  #openLater(connectMs: number): void {
    if (this.#timer || this.#lanes.length >= this.#most) return;
    this.#timer = setTimeout(async () => {
      if (this.#waiting.length > 0) await this.#addLane();
      this.#timer = undefined;
      if (this.#waiting.length > 0) this.#openLater(connectMs);
    }, connectMs);
    this.#timer.unref();
  }

  async #addLane(): Promise<void> {
    try {
      const file = await this.#open();
      if (this.#most === 0) file.connection.close();
      else {
        this.#lanes.push({ file, bytes: 0 });
        this.#wake();
        this.#wake();
      }
    } catch {
      // The existing connections continue, and report the error of the server.
      this.#most = Math.min(this.#most, 1);
    }
  }
}
