import type { Core } from './core';
import type { Decoder } from './decoder';

/** A running expression program in the core. */
export class CoreQuery {
  readonly pointer: number;

  constructor(
    readonly core: Core,
    program: Uint8Array,
  ) {
    // Copied to separate memory, because the input buffer contains the task.
    this.pointer = core.withBytes(program, (at) =>
      core.make((x, ctx) => x.xy_query_create(ctx, at, program.length)),
    );
  }

  /**
   * Starts with the rows of decoders. The rows are the entries in `spans`, pairs [from, to), none of them empty. `rows`
   * contains, for each column of another tree, the row for each entry, or -1 if there is none.
   */
  start(decoders: Decoder[], spans: Float64Array, rows: (Float64Array | undefined)[] = []): void {
    for (const [column, { pointer }] of decoders.entries()) {
      const own = rows[column];
      if (!own) this.core.call((x, ctx) => x.xy_query_bind(ctx, this.pointer, column, pointer));
      else {
        this.core.withDoubles(own, (list) =>
          this.core.call((x, ctx) =>
            x.xy_query_bind_rows(ctx, this.pointer, column, pointer, list, own.length),
          ),
        );
      }
    }
    this.core.withDoubles(spans, (list) =>
      this.core.call((x, ctx) => x.xy_query_start(ctx, this.pointer, list, spans.length / 2)),
    );
  }

  /** Uses the weights of another program, which was started with the same entries. */
  give(weights: CoreQuery): void {
    this.core.call((x, ctx) => x.xy_query_give(ctx, this.pointer, weights.pointer));
  }

  /** Returns a copy of a buffer. */
  buffer(index: number): ArrayBuffer {
    const pointer = this.core.exports.xy_query_buffer(this.pointer, index);
    const size = this.core.exports.xy_query_buffer_size(this.pointer, index);
    return this.core.copy(pointer, size).buffer as ArrayBuffer;
  }

  close(): void {
    this.core.free((x) => x.xy_query_destroy(this.pointer));
  }
}
