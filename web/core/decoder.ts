import { XylemError } from '../base/errors';
import type { Column } from './columns';
import type { Core } from './core';
import { DTYPES, toArray } from './dtypes';
import { countValid, spreadOptional } from './ntuple-optional';

/** The shape of what a plan yields, as the core describes it. */
export type Schema = { _typename: 'primitive'; dtype: number; approximate: boolean } | NestedSchema;
type NestedSchema =
  | { _typename: 'fixed'; size: number; child: Schema }
  | { _typename: 'list'; unordered?: boolean; child: Schema }
  | { _typename: 'optional'; child: Schema }
  | { _typename: 'variant'; children: Schema[] }
  | { _typename: 'string' }
  | { _typename: 'tape' }
  | { _typename: 'struct'; typeName: string; names: string[]; flat: boolean[]; children: Schema[] };

/** What is made of pieces, and where it goes: see xy_decode_pieces. */
export interface PiecesGoal {
  kind: keyof typeof GOALS;
  rows: number;
  all: number;
  inside: number;
  counts: number;
  axis?: { bins: number; low: number; high: number } | undefined;
}

const GOALS = { columns: 0, summary: 1, verify: 2, fill: 3 };

/** Runs a decode plan over baskets that lie in the core's memory; holds what it decoded. */
export class Decoder {
  readonly #pointer: number;

  /** `plan` is where its bytes lie in the core's memory. */
  constructor(
    readonly core: Core,
    plan: number,
    planBytes: number,
  ) {
    this.#pointer = core.make((x, ctx) => x.xy_decoder_create(ctx, plan, planBytes));
  }

  /** For what reads its buffers in the core. */
  get pointer(): number {
    return this.#pointer;
  }

  get rows(): number {
    return this.core.exports.xy_decoder_rows(this.#pointer);
  }

  /**
   * Appends spans of entries of a basket, counted from its first: pairs from, to, ascending, none
   * empty. `counts` are the numbers of the plan's counter branch from the basket's first entry on.
   * Throws what is wrong with it; the columns are then as they were.
   */
  decodeSpans(basket: number, bytes: number, spans: Float64Array, counts?: Int32Array): void {
    this.#withCounts(counts, (at, count) =>
      this.core.withDoubles(spans, (list) =>
        this.core.run((x, ctx) =>
          x.xy_decode_spans(ctx, this.#pointer, basket, bytes, list, spans.length / 2, at, count),
        ),
      ),
    );
  }

  /** Decodes the pieces from..to of an xy_pieces in the core's memory. Gives the first that was not done: less than `to` where it fails, and why. */
  decodePieces(
    from: number,
    to: number,
    goal: PiecesGoal,
    pieces: number,
  ): { done: number; error?: XylemError } {
    const { kind, rows, all, inside, counts, axis } = goal;
    const { bins = 0, low = 0, high = 0 } = axis ?? {};
    let done = from;
    this.core.run((x, ctx) => {
      const [decoder, how] = [this.#pointer, GOALS[kind]];
      done = x.xy_decode_pieces(
        ctx,
        decoder,
        pieces,
        from,
        to,
        how,
        rows,
        all,
        inside,
        bins,
        low,
        high,
        counts,
      );
      return 0;
    });
    return done < to ? { done, error: this.core.error() } : { done };
  }

  #withCounts(counts: Int32Array | undefined, use: (pointer: number, count: number) => void): void {
    const at = counts ? this.#putCounts(counts) : 0;
    try {
      use(at, counts?.length ?? 0);
    } finally {
      this.core.exports.xy_free(at);
    }
  }

  #putCounts(counts: Int32Array): number {
    const at = this.core.exports.xy_alloc(Math.max(4, counts.byteLength));
    if (at === 0) throw new XylemError({ code: 'BUDGET', message: `No memory for ${counts.length} counts.` });
    new Int32Array(this.core.exports.memory.buffer, at, counts.length).set(counts);
    return at;
  }

  /** Copies what was decoded out of the core: the buffers of `buildColumn`. */
  buffers(): ArrayBuffer[] {
    const x = this.core.exports;
    return Array.from({ length: x.xy_decoder_buffers(this.#pointer) }, (_, i) => {
      const at = x.xy_decoder_buffer(this.#pointer, i);
      return this.core.copy(at, x.xy_decoder_buffer_size(this.#pointer, i)).buffer as ArrayBuffer;
    });
  }

  clear(): void {
    this.core.exports.xy_decoder_clear(this.#pointer);
  }

  close(): void {
    this.core.exports.xy_decoder_destroy(this.#pointer);
  }
}

/** The column of what a plan yields from its buffers, in the depth-first order of the core. */
export function buildColumn(schema: Schema, rows: number, buffers: readonly ArrayBuffer[]): Column {
  let next = 0;
  return build(schema, rows, () => buffers[next++] ?? new ArrayBuffer(0));
}

/** Takes the buffers in the depth-first order in which the core numbers them. */
function build(schema: Schema, length: number, buffer: () => ArrayBuffer): Column {
  switch (schema._typename) {
    case 'primitive': {
      const dtype = DTYPES[schema.dtype] ?? 'u8';
      const data = toArray(dtype, buffer());
      return { kind: 'primitive', length, dtype, data, ...(schema.approximate && { approximate: true }) };
    }
    case 'fixed': {
      const child = build(schema.child, length * schema.size, buffer);
      return { kind: 'fixed', length, size: schema.size, child };
    }
    case 'list': {
      const offsets = offsetsOf(buffer());
      const child = build(schema.child, offsets[offsets.length - 1] ?? 0, buffer);
      return { kind: 'list', length, offsets, child, ...(schema.unordered && { unordered: true }) };
    }
    case 'string':
    case 'tape':
      return {
        kind: schema._typename,
        length,
        offsets: offsetsOf(buffer()),
        bytes: new Uint8Array(buffer()),
      };
    case 'optional': {
      const validity = new Uint8Array(buffer());
      return spreadOptional(validity, build(schema.child, countValid(validity), buffer));
    }
    case 'variant': {
      const tags = new Uint8Array(buffer());
      const offsets = new Int32Array(buffer());
      const counts = new Int32Array(256);
      for (const tag of tags) counts[tag] = (counts[tag] ?? 0) + 1;
      const children = schema.children.map((child, i) => build(child, counts[i] ?? 0, buffer));
      return { kind: 'variant', length, tags, offsets, children };
    }
    case 'struct': {
      const children = schema.children.map((child) => build(child, length, buffer));
      return flatten(
        { kind: 'struct', length, typeName: schema.typeName, names: schema.names, children },
        schema.flat,
      );
    }
  }
}

function offsetsOf(buffer: ArrayBuffer): Int32Array {
  return buffer.byteLength === 0 ? new Int32Array(1) : new Int32Array(buffer);
}

/**
 * Members of base classes stand in one level with those of the derived class. A member that a later
 * one hides is named as in C++, with its base: `Base::member`.
 */
function flatten(column: Column & { kind: 'struct' }, flat: boolean[]): Column {
  const members = column.children.flatMap((child, i) =>
    flat[i] && child.kind === 'struct'
      ? child.names.map((name, k) => ({ name, base: child.typeName, child: child.children[k] ?? child }))
      : [{ name: column.names[i] ?? '', base: '', child }],
  );
  const last = new Map(members.map(({ name }, i) => [name, i]));
  const names = members.map(({ name, base }, i) =>
    base !== '' && last.get(name) !== i ? `${base}::${name}` : name,
  );
  return { ...column, names, children: members.map(({ child }) => child) };
}
