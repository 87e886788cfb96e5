import { LIMITS } from '../core/expr-ops';
import type { DecodePlan } from '../core/tree-core';
import type { BranchInfo } from '../file/api';
import type { Leaf } from './catalog';

/** A branch that a program reads. */
export interface ProgramColumn {
  branch: BranchInfo;
  plan: DecodePlan;
  /** Of which friend; -1: of the tree itself. */
  friend: number;
}

/** A subscript of an access; `slot` holds the index. */
export interface Sub {
  kind: number;
  value: number;
}

export interface Access {
  leaf: number;
  free: number;
  subs: Sub[];
}

export interface Space {
  dims: number;
  drivers: number[];
}

/** What a program gives: values of a slot, or of an access as they are. */
export interface Output {
  kind: 'number' | 'int64' | 'uint64' | 'string';
  /** Slot of a number, else the access. */
  source: number;
  space: number;
}

type Code = [
  op: number,
  space: number,
  dst: number,
  a: number,
  b: number,
  c: number,
  imm: number,
  imm2: number,
];

/** Gathers a program's tables and writes them as wasm/src/compute/expr.h has them. */
export class ProgramBuilder {
  readonly columns: ProgramColumn[] = [];
  readonly leaves: (Leaf & { column: number })[] = [];
  readonly accesses: Access[] = [];
  readonly spaces: Space[] = [{ dims: 0, drivers: [] }];
  readonly code: Code[] = [];
  readonly outputs: Output[] = [];
  readonly #constants: number[] = [];
  readonly #texts: number[] = [];
  readonly #free: number[] = [];
  slots = 0;
  /** Instructions that make the weight come first. */
  cut = 0;
  weight = -1;
  weightSpace = 0;

  column(branch: BranchInfo, friend: number, plan: () => DecodePlan): number {
    const found = this.columns.findIndex(
      (column) => column.branch.index === branch.index && column.friend === friend,
    );
    if (found >= 0) return found;
    this.columns.push({ branch, plan: plan(), friend });
    return this.columns.length - 1;
  }

  leaf(column: number, leaf: Leaf): number {
    const found = this.leaves.findIndex(
      (one) => one.column === column && one.data === leaf.data && one.levels.length === leaf.levels.length,
    );
    if (found >= 0) return found;
    this.leaves.push({ ...leaf, column });
    return this.leaves.length - 1;
  }

  access(access: Access): number {
    const same = (one: Access) =>
      one.leaf === access.leaf &&
      one.subs.length === access.subs.length &&
      one.subs.every((sub, i) => sub.kind === access.subs[i]?.kind && sub.value === access.subs[i]?.value);
    const found = access.subs.some((sub) => sub.kind === 2) ? -1 : this.accesses.findIndex(same);
    if (found >= 0) return found;
    this.accesses.push(access);
    return this.accesses.length - 1;
  }

  space(): number {
    this.spaces.push({ dims: 0, drivers: [] });
    return this.spaces.length - 1;
  }

  /** Lets an access take part in the loop of a space. False when there are too many. */
  drive(space: number, access: number): boolean {
    const one = this.spaces[space];
    const free = this.accesses[access]?.free ?? 0;
    if (!one || one.drivers.includes(access)) return true;
    if (one.drivers.length >= LIMITS.drivers || free > LIMITS.dims) return false;
    one.drivers.push(access);
    one.dims = Math.max(one.dims, free);
    return true;
  }

  /** A slot that nothing uses; -1 when there are none left. */
  take(): number {
    const slot = this.#free.pop();
    if (slot !== undefined) return slot;
    if (this.slots >= LIMITS.slots) return -1;
    this.slots += 1;
    return this.slots - 1;
  }

  release(slot: number): void {
    this.#free.push(slot);
  }

  emit(
    op: number,
    space: number,
    dst: number,
    more: { a?: number; b?: number; c?: number; imm?: number; imm2?: number } = {},
  ): void {
    this.code.push([op, space, dst, more.a ?? 0, more.b ?? 0, more.c ?? 0, more.imm ?? 0, more.imm2 ?? 0]);
  }

  constant(value: number): number {
    const found = this.#constants.findIndex((one) => Object.is(one, value));
    if (found >= 0) return found;
    this.#constants.push(value);
    return this.#constants.length - 1;
  }

  text(value: string): { at: number; bytes: number } {
    const bytes = new TextEncoder().encode(value);
    const at = this.#texts.length;
    this.#texts.push(...bytes);
    return { at, bytes: bytes.length };
  }

  write(): Uint8Array {
    const ints: number[] = [
      this.leaves.length,
      this.accesses.length,
      this.spaces.length,
      this.code.length,
      this.outputs.length,
      this.#constants.length,
      this.#texts.length,
      this.columns.length,
      this.slots,
      this.cut,
      this.weight,
      this.weightSpace,
    ];
    const { levels, drivers } = LIMITS;
    for (const leaf of this.leaves) {
      ints.push(
        leaf.column,
        leaf.kind === 'string' ? 1 : 0,
        leaf.dtype,
        leaf.data,
        leaf.offsets,
        leaf.levels.length,
      );
      for (let i = 0; i < levels; i++) ints.push(leaf.levels[i]?.kind ?? 0, leaf.levels[i]?.value ?? 0);
    }
    for (const access of this.accesses) {
      ints.push(access.leaf, access.free);
      for (let i = 0; i < levels; i++) ints.push(access.subs[i]?.kind ?? 0, access.subs[i]?.value ?? 0);
    }
    for (const space of this.spaces) {
      ints.push(space.dims, space.drivers.length);
      for (let i = 0; i < drivers; i++) ints.push(space.drivers[i] ?? 0);
    }
    for (const instruction of this.code) ints.push(...instruction);
    for (const output of this.outputs) {
      ints.push(output.source, output.space, { number: 0, int64: 1, uint64: 1, string: 2 }[output.kind], 0);
    }
    const bytes = new Uint8Array(4 + 4 * ints.length + 8 * this.#constants.length + this.#texts.length);
    const view = new DataView(bytes.buffer);
    bytes.set(new TextEncoder().encode('XYQ1'));
    let at = 4;
    for (const value of ints) {
      view.setInt32(at, value, true);
      at += 4;
    }
    for (const value of this.#constants) {
      view.setFloat64(at, value, true);
      at += 8;
    }
    bytes.set(this.#texts, at);
    return bytes;
  }
}
