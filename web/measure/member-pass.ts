import type { BranchInfo } from '../api/api';
import type { ErrorRecord } from '../base/errors';
import { ChainTree } from '../model/chain';
import type { Goal } from '../pass/goals/goal';
import { type PassOptions, planBranch, runPass } from '../pass/pass';
import { packUnits } from '../pass/plan';
import { type ProgramPass, Programs, SharedColumns } from '../pass/program-pass';
import type { BranchPlan, Part, PassProgress, ProgramUse } from '../pass/types';
import type { Compiled, CompileMode } from '../query/compile/compile';
import { type PlainBranch, plainBranch } from '../query/compile/plain-branch';
import type { Source } from '../query/language/source';
import type { Query, QueryMember } from './members';

/** A question of one measure about a tree. */
export interface Ask {
  /** Goals of programs, and of branches: the `column` of these is that of `MemberPass.column`. */
  goals: Goal[];
  /** The cut alone, which may be evaluated first, to find what is worth reading. */
  select?: { text: string; program: ProgramUse } | undefined;
  /** The only parts to run: tasks of programs by their number, units of a branch by theirs. */
  only?: readonly number[] | undefined;
  onPart?: ((part: Part) => void) | undefined;
  onFailures: (errors: ErrorRecord[]) => void;
}

interface AskedGoal {
  ask: Ask;
  goal: Goal;
}

/**
 * The work on one tree, for any number of measures: their expressions are compiled once, and the columns that these read
 * are planned once and read together.
 */
export class MemberPass {
  readonly #shared = new SharedColumns();
  readonly #programs = new Programs();
  readonly #compiled = new Map<string, Promise<Compiled>>();
  readonly #branches: BranchInfo[] = [];
  #plans: BranchPlan[] = [];
  #pass: ProgramPass | undefined;
  /** Units of branches whose failure was told. */
  readonly #told = new Set<string>();

  constructor(
    readonly query: Query,
    readonly member: QueryMember,
    /** The texts of cuts that several have: each is evaluated once for all. */
    readonly commonCuts: ReadonlySet<string> = new Set(),
  ) {}

  /**
   * Compiles expressions and a cut. The same ones, and a cut that several measures have, are compiled once. Throws
   * ARGUMENT, NOT_FOUND and UNSUPPORTED.
   */
  compile(sources: Source[], cut: Source | undefined, mode: CompileMode): Promise<Compiled> {
    const key = JSON.stringify([sources, cut, mode]);
    const compiled = this.#compiled.get(key) ?? this.#compile(sources, cut, mode);
    this.#compiled.set(key, compiled);
    return compiled;
  }

  async #compile(sources: Source[], cut: Source | undefined, mode: CompileMode): Promise<Compiled> {
    const { compileFor } = await import('./language');
    const isCommon = cut !== undefined && this.commonCuts.has(cut.text);
    const weights =
      isCommon && mode === 'fill' && sources.length > 0 ? await this.compile([], cut, mode) : undefined;
    const given = weights?.perEntry ? weights : undefined;
    return compileFor(this.query, this.member, this.own(sources), cut, mode, this.#shared, given);
  }

  /**
   * Returns the branch that is the only expression, without a cut, if decoding gives its values. Only sources that name a
   * branch are found; `Compiled.plain` tells it of any other.
   */
  plain(sources: Source[], cut: Source | undefined): PlainBranch | undefined {
    const [only] = this.own(sources);
    if (cut || sources.length !== 1 || only?.branch === undefined) return undefined;
    const { model } = this.member;
    const plain = plainBranch(model, model.branch(only.branch));
    return plain?.integer === undefined ? undefined : plain;
  }

  /** Whether an expression is a branch of strings and nothing else. Throws as `compile`. */
  async isString(source: Source): Promise<boolean> {
    const plain = this.plain([source], undefined);
    if (plain) return plain.branch.kind === 'string';
    const { holdsStrings } = await import('./language');
    const [own = source] = this.own([source]);
    return holdsStrings(this.query, this.member, own);
  }

  /** The expressions, with the branches of this tree where they name one of the query's tree. */
  own(sources: Source[]): Source[] {
    const { tree } = this.query;
    return sources.map((source) =>
      source.branch === undefined
        ? source
        : { ...source, branch: this.member.branch(tree.branch(source.branch)).index },
    );
  }

  /** Returns how goals use a program; only before `open`. */
  program(compiled: Compiled): ProgramUse {
    return this.#programs.use(compiled);
  }

  /** Returns the number by which goals name a branch; only before `open`. */
  column(branch: BranchInfo): number {
    const found = this.#branches.findIndex(({ index }) => index === branch.index);
    return found >= 0 ? found : this.#branches.push(branch) - 1;
  }

  /** Plans the reading of all that goals use. Throws what reading the metadata throws. */
  async open(): Promise<void> {
    const { runner, options } = this.query;
    const { model, friends, entries } = this.member;
    const { signal } = options;
    if (this.#branches.length > 0) await model.prepare(entries, { signal }, this.#branches);
    this.#plans = this.#branches.map(({ index }) => planBranch(model, index, entries, { whole: true }));
    this.#pass = await this.#programs.plan(model, friends, runner, entries, signal);
  }

  get tasks(): ProgramPass['tasks'] {
    return this.#pass?.tasks ?? [];
  }

  /** Number of units of the columns of goals, each of which may fail. */
  unitsOf(goals: readonly Goal[]): number {
    const branches = new Set<number>();
    const columns = new Set<number>();
    for (const { column, program } of goals) {
      if (column !== undefined) branches.add(column);
      for (const one of program?.columns ?? []) columns.add(one);
    }
    let units = 0;
    for (const branch of branches) units += this.#plans[branch]?.units.length ?? 0;
    for (const column of columns) units += this.#pass?.unitsOf(column) ?? 0;
    return units;
  }

  /** Reads what some measures ask, each basket or page once. */
  async run(asks: readonly Ask[], onBytes: (progress: PassProgress) => void): Promise<void> {
    const alone: AskedGoal[] = [];
    const together: AskedGoal[] = [];
    for (const ask of asks) {
      for (const goal of ask.goals) {
        const column = this.#columnOfPrograms(goal);
        if (goal.program) together.push({ ask, goal });
        else if (column >= 0) together.push({ ask, goal: { ...goal, column } });
        else alone.push({ ask, goal });
      }
    }
    if (alone.length > 0) await this.#runBranches(alone, onBytes);
    if (together.length > 0) await this.#runPrograms(together, onBytes);
  }

  /** The error of a basket, which names its file where there are several. */
  #inFile(error: ErrorRecord): ErrorRecord {
    const { query, member } = this;
    if (!(query.tree instanceof ChainTree)) return error;
    return { ...error, where: { url: member.model.reader.source.name, ...error.where } };
  }

  /** Whether a column of the programs is one of the tree itself, not of a friend, which lies in another file. */
  #isOwn(column: number): boolean {
    return this.#pass?.columns[column]?.parts.every(({ tree }) => tree === this.member.model) ?? false;
  }

  /** The column of the programs that has the numbers of a goal of a branch; -1 if none has. */
  #columnOfPrograms({ column, data }: Goal): number {
    if (column === undefined || data(0).kind === 'columns') return -1;
    const branch = this.#branches[column]?.index;
    const isOwn = ({ tree, shift }: { tree: unknown; shift: number }): boolean =>
      tree === this.member.model && shift === 0;
    return (
      this.#pass?.columns.findIndex((one) => one.branch.index === branch && one.parts.every(isOwn)) ?? -1
    );
  }

  async #runBranches(goals: readonly AskedGoal[], onBytes: PassOptions['onBytes']): Promise<void> {
    const { runner, options } = this.query;
    const used = [...new Set(goals.map(({ goal }) => goal.column ?? -1))];
    const plans = used.map((column) => this.#plans[column] as BranchPlan);
    await runPass(this.member.model, runner, plans, {
      signal: options.signal,
      goals: goals.map(({ goal }) => ({ ...goal, column: used.indexOf(goal.column ?? -1) })),
      units: chosenUnits(goals, used, plans),
      onBytes,
      onPart: (part) => {
        const errors: ErrorRecord[] = [];
        for (const { unit, error } of part.failures) {
          const key = `${used[part.column]} ${part.number + unit}`;
          if (!this.#told.has(key)) errors.push(this.#inFile(error));
          this.#told.add(key);
        }
        const own = goals.filter(({ goal }) => goal.column === used[part.column]);
        for (const ask of new Set(own.map(({ ask: one }) => one))) {
          if (errors.length > 0) ask.onFailures(errors);
          ask.onPart?.(part);
        }
      },
    });
  }

  async #runPrograms(goals: readonly AskedGoal[], onBytes: PassOptions['onBytes']): Promise<void> {
    const asks = [...new Set(goals.map(({ ask }) => ask))];
    const [first] = asks;
    const cuts = new Set(asks.map(({ select }) => select?.text));
    await this.#pass?.run(
      goals.map(({ goal }) => goal),
      {
        signal: this.query.options.signal,
        select: cuts.size === 1 ? first?.select?.program : undefined,
        tasks: onlyOf(asks),
        onBytes,
        onPart: (part) => {
          for (const { onPart } of asks) onPart?.(part);
        },
        onFailures: (failures) => {
          for (const ask of asks) {
            const own = goals.filter((one) => one.ask === ask).map(({ goal }) => goal);
            const errors = failures.filter(({ column }) =>
              own.some((goal) => goal.column === column || goal.program?.columns.includes(column)),
            );
            if (errors.length > 0)
              ask.onFailures(
                errors.map(({ error, column }) => (this.#isOwn(column) ? this.#inFile(error) : error)),
              );
          }
        },
      },
    );
  }
}

/** The parts that asks want, ascending; undefined when one of them wants all. */
function onlyOf(asks: readonly Ask[]): number[] | undefined {
  if (!asks.every(({ only }) => only)) return undefined;
  return [...new Set(asks.flatMap(({ only }) => only ?? []))].sort((a, b) => a - b);
}

/** The units that asks want; undefined when one of them wants all. */
function chosenUnits(
  goals: readonly AskedGoal[],
  used: readonly number[],
  plans: readonly BranchPlan[],
): PassOptions['units'] {
  if (!onlyOf(goals.map(({ ask }) => ask))) return undefined;
  const chosen: number[] = [];
  let before = 0;
  for (const [i, { units }] of plans.entries()) {
    const own = goals.filter(({ goal }) => goal.column === used[i]).map(({ ask }) => ask);
    for (const unit of onlyOf(own) ?? []) chosen.push(before + unit);
    before += units.length;
  }
  const packed = packUnits(plans.map(({ units }) => ({ numbers: units.numbers })));
  return { packed, chosen: Float64Array.from(chosen) };
}
