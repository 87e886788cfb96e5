import type { Column } from './columns';
import type { Core } from './core';
import { DTYPES } from './dtypes';
import { countValid, spreadOptional } from './ntuple-optional';
import type { BufferTaker } from './packed-buffers';

/** The structure of the columns that a plan produces, as described by the core. */
export type Schema = { _typename: 'primitive'; dtype: number; approximate: boolean } | NestedSchema;
type NestedSchema =
  | { _typename: 'fixed'; size: number; child: Schema }
  | { _typename: 'list'; unordered?: boolean; child: Schema }
  | { _typename: 'optional'; child: Schema }
  | { _typename: 'variant'; children: Schema[] }
  | { _typename: 'string' }
  /** `typeName` is the C++ type of the tape's objects. */
  | { _typename: 'tape'; typeName: string }
  | { _typename: 'struct'; typeName: string; names: string[]; flat: boolean[]; children: Schema[] };

/** The columns of a decode plan, in the core's memory. */
export class Decoder {
  constructor(
    readonly core: Core,
    /** Its address in the core's memory. */
    readonly pointer: number,
  ) {}

  get rows(): number {
    return this.core.exports.xy_decoder_rows(this.pointer);
  }

  /** Number of buffers of the plan's columns, as `buildColumn` takes them. */
  get bufferCount(): number {
    return this.core.exports.xy_decoder_buffers(this.pointer);
  }

  bufferSize(index: number): number {
    return this.core.exports.xy_decoder_buffer_size(this.pointer, index);
  }

  /** Returns a view of a buffer in the core's memory. It is valid until the core is called again. */
  view(index: number): Uint8Array {
    const size = this.bufferSize(index);
    return this.core.view(this.core.exports.xy_decoder_buffer(this.pointer, index), size);
  }

  /** Returns a copy of a buffer. */
  buffer(index: number): Uint8Array {
    const x = this.core.exports;
    const at = x.xy_decoder_buffer(this.pointer, index);
    return this.core.copy(at, x.xy_decoder_buffer_size(this.pointer, index));
  }

  /** Adds a buffer after those of the plan. Nothing can be decoded afterwards. */
  put(bytes: Uint8Array): void {
    this.core.withBytes(bytes, (at) =>
      this.core.run((x, ctx) => x.xy_decoder_put(ctx, this.pointer, at, bytes.length)),
    );
  }

  close(): void {
    this.core.free((x) => x.xy_decoder_destroy(this.pointer));
  }
}

/** Builds the column of a plan from its buffers, in the depth-first order of the core. */
export function buildColumn(schema: Schema, length: number, buffers: BufferTaker): Column {
  switch (schema._typename) {
    case 'primitive': {
      const dtype = DTYPES[schema.dtype] ?? 'u8';
      const data = buffers.take(dtype);
      return schema.approximate
        ? { kind: 'primitive', length, dtype, data, approximate: true }
        : { kind: 'primitive', length, dtype, data };
    }
    case 'fixed': {
      const child = buildColumn(schema.child, length * schema.size, buffers);
      return { kind: 'fixed', length, size: schema.size, child };
    }
    case 'list': {
      const offsets = takeOffsets(buffers);
      const child = buildColumn(schema.child, offsets[offsets.length - 1] ?? 0, buffers);
      return schema.unordered
        ? { kind: 'list', length, offsets, child, unordered: true }
        : { kind: 'list', length, offsets, child };
    }
    case 'string':
    case 'tape': {
      const offsets = takeOffsets(buffers);
      return { kind: schema._typename, length, offsets, bytes: buffers.take('u8') as Uint8Array };
    }
    case 'optional': {
      const validity = buffers.take('u8') as Uint8Array;
      return spreadOptional(validity, buildColumn(schema.child, countValid(validity), buffers));
    }
    case 'variant': {
      const tags = buffers.take('u8') as Uint8Array;
      const offsets = buffers.take('i32') as Int32Array;
      const counts = new Int32Array(256);
      for (const tag of tags) counts[tag] = (counts[tag] ?? 0) + 1;
      const children = schema.children.map((child, i) => buildColumn(child, counts[i] ?? 0, buffers));
      return { kind: 'variant', length, tags, offsets, children };
    }
    case 'struct': {
      const children = schema.children.map((child) => buildColumn(child, length, buffers));
      return flatten(
        { kind: 'struct', length, typeName: schema.typeName, names: schema.names, children },
        schema.flat,
      );
    }
  }
}

function takeOffsets(buffers: BufferTaker): Int32Array {
  const offsets = buffers.take('i32') as Int32Array;
  return offsets.length === 0 ? new Int32Array(1) : offsets;
}

/**
 * Moves members of base classes to the level of the derived class. A member that is hidden by a later one gets the name
 * of its base in front, as in C++: `Base::member`.
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
