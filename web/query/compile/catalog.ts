import type { Schema } from '../core/decoder';
import { DTYPES } from '../core/dtypes';
import { LEVEL, LIMITS } from '../core/expr-ops';
import type { BranchInfo, TreeInfo } from '../file/api';
import type { DataModel } from '../file/data-model';

/** What a name in an expression means: a branch, and a leaf of it where several lie in one branch. */
export interface Named {
  branch: BranchInfo;
  member?: string | undefined;
}

/** The names of a tree. Where several branches have one name, the first that holds values is meant. */
export class Catalog {
  readonly #names = new Map<string, Named & { rank: number }>();

  constructor(info: Pick<TreeInfo, 'branches'>) {
    const full: string[] = [];
    for (const branch of info.branches) {
      const bare = bareName(branch.name);
      const above = branch.parent >= 0 ? (full[branch.parent] ?? '') : '';
      const parentBare = above.slice(above.lastIndexOf('.') + 1);
      const local =
        parentBare !== '' && bare.startsWith(`${parentBare}.`) ? bare.slice(parentBare.length + 1) : bare;
      const whole = above === '' ? bare : `${above}.${local}`;
      // A base class is no part of the names below it.
      full[branch.index] = branch.parent >= 0 && branch.name === branch.typeName ? above : whole;
      this.#add(branch.path, branch, 0);
      this.#add(branch.name, branch, 1);
      this.#add(bare, branch, 2);
      this.#add(whole, branch, 3);
      this.#add(branch.path.replaceAll('/', '.'), branch, 3);
      const leaves = leavesOf(branch);
      for (const leaf of leaves) {
        const member = leaves.length > 1 ? leaf : undefined;
        this.#add(`${bare}.${leaf}`, branch, 3, member);
        this.#add(leaf, branch, 4, member);
      }
    }
  }

  /** The branch of a name; undefined when there is none. */
  find(name: string): Named | undefined {
    return this.#names.get(name);
  }

  /** Whether the name is that of a branch with branches above it, as the path is written with slashes. */
  isPath(name: string): boolean {
    const found = this.#names.get(name);
    return found !== undefined && found.rank === 0 && found.branch.path === name;
  }

  /** All names, for suggestions. */
  names(): string[] {
    return [...this.#names.keys()];
  }

  #add(name: string, branch: BranchInfo, rank: number, member?: string): void {
    if (name === '') return;
    const there = this.#names.get(name);
    const better =
      there === undefined ||
      (there.branch.kind === 'group' && branch.kind !== 'group') ||
      (rank < there.rank && (branch.kind !== 'group' || there.branch.kind === 'group'));
    if (better) this.#names.set(name, { branch, rank, member });
  }
}

const catalogs = new WeakMap<DataModel, Catalog>();

/** The names of a tree, made once. */
export function catalogOf(model: DataModel): Catalog {
  const found = catalogs.get(model) ?? new Catalog(model.info);
  catalogs.set(model, found);
  return found;
}

/** Without dimensions and the dot that the names of split objects end with. */
function bareName(name: string): string {
  return name.replace(/(\[[^\]]*\])+$/, '').replace(/\.+$/, '');
}

/** Names of leaves where they are not that of the branch: its title is "x/F:y[n]/I". */
function leavesOf(branch: BranchInfo): string[] {
  if (branch.depth > 0 || !/\/[A-Za-z]$/.test(branch.title)) return [];
  const leaves = branch.title.split(':').map((leaf) => leaf.replace(/(\[[^\]]*\])*(\/[A-Za-z])?$/, ''));
  if (!leaves.every((leaf) => /^[A-Za-z_]\w*$/.test(leaf))) return [];
  return leaves.length === 1 && leaves[0] === branch.name ? [] : leaves;
}

/** One level of nesting between an entry and a value. */
export interface Level {
  kind: number;
  /** A buffer of the decoder, or how many elements. */
  value: number;
}

/** Where a plan's column has the values of a leaf. */
export interface Leaf {
  kind: 'number' | 'string';
  dtype: number;
  data: number;
  offsets: number;
  levels: Level[];
}

/** A leaf was found, or why not. */
export type Found =
  | { leaf: Leaf }
  | { missing: string; there: string[]; typeName: string; levels: Level[] }
  | { unsupported: string };

/** Follows member names into what a plan yields. Buffers are numbered as web/core/decoder.ts takes them. */
export function findLeaf(schema: Schema, members: readonly string[]): Found {
  return walk(schema, [...members], 0, []);
}

function walk(schema: Schema, members: string[], buffer: number, levels: Level[]): Found {
  if (levels.length > LIMITS.levels) return { unsupported: 'is nested too deeply' };
  switch (schema._typename) {
    case 'primitive': {
      if (members.length > 0) return missing(members, [], '', levels);
      if (DTYPES[schema.dtype] === undefined) return { unsupported: 'has numbers of an unknown kind' };
      return { leaf: { kind: 'number', dtype: schema.dtype, data: buffer, offsets: 0, levels } };
    }
    case 'string':
      if (members.length > 0) return missing(members, [], 'string', levels);
      return {
        leaf: { kind: 'string', dtype: DTYPES.indexOf('u8'), data: buffer + 1, offsets: buffer, levels },
      };
    case 'fixed':
      return walk(schema.child, members, buffer, [...levels, { kind: LEVEL.fixed, value: schema.size }]);
    case 'list':
      return walk(schema.child, members, buffer + 1, [...levels, { kind: LEVEL.list, value: buffer }]);
    case 'optional':
      return walk(schema.child, members, buffer + 1, [...levels, { kind: LEVEL.optional, value: buffer }]);
    case 'struct':
      return intoStruct(schema, members, buffer, levels);
    case 'variant':
      return { unsupported: 'holds values of several types' };
    case 'tape':
      return { unsupported: 'holds objects of changing shape' };
  }
}

function missing(members: string[], there: string[], typeName: string, levels: Level[]): Found {
  return { missing: members[0] ?? '', there, typeName, levels };
}

/** Members of base classes count as the object's own; a struct of one member may go unnamed. */
function intoStruct(
  schema: Schema & { _typename: 'struct' },
  members: string[],
  buffer: number,
  levels: Level[],
): Found {
  const [wanted, ...rest] = members;
  const there: string[] = [];
  let at = buffer;
  for (const [i, child] of schema.children.entries()) {
    const name = schema.names[i] ?? '';
    const mapped = { first: 'key', second: 'value' }[wanted ?? ''];
    if (schema.flat[i] && child._typename === 'struct') {
      const inner = intoStruct(child, members, at, levels);
      if (wanted !== undefined && !('missing' in inner && inner.missing === wanted)) return inner;
      if ('there' in inner) there.push(...inner.there);
    }
    if (wanted !== undefined && (name === wanted || name === mapped)) return walk(child, rest, at, levels);
    there.push(name);
    if (wanted === undefined && schema.children.length === 1) return walk(child, [], at, levels);
    at += buffersIn(child);
  }
  return missing(members, there, schema.typeName, levels);
}

function buffersIn(schema: Schema): number {
  switch (schema._typename) {
    case 'primitive':
      return 1;
    case 'string':
    case 'tape':
      return 2;
    case 'fixed':
      return buffersIn(schema.child);
    case 'list':
    case 'optional':
      return 1 + buffersIn(schema.child);
    case 'variant':
      return 2 + schema.children.reduce((sum, child) => sum + buffersIn(child), 0);
    case 'struct':
      return schema.children.reduce((sum, child) => sum + buffersIn(child), 0);
  }
}
