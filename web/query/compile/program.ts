import type { BranchInfo } from '../../api/api';
import { LEVEL, LIMITS } from '../../core/expr-levels';
import { OP, SUB } from '../../core/expr-ops';
import type { DecodePlan } from '../../core/tree-core';
import { type TapeLeaf, tapeBuffers } from '../../pass/columns/tape-columns';
import { type ProgramColumn, SharedColumns } from '../../pass/entry-pass';
import { buffersIn, dtypeOf, type Leaf, tapePlaces } from './leaf';

/** A subscript of an access: see wasm/src/compute/expr.h. */
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

/** One output of a program: the values of a slot, or those of an access without conversion. */
export interface Output {
  kind: 'number' | 'int64' | 'uint64' | 'string';
  /** The slot of a number, otherwise the access. */
  source: number;
  space: number;
}

export type Code = [
  op: number,
  space: number,
  dst: number,
  a: number,
  b: number,
  c: number,
  imm: number,
  imm2: number,
];

/** Collects the tables of a program and writes them in the format of wasm/src/compute/expr.h. */
export class ProgramBuilder {
  readonly columns: ProgramColumn[] = [];
  /** Indices of the friends whose columns are used. */
  readonly friends = new Set<number>();
  readonly leaves: (Leaf & { column: number })[] = [];
  readonly accesses: Access[] = [];
  readonly spaces: Space[] = [{ dims: 0, drivers: [] }];
  /** Number of places where the expressions have random numbers. */
  randoms = 0;
  /** Whether an expression counts entries or files through a whole chain: Entry$ and Entries$, and random numbers. */
  placed = false;
  /** Instructions that are being collected. */
  code: Code[] = [];
  /** Instructions that run before all others: those for indices that decide the number of instances. */
  readonly #first: Code[] = [];
  #ahead = 0;
  readonly outputs: Output[] = [];
  readonly #constants: number[] = [];
  readonly #texts: number[] = [];
  readonly #free: number[] = [];
  /** For each slot, how many of its next releases do not free it. */
  readonly #kept = new Map<number, number>();
  slots = 0;
  /** Number of instructions, at the start, that compute the weight. */
  cut = 0;
  weight = -1;
  weightSpace = 0;
  /** Whether an instruction calls a function of xylem-math.wasm. */
  math = false;

  constructor(readonly shared = new SharedColumns()) {}

  column(branch: BranchInfo, friend: number, plan: () => DecodePlan): number {
    if (friend >= 0) this.friends.add(friend);
    const column = this.shared.of(branch, friend, plan);
    const found = this.columns.indexOf(column);
    return found >= 0 ? found : this.columns.push(column) - 1;
  }

  leaf(column: number, wanted: Leaf): number {
    const leaf = this.#placed(column, wanted);
    const found = this.leaves.findIndex(
      (one) => one.column === column && one.data === leaf.data && one.levels.length === leaf.levels.length,
    );
    if (found >= 0) return found;
    this.leaves.push({ ...leaf, column });
    return this.leaves.length - 1;
  }

  /** Shifts the buffers of a leaf on a tape, because buffers of tapes come after those of the plan. */
  #placed(column: number, leaf: Leaf): Leaf {
    const own = this.columns[column];
    if (!leaf.tape || !own) return leaf;
    const { tape, steps, above, presence } = leaf.tape;
    const kind = presence ? 'presence' : leaf.kind;
    const made: TapeLeaf = { tape, steps, kind, dtype: dtypeOf(leaf) };
    own.tapes ??= { leaves: [], places: tapePlaces(own.plan.schema) };
    const { leaves } = own.tapes;
    const same = JSON.stringify(made);
    let at = leaves.findIndex((one) => JSON.stringify(one) === same);
    if (at < 0) at = leaves.push(made) - 1;
    const first = leaves
      .slice(0, at)
      .reduce((sum, one) => sum + tapeBuffers(one), buffersIn(own.plan.schema));
    const levels = leaf.levels.map((level, i) =>
      i < above || level.kind === LEVEL.fixed ? level : { ...level, value: level.value + first },
    );
    return { ...leaf, data: leaf.data + first, offsets: leaf.offsets + first, levels, tape: undefined };
  }

  access(access: Access): number {
    const same = (one: Access) =>
      one.leaf === access.leaf &&
      one.subs.length === access.subs.length &&
      one.subs.every((sub, i) => sub.kind === access.subs[i]?.kind && sub.value === access.subs[i]?.value);
    // The slots have other values at that point.
    const once = access.subs.some(({ kind }) => kind === SUB.slot || kind === SUB.list || kind === SUB.pick);
    const found = once ? -1 : this.accesses.findIndex(same);
    if (found >= 0) return found;
    this.accesses.push(access);
    return this.accesses.length - 1;
  }

  space(): number {
    this.spaces.push({ dims: 0, drivers: [] });
    return this.spaces.length - 1;
  }

  /** Makes an access take part in the loop of a space. Returns false if there are too many. */
  drive(space: number, access: number): boolean {
    const one = this.spaces[space];
    const free = this.accesses[access]?.free ?? 0;
    if (!one || one.drivers.includes(access)) return true;
    if (one.drivers.length >= LIMITS.drivers || free > LIMITS.dims) return false;
    one.drivers.push(access);
    one.dims = Math.max(one.dims, free);
    return true;
  }

  /**
   * Collects the instructions that `make` emits separately from the others. They use only slots that no
   * earlier instruction has used, because `runFirst` may put them in front.
   */
  apart<T>(make: () => T): { made: T; code: Code[] } {
    const before = this.code;
    const code: Code[] = [];
    this.code = code;
    this.#ahead += 1;
    try {
      return { made: make(), code };
    } finally {
      this.code = before;
      this.#ahead -= 1;
    }
  }

  /** Puts instructions in front of all others. */
  runFirst(code: readonly Code[]): void {
    this.#first.push(...code);
  }

  /** Returns an unused slot; -1 if none is left. */
  take(): number {
    const slot = this.#ahead > 0 ? undefined : this.#free.pop();
    if (slot !== undefined) return slot;
    if (this.slots >= LIMITS.slots) return -1;
    this.slots += 1;
    return this.slots - 1;
  }

  /** Makes a slot require one more release before it is free. */
  keep(slot: number): void {
    this.#kept.set(slot, (this.#kept.get(slot) ?? 0) + 1);
  }

  release(slot: number): void {
    const kept = this.#kept.get(slot) ?? 0;
    if (kept > 0) this.#kept.set(slot, kept - 1);
    else this.#free.push(slot);
  }

  emit(
    op: number,
    space: number,
    dst: number,
    more: { a?: number; b?: number; c?: number; imm?: number; imm2?: number } = {},
  ): void {
    if (op === OP.call) this.math = true;
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
    const code = [...this.#first, ...this.code];
    const ints: number[] = [
      this.leaves.length,
      this.accesses.length,
      this.spaces.length,
      code.length,
      this.outputs.length,
      this.#constants.length,
      this.#texts.length,
      this.columns.length,
      this.slots,
      this.#first.length + this.cut,
      this.weight,
      this.weightSpace,
    ];
    const { levels, drivers } = LIMITS;
    for (const leaf of this.leaves) {
      ints.push(
        leaf.column,
        leaf.kind === 'number' ? 0 : leaf.characters === undefined ? 1 : 2,
        leaf.dtype,
        leaf.data,
        leaf.characters ?? leaf.offsets,
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
    for (const instruction of code) ints.push(...instruction);
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
