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

/** A summary of numbers; moments are of the finite ones. */
export interface Summary {
  values: number;
  nans: number;
  min: number;
  max: number;
  sum: number;
  /** Sum of squared deviations from the mean. */
  deviation: number;
  integers: boolean;
  infinities: number;
}

const SUMMARY_DOUBLES = 8;

/** Runs a decode plan over baskets; holds what it decoded until it is taken or cleared. */
export class Decoder {
  readonly #pointer: number;

  constructor(
    readonly core: Core,
    plan: Uint8Array,
  ) {
    const input = core.input(plan);
    this.#pointer = core.make((x, ctx) => x.xy_decoder_create(ctx, input, plan.length));
  }

  get rows(): number {
    return this.core.exports.xy_decoder_rows(this.#pointer);
  }

  /**
   * Appends the entries from..to (counted from the basket's first; to < 0: to its end) of a basket.
   * `counts` are the numbers of the plan's counter branch from the basket's first entry on.
   * Throws what is wrong with it; the columns are then as they were.
   */
  decode(basket: Uint8Array, from: number, to: number, counts?: Int32Array): void {
    this.#withCounts(counts, (at, count) => {
      const input = this.core.input(basket);
      this.core.call((x, ctx) => x.xy_decode(ctx, this.#pointer, input, basket.length, from, to, at, count));
    });
  }

  /** The same for several spans of entries: pairs from, to, ascending, none empty. */
  decodeSpans(basket: Uint8Array, spans: Float64Array, counts?: Int32Array): void {
    this.#withCounts(counts, (at, count) =>
      this.core.withDoubles(spans, (list) => {
        const input = this.core.input(basket);
        this.core.call((x, ctx) =>
          x.xy_decode_spans(ctx, this.#pointer, input, basket.length, list, spans.length / 2, at, count),
        );
      }),
    );
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

  /** Copies what was decoded out of the core. */
  column(schema: Schema): Column {
    let next = 0;
    const buffer = (): ArrayBuffer => {
      const pointer = this.core.exports.xy_decoder_buffer(this.#pointer, next);
      const size = this.core.exports.xy_decoder_buffer_size(this.#pointer, next);
      next += 1;
      return this.core.copy(pointer, size).buffer as ArrayBuffer;
    };
    return build(schema, this.rows, buffer);
  }

  /** A summary of all numbers of the one number column. Throws UNSUPPORTED where there is none. */
  summarize(): Summary {
    return this.#withDoubles(SUMMARY_DOUBLES, (at) => {
      this.core.call((x, ctx) => x.xy_summarize(ctx, this.#pointer, at));
      return toSummary(this.#doubles(at, SUMMARY_DOUBLES));
    });
  }

  /**
   * Counts (underflow, bins, overflow, NaN), and summaries of the values within [low, high) and of
   * all values.
   */
  fill(bins: number, low: number, high: number): { counts: Float64Array; inside: Summary; all: Summary } {
    return this.#withDoubles(bins + 3 + 2 * SUMMARY_DOUBLES, (at) => {
      const inside = at + 8 * (bins + 3);
      const all = inside + 8 * SUMMARY_DOUBLES;
      this.core.call((x, ctx) => x.xy_fill(ctx, this.#pointer, bins, low, high, at, inside, all));
      return {
        counts: this.#doubles(at, bins + 3),
        inside: toSummary(this.#doubles(inside, SUMMARY_DOUBLES)),
        all: toSummary(this.#doubles(all, SUMMARY_DOUBLES)),
      };
    });
  }

  clear(): void {
    this.core.exports.xy_decoder_clear(this.#pointer);
  }

  close(): void {
    this.core.exports.xy_decoder_destroy(this.#pointer);
  }

  #doubles(at: number, count: number): Float64Array {
    return new Float64Array(this.core.exports.memory.buffer, at, count).slice();
  }

  #withDoubles<T>(count: number, use: (at: number) => T): T {
    const at = this.core.exports.xy_alloc(8 * count);
    if (at === 0) throw new XylemError({ code: 'BUDGET', message: `No memory for ${count} bins.` });
    try {
      new Float64Array(this.core.exports.memory.buffer, at, count).fill(0);
      return use(at);
    } finally {
      this.core.exports.xy_free(at);
    }
  }
}

function toSummary(d: Float64Array): Summary {
  const [values = 0, nans = 0, min = 0, max = 0, sum = 0, deviation = 0, integers = 0, infinities = 0] = d;
  return { values, nans, min, max, sum, deviation, integers: integers !== 0, infinities };
}

/** The same summary as if both runs of numbers had been one. */
export function mergeSummaries(a: Summary, b: Summary): Summary {
  const rest = { nans: a.nans + b.nans, infinities: a.infinities + b.infinities };
  if (a.values === 0) return { ...b, ...rest };
  if (b.values === 0) return { ...a, ...rest };
  const values = a.values + b.values;
  const delta = b.sum / b.values - a.sum / a.values;
  return {
    ...rest,
    values,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
    sum: a.sum + b.sum,
    deviation: a.deviation + b.deviation + delta * delta * ((a.values * b.values) / values),
    integers: a.integers && b.integers,
  };
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

/** Members of base classes stand in one level with those of the derived class. */
function flatten(column: Column & { kind: 'struct' }, flat: boolean[]): Column {
  const names: string[] = [];
  const children: Column[] = [];
  column.children.forEach((child, i) => {
    if (flat[i] && child.kind === 'struct') {
      names.push(...child.names);
      children.push(...child.children);
    } else {
      names.push(column.names[i] ?? '');
      children.push(child);
    }
  });
  return { ...column, names, children };
}
