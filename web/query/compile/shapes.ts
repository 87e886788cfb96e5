import type { BranchInfo, CallOptions } from '../../api/api';
import { toXylemError } from '../../base/errors';
import type { Column } from '../../core/columns';
import type { Schema } from '../../core/decoder';
import type { ClassRecord, ElementRecord } from '../../core/file-core';
import { errorOf, readTape, type TapeValue } from '../../core/tape';
import type { DataModel } from '../../model/data-model';
import type { TapeStep } from '../../pass/columns/tape-columns';
import { readBranches } from '../../pass/read-branches';
import type { TaskRunner } from '../../pass/types';
import { type Classes, type ObjectPlace, tapePlaces } from './leaf';

/**
 * Thrown if the classes of a branch's objects are known only from the entries. Some entries have to be read before
 * the expression can be compiled.
 */
export class UnknownObjects extends Error {
  constructor(
    readonly shapes: Shapes,
    readonly branch: BranchInfo,
    readonly place: ObjectPlace,
  ) {
    super(`The classes of objects in ${branch.path} are not known.`);
  }
}

/** Compiles or looks up names. If classes of objects are unknown, reads them and repeats. */
export async function knownObjects<T>(
  { runner, options }: { runner: TaskRunner; options: CallOptions },
  compile: () => T,
): Promise<T> {
  for (;;) {
    try {
      return compile();
    } catch (thrown) {
      if (!(thrown instanceof UnknownObjects)) throw thrown;
      await thrown.shapes.sample(thrown.branch, thrown.place, runner, options);
    }
  }
}

const shapes = new WeakMap<DataModel, Shapes>();

/** Returns the shapes of a tree's objects, determined once per tree. */
export function shapesOf(model: DataModel): Shapes {
  const known = shapes.get(model) ?? new Shapes(model);
  shapes.set(model, known);
  return known;
}

/** The schemas of a tree's branches and of the classes in its file. */
export class Shapes {
  readonly #branches = new Map<number, Schema | undefined>();
  readonly #classes = new Map<string, Schema | undefined>();
  readonly #sampled = new Map<string, readonly string[]>();
  #classList: ClassRecord[] | undefined;
  #bases: Map<string, string[]> | undefined;
  #names: Set<string> | undefined;

  constructor(readonly model: DataModel) {}

  /** Returns the schema of a branch; undefined if it cannot be decoded. */
  branch(branch: BranchInfo): Schema | undefined {
    if (!this.#branches.has(branch.index)) {
      this.#branches.set(
        branch.index,
        attempt(() => this.model.plan(branch).schema),
      );
    }
    return this.#branches.get(branch.index);
  }

  /** Returns the classes for names within a branch. */
  of(branch: BranchInfo): Classes {
    return {
      schema: (name) => this.#classSchema(name),
      derived: (name) => this.#derived(name),
      at: (place) => {
        const known = this.#sampled.get(keyOf(branch, place));
        if (!known) throw new UnknownObjects(this, branch, place);
        return known;
      },
    };
  }

  /**
   * Returns TStreamerElement::fType of a member without the parts for arrays and pointers. Base classes
   * are searched too.
   */
  memberType(className: string, member: string): number | undefined {
    const found = this.#memberOf(className, member);
    return found && found.type % 20;
  }

  /** Returns the C++ type of a member, without a "*". Base classes are searched too. */
  memberName(className: string, member: string): string | undefined {
    return this.#memberOf(className, member)?.typeName.replaceAll('*', '').trim();
  }

  #memberOf(className: string, member: string, depth = 0): ElementRecord | undefined {
    const { elements = [] } = this.#records().find(({ name }) => name === className) ?? {};
    const own = elements.find(({ name, base }) => !base && name === member);
    if (own) return own;
    for (const { name, base } of elements) {
      // A file may say that a class is its own base class.
      const inherited = base && depth < 40 ? this.#memberOf(name, member, depth + 1) : undefined;
      if (inherited) return inherited;
    }
    return undefined;
  }

  isClass(name: string): boolean {
    this.#names ??= new Set(this.#records().map((one) => one.name));
    return this.#names.has(name);
  }

  /**
   * Reads entries until some have objects at a place, and stops there. A branch that cannot be read counts as one
   * without objects; if the expression needs it, reading its values reports the error.
   */
  async sample(
    branch: BranchInfo,
    place: ObjectPlace,
    runner: TaskRunner,
    options: CallOptions,
  ): Promise<void> {
    const found = new Set<string>();
    try {
      await this.#collect(branch, place, found, runner, options);
    } catch (thrown) {
      if (toXylemError(thrown).code === 'ABORTED') throw thrown;
    }
    this.#sampled.set(keyOf(branch, place), [...found]);
  }

  async #collect(
    branch: BranchInfo,
    place: ObjectPlace,
    found: Set<string>,
    runner: TaskRunner,
    options: CallOptions,
  ): Promise<void> {
    const { entries } = this.model.info;
    for (let from = 0, count = 4; from < entries && found.size === 0; from += count, count *= 8) {
      const to = Math.min(entries, from + count);
      const request = {
        tree: this.model.info.path,
        branches: [branch.index],
        entries: [from, to] as [number, number],
      };
      const [result] = await readBranches(this.model, runner, request, { signal: options.signal });
      const schema = this.branch(branch);
      const tape = schema && result?.column && tapeColumn(schema, result.column, place.tape);
      for (let row = 0; tape && row < tape.length; row++) {
        collect(readTape(tape.bytes, tape.offsets[row] ?? 0), place.steps, found);
      }
      if (result?.error) break;
    }
  }

  #classSchema(name: string): Schema | undefined {
    if (!this.#classes.has(name)) {
      this.#classes.set(name, this.model.classSchema?.(name) ?? undefined);
    }
    return this.#classes.get(name);
  }

  #derived(base: string): readonly string[] {
    if (!this.#bases) {
      this.#bases = new Map();
      for (const { name, elements } of this.#records()) {
        for (const element of elements) {
          if (element.base) this.#bases.set(element.name, [...(this.#bases.get(element.name) ?? []), name]);
        }
      }
    }
    const found = new Set<string>([base]);
    for (const one of found) for (const name of this.#bases.get(one) ?? []) found.add(name);
    found.delete(base);
    return [...found];
  }

  #records(): ClassRecord[] {
    this.#classList ??= this.model.classes?.() ?? [];
    return this.#classList;
  }
}

function keyOf({ index }: BranchInfo, { tape, steps }: ObjectPlace): string {
  return JSON.stringify([index, tape, steps]);
}

function attempt<T>(run: () => T | undefined): T | undefined {
  try {
    return run();
  } catch {
    // The name is searched elsewhere. If the query names this branch, it reports why the branch cannot be
    // read.
    return undefined;
  }
}

/** Returns the column of tapes whose offsets are the given buffer of the decoder. */
function tapeColumn(schema: Schema, column: Column, buffer: number): (Column & { kind: 'tape' }) | undefined {
  const tapes: (Column & { kind: 'tape' })[] = [];
  const visit = (one: Column): void => {
    if (one.kind === 'tape') tapes.push(one);
    else if ('child' in one) visit(one.child);
    else if ('children' in one) one.children.forEach(visit);
  };
  visit(column);
  return tapes[tapePlaces(schema).findIndex(({ tape }) => tape === buffer)];
}

/** Collects the classes of the objects that steps lead to. */
function collect(value: TapeValue | undefined, steps: readonly TapeStep[], found: Set<string>): void {
  const [step, ...rest] = steps;
  if (value === null || typeof value !== 'object' || errorOf(value) !== undefined) return;
  if (step === undefined) {
    if (!Array.isArray(value) && !ArrayBuffer.isView(value) && typeof value._typename === 'string') {
      found.add(value._typename);
    }
    return;
  }
  if (step.kind === 'list' || step.kind === 'fixed') {
    if (Array.isArray(value)) for (const one of value) collect(one, rest, found);
  } else if (step.kind === 'member') {
    if (!Array.isArray(value) && !ArrayBuffer.isView(value)) collect(value[step.name], rest, found);
  } else collect(value, rest, found);
}
