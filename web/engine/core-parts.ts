import { type Core, lostCore } from '../core/core';
import type { CorePart } from '../core/module';
import type { LoadModule } from '../core/modules/registry';
import { moduleOf } from '../pass/module-of';
import type { TaskRunner } from '../pass/types';

/** Decoders that may be parts of their own, by the first word of the compression that a header tells. */
const DECODERS: Readonly<Record<string, CorePart>> = { lzma: 'xz', zstd: 'zstd' };

/**
 * The parts that the core of the element lacks until a file needs them. A call that needs one ends with CORE_LOST, and is
 * repeated when the part is there.
 */
export class CoreParts {
  readonly #loaded = new Map<CorePart, Promise<WebAssembly.Module>>();
  /** Those that are linked, for tasks. */
  #linked: readonly (readonly [CorePart, WebAssembly.Module])[] = [];
  /** The part that a task lacked. */
  #lacking: CorePart | undefined;

  constructor(
    readonly core: Core,
    readonly modules: LoadModule | undefined,
  ) {}

  /** Loads what was lacking when a call ended with CORE_LOST. Throws INTERNAL, and NETWORK if it cannot be loaded. */
  async find(): Promise<void> {
    const part = this.#lacking ?? this.core.lacks;
    this.#lacking = undefined;
    this.core.lacks = undefined;
    if (part !== undefined) await this.#load(part);
  }

  /** Begins to load the decoder that a file probably needs. `compression` is that of its header. */
  expect(compression: string): void {
    const part = DECODERS[compression.split(' ')[0] ?? ''];
    // A failure is that of the call that needs it.
    if (part !== undefined && this.core.isFirst) this.#load(part).catch(() => {});
  }

  async #load(part: CorePart): Promise<void> {
    const known = this.#loaded.get(part);
    const loading = known ?? moduleOf({ modules: this.modules }, part);
    this.#loaded.set(part, loading);
    try {
      const module = await loading;
      await this.core.add([[part, module]]);
      if (!known) this.#linked = [...this.#linked, [part, module]];
    } catch (thrown) {
      this.#loaded.delete(part);
      throw thrown;
    }
  }

  /** Returns a runner whose tasks have the parts. */
  runner(runner: TaskRunner): TaskRunner {
    return {
      ...runner,
      run: async (task, signal) => {
        const coreParts = this.#linked.length > 0 ? this.#linked : undefined;
        const result = await runner.run(coreParts ? { ...task, coreParts } : task, signal);
        if (result.lacks === undefined) return result;
        this.#lacking = result.lacks;
        throw lostCore();
      },
    };
  }
}
