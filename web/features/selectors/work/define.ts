import type { DrawnHistogram } from '../../../library/drawn';
import type { BranchText, OptionalBranch } from './branches';
import type { SelectorCounter } from './kinds/counter';
import type { SelectorHistogram } from './kinds/histogram';
import type { SelectorJob } from './kinds/kinds';
import type { SelectorLabels } from './kinds/labels';
import type { SelectorTable } from './kinds/table';
import type { TableValues } from './rows/types';
import type { EntryOf, SelectorTask } from './types';

export type Branches = Readonly<Record<string, BranchText>>;

/** The type of a value whose branch is not known. */
// biome-ignore lint/suspicious/noExplicitAny: an expression does not say whether it gives numbers, texts or lists
type Unknown = any;

/** The column of a branch of a tree whose columns are known; undefined if it may be missing without another value. */
type ColumnOf<B extends BranchText, Tree extends object> = B extends string
  ? KnownColumn<B, Tree>
  : B extends OptionalBranch
    ? KnownColumn<B['expr'], Tree> | MissingOf<B>
    : Unknown;

type KnownColumn<Text extends string, Tree extends object> = Text extends keyof Tree ? Tree[Text] : Unknown;

/** The columns that `process` gets, and the values that `entry` gets. */
export type ProcessColumns<B extends Branches, Tree extends object> = {
  readonly [Name in keyof B]: ColumnOf<B[Name], Tree>;
};
export type EntryValues<B extends Branches, Tree extends object> = {
  readonly [Name in keyof B]: ValueOf<ColumnOf<B[Name], Tree>>;
};

type ValueOf<C> = 0 extends 1 & C ? Unknown : C extends undefined ? undefined : EntryOf<C>;

type MissingOf<O extends OptionalBranch> = undefined extends O['missing'] ? undefined : never;

/** A selector whose names and results are known from its text. */
export interface DefinedSelector<B extends Branches, State extends object, Tree extends object = object> {
  files?: Readonly<Record<string, string>>;
  branches: B;
  where?: string;
  begin(job: SelectorJob): State;
  entry?(values: EntryValues<B, Tree>, state: State, task: SelectorTask): void;
  process?(columns: ProcessColumns<B, Tree>, state: State, task: SelectorTask): void;
  merge?(one: Partial<State>, other: Partial<State>): Partial<State>;
}

/** The result of a member of the state. */
export type ResultOf<Member> = Member extends SelectorHistogram
  ? DrawnHistogram
  : Member extends SelectorTable
    ? Record<string, TableValues>
    : Member extends SelectorLabels
      ? Record<string, number>
      : Member extends SelectorCounter
        ? number
        : Member;

type IsResult<Member> = Member extends SelectorHistogram | SelectorTable | SelectorLabels | SelectorCounter
  ? true
  : false;

/** The paths and results of a state. Those of variations are named by their text, and are not among them. */
type Flat<State, Prefix extends string = ''> = {
  [Name in keyof State & string]: IsResult<State[Name]> extends true
    ? { path: `${Prefix}${Name}`; result: ResultOf<State[Name]> }
    : State[Name] extends Readonly<Record<string, unknown>>
      ? Flat<State[Name], `${Prefix}${Name}/`>
      : { path: `${Prefix}${Name}`; result: State[Name] };
}[keyof State & string];

/** The results of a selector, by their paths: `tree.process<ResultsOf<typeof selector>>(…)`. */
export type ResultsOf<Defined> = Defined extends { begin(job: SelectorJob): infer State }
  ? {
      [One in Flat<State> as One extends { path: infer Path extends string } ? Path : never]: One extends {
        result: infer R;
      }
        ? R
        : never;
    }
  : never;
