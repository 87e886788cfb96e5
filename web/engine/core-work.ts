import { toXylemError, WorkerLost } from '../base/errors';
import type { Core } from '../core/core';
import type { CoreParts } from './core-parts';

/** A core with more memory than this is dropped when no call is running, because its memory never shrinks. */
const WATERMARK_BYTES = 192 * 1024 * 1024;
/** How often a call is repeated because others stopped the core at a fault. */
const MAX_LOST = 8;
/** How often because a decode worker was lost, perhaps by this call. */
const MAX_WORKERS_LOST = 2;

/** The calls that work with a core. */
export class CoreWork {
  /** Number of running calls. */
  #busy = 0;
  #maxBytes = WATERMARK_BYTES;

  constructor(
    readonly core: Core,
    readonly parts: CoreParts,
    readonly openFiles: () => number,
  ) {}

  /**
   * Runs work with the core. When another call ran into a fault in the meantime, a decode worker was lost, or a part
   * of the core was lacking, it is repeated: files open themselves in the new instance, and another worker takes the place of
   * the lost one.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#busy += 1;
    try {
      for (let lost = 0; ; lost++) {
        try {
          return await work();
        } catch (thrown) {
          const most = thrown instanceof WorkerLost ? MAX_WORKERS_LOST : MAX_LOST;
          const again = thrown instanceof WorkerLost || toXylemError(thrown).code === 'CORE_LOST';
          if (!again || lost >= most) throw thrown;
          await this.parts.find();
          await this.core.ready();
        }
      }
    } finally {
      this.#busy -= 1;
      this.giveBack();
    }
  }

  /**
   * Drops the core after a very large task, when no call is running. Open files may need as much memory again: then the limit is
   * raised.
   */
  giveBack(): void {
    if (this.#busy > 0) return;
    if (this.openFiles() === 0) this.#maxBytes = WATERMARK_BYTES;
    if (this.core.memoryBytes <= this.#maxBytes) return;
    this.#maxBytes *= 2;
    this.core.drop();
  }
}
