import type { BranchInfo } from '../api/api';
import { type ErrorRecord, toXylemError } from '../base/errors';
import { ChainTree } from '../model/chain';
import { type EntryPass, PassColumns, SharedColumns, type UnitFailure } from '../pass/entry-pass';
import { columnsOf } from '../pass/entry-work';
import type { Goal } from '../pass/goals/goal';
import type { Part, PassProgress, ProgramUse } from '../pass/types';
import type { Compiled, CompileMode } from '../query/compile/compile';
import { type PlainBranch, plainBranch, withoutProgram } from '../query/compile/plain-branch';
import type { Source } from '../query/language/source';
import type { Query, QueryMember } from './members';

/** The parts of a tree that a measure reads in one run. */
export interface Ask {
  /** Goals of programs, and of branches by the numbers that `MemberPass.column` returned. */
  goals: Goal[];
  /** The cut as a separate program. It may be evaluated first, to find the tasks that have to be read. */
  select?: { text: string; program: ProgramUse } | undefined;
  /** Numbers of the tasks to run. Default: all. */
  only?: readonly number[] | undefined;
  onPart?: ((part: Part) => void) | undefined;
  onFailures: (errors: ErrorRecord[]) => void;
}

/**
 * Reads one tree for any number of measures. Expressions are compiled once, and the columns that they need are planned
 * once and read together.
 */
export class MemberPass {
  readonly #shared = new SharedColumns();
  readonly #columns = new PassColumns();
  readonly #compiled = new Map<string, Promise<Compiled>>();
  #pass: EntryPass | undefined;

  constructor(
    readonly query: Query,
    readonly member: QueryMember,
    /** Texts of cuts that several measures share. Each is evaluated once for all of them. */
    readonly commonCuts: ReadonlySet<string> = new Set(),
  ) {}

  /**
   * Compiles expressions and a cut. Equal ones, and a cut that several measures share, are compiled once. If the only
   * expression is a branch of the kind `stored` and there is no cut, the result has `plain` and no program. Throws
   * ARGUMENT, NOT_FOUND and UNSUPPORTED.
   */
  compile(
    sources: Source[],
    cut: Source | undefined,
    mode: CompileMode,
    stored?: BranchInfo['kind'],
  ): Promise<Compiled> {
    const plain = stored && !cut && sources.length === 1 ? this.#plain(sources[0]) : undefined;
    if (plain && plain.branch.kind === stored) return Promise.resolve(withoutProgram(plain));
    const key = JSON.stringify([sources, cut, mode]);
    const compiled = this.#compiled.get(key) ?? this.#compile(sources, cut, mode);
    this.#compiled.set(key, compiled);
    return compiled;
  }

  /**
   * Returns the sources as this tree has them: a source with a name that the tree lacks is replaced by its `otherwise`, or left
   * out. `absent` has the indices of those that are replaced or left out, and `texts` the expressions; undefined if left out.
   * Throws as `compile`.
   */
  async inTree(
    sources: readonly Source[],
  ): Promise<{ sources: Source[]; texts: (string | undefined)[]; absent: number[] }> {
    const found: Source[] = [];
    const texts: (string | undefined)[] = [];
    const absent: number[] = [];
    for (const [i, { otherwise, ...source }] of sources.entries()) {
      const isThere = otherwise === undefined || (await this.#has(source));
      if (!isThere) absent.push(i);
      const text = isThere ? source.text : (otherwise ?? undefined);
      texts.push(text);
      if (text !== undefined) found.push({ ...source, text });
    }
    return { sources: found, texts, absent };
  }

  /** Whether the tree has all names of an expression. */
  async #has(source: Source): Promise<boolean> {
    try {
      await this.compile([source], undefined, 'table');
      return true;
    } catch (thrown) {
      if (toXylemError(thrown).code === 'NOT_FOUND') return false;
      throw thrown;
    }
  }

  async #compile(sources: Source[], cut: Source | undefined, mode: CompileMode): Promise<Compiled> {
    const { compileFor } = await import('./language');
    const isCommon = cut !== undefined && this.commonCuts.has(cut.text);
    const weights =
      isCommon && mode === 'fill' && sources.length > 0 ? await this.compile([], cut, mode) : undefined;
    const given = weights?.perEntry ? weights : undefined;
    return compileFor(this.query, this.member, this.own(sources), cut, mode, this.#shared, given);
  }

  /** Whether an expression is a branch of strings and nothing else. Throws as `compile`. */
  async isString(source: Source): Promise<boolean> {
    const plain = this.#plain(source);
    if (plain) return plain.branch.kind === 'string';
    const { holdsStrings } = await import('./language');
    return holdsStrings(this.query, this.member, this.own([source])[0] ?? source);
  }

  /** Returns the branch that a source names, if decoding gives its values and their type is known. */
  #plain(source: Source | undefined): PlainBranch | undefined {
    if (source?.branch === undefined) return undefined;
    const { model } = this.member;
    const [own] = this.own([source]);
    const plain = plainBranch(model, model.branch(own?.branch ?? source.branch));
    return plain?.integer === undefined ? undefined : plain;
  }

  /** Returns the expressions with branches of the query's tree replaced by those of this tree. */
  own(sources: Source[]): Source[] {
    const { tree } = this.query;
    return sources.map((source) =>
      source.branch === undefined
        ? source
        : { ...source, branch: this.member.branch(tree.branch(source.branch)).index },
    );
  }

  /** Returns what goals need to use a program. Must be called before `open`. */
  program(compiled: Compiled): ProgramUse {
    return this.#columns.use(compiled);
  }

  /** Returns the number of a branch for goals. Must be called before `open`. */
  column(branch: BranchInfo): number {
    return this.#columns.add(this.#shared.of(branch, -1, () => this.member.model.plan(branch)));
  }

  /** Plans the reading of all columns that goals use. Throws the errors of reading metadata. */
  async open(): Promise<void> {
    const { runner, options } = this.query;
    const { model, friends, entries } = this.member;
    this.#pass = await this.#columns.plan(model, friends, runner, entries, options.signal);
  }

  get tasks(): EntryPass['tasks'] {
    return this.#pass?.tasks ?? [];
  }

  /** Returns the number of units that goals read, each of which may fail. */
  unitsOf(goals: readonly Goal[]): number {
    return this.#pass?.unitsOf(goals) ?? 0;
  }

  /** Reads what the measures request. Each basket or page is read once. */
  async run(asks: readonly Ask[], onBytes: (progress: PassProgress) => void): Promise<void> {
    const pass = this.#pass;
    if (!pass) return;
    const byGroup = new Map<number, Set<Ask>>();
    for (const ask of asks)
      for (const goal of ask.goals) {
        const group = pass.groupOf(goal);
        byGroup.set(group, (byGroup.get(group) ?? new Set()).add(ask));
      }
    const asksOf = (group: number): Ask[] => [...(byGroup.get(group) ?? [])];
    const cuts = new Set(asks.map(({ select }) => select?.text));
    await pass.run(
      asks.flatMap(({ goals }) => goals),
      {
        signal: this.query.options.signal,
        select: cuts.size === 1 ? asks[0]?.select?.program : undefined,
        only: (group) => onlyOf(asksOf(group)),
        onBytes,
        onPart: (part, group) => {
          for (const { onPart } of asksOf(group)) onPart?.(part);
        },
        onFailures: (failures) => {
          for (const { goals, onFailures } of asks) {
            const columns = columnsOf(goals);
            const errors = failures.filter(({ column }) => columns.includes(column));
            if (errors.length > 0) onFailures(errors.map((failure) => this.#inFile(pass, failure)));
          }
        },
      },
    );
  }

  /**
   * Returns the error of a unit. If there are several files, it names the file, unless the unit belongs to a friend.
   */
  #inFile({ columns }: EntryPass, { error, column }: UnitFailure): ErrorRecord {
    const { query, member } = this;
    const isOwn = columns[column]?.parts.every(({ tree }) => tree === member.model);
    if (!isOwn || !(query.tree instanceof ChainTree)) return error;
    return { ...error, where: { url: member.model.reader.source.name, ...error.where } };
  }
}

/** Returns the numbers of the tasks that are needed; undefined if all are. */
function onlyOf(asks: readonly Ask[]): number[] | undefined {
  return asks.every(({ only }) => only) ? asks.flatMap(({ only }) => only ?? []) : undefined;
}
