import type { BranchInfo, DrawRequest, Histogram, TreeInfo } from '../api/api';
import { extended } from '../bins/auto-axis';
import { cellsOf, type HistogramShape, histogramOf } from '../bins/filled-histogram';
import type { Core } from '../core/core';
import { type Axis, addFill, doubleAxis, type Fill } from '../core/fill';
import { emptyFill, type FillShape, fillOfValues } from '../core/fill-values';
import type { ValueRange } from '../core/range';
import type { Failures } from '../pass/failures';
import { fillGoal } from '../pass/goals/fill';
import type { Goal } from '../pass/goals/goal';
import { rangeGoal } from '../pass/goals/range';
import type { ProgramUse } from '../pass/types';
import type { DrawOptions } from '../query/compile/draw-options';
import type { DrawSpec } from '../query/compile/draw-spec';
import { wholeBranch } from '../query/compile/elements';
import { type Source, titleOf } from '../query/language/source';
import { type AxisWish, chooseAxes, givenAxes, wishedAxes } from './axes';
import { needsAxes, shapeOf, takeCells } from './histogram-shape';
import type { Measure } from './measure';
import type { Ask, MemberPass } from './member-pass';
import { placeError } from './members';
import { bytesOf, countOf, ESTIMATE, type KeptBytes, Ranges, TreeRanges } from './ranges';
import type { SharedAxes } from './shared-axes';

/** A histogram to be drawn. */
export interface WishedHistogram {
  spec: DrawSpec;
  /** The expressions, x first. */
  sources: Source[];
  cut: Source | undefined;
  request: Omit<DrawRequest, 'tree'>;
  asked: DrawOptions;
}

/**
 * The values of a tree to be filled: the numbers of a branch, or the results of a program for the entries that pass its
 * cut.
 */
interface TreeValues {
  of: { column: number } | { program: ProgramUse; dims: number };
  select: Ask['select'];
  ranges: TreeRanges;
  core: Core;
}

/**
 * Fills a histogram. If its axes are not given, the ranges of the values are found first. Up to a million values are
 * kept meanwhile, as TTree::Draw does, so that they are not read twice. Later values extend the axes.
 */
export class HistogramMeasure implements Measure {
  readonly sources: readonly Source[];
  readonly #wishes: AxisWish[];
  readonly #profile: boolean;
  readonly #integer: boolean[];
  readonly #ranges: Ranges;
  #axes: Axis[] | undefined;
  #sum: Fill | undefined;
  /** Whether the axes can no longer change. */
  #final = false;
  #random = false;
  /** Number of chosen entries of all trees. */
  #entries = 0;
  #tree: TreeValues | undefined;
  /** Values of earlier trees, kept until the axes are known, and indices of the trees to read again. */
  #waiting: ValueRange[] = [];
  readonly #unread = new Set<number>();
  /** Units of the expressions, x first, by the branches of the first tree. */
  #units: readonly (string | undefined)[] = [];
  #round = 0;
  #core: Core | undefined;

  constructor(
    readonly wished: WishedHistogram,
    readonly kept: KeptBytes,
    readonly seed: number,
    readonly note: Failures,
    readonly shared?: SharedAxes | undefined,
  ) {
    const { spec, sources, cut, request, asked } = wished;
    const dims = sources.length;
    this.sources = cut ? [...sources, cut] : sources;
    this.#profile = dims > 1 && asked.profile !== undefined;
    // The averaged coordinate of a profile has no axis.
    const binned = this.#profile ? dims - 1 : dims;
    const own = wishedAxes(spec, request, binned).map((wish, i) => labelled(wish, sources[i]?.labels));
    const joined = shared?.join(own, dims);
    this.#wishes = joined?.wishes ?? own;
    this.#integer = joined?.integer ?? sources.map(() => true);
    this.#ranges = joined?.ranges ?? new Ranges(dims);
    const given = givenAxes(this.#wishes, this.#profile);
    if (given) this.#begin(given);
    else if (request.exact) throw needsAxes();
    this.#final = given !== undefined;
  }

  get label(): string {
    const { spec } = this.wished;
    return this.#axes ? `Drawing ${spec.expressions.map(titleOf).join(':')}` : 'Finding the range';
  }

  /** Throws BUDGET if there are too many cells. */
  #begin(axes: Axis[]): void {
    this.#shape(axes);
    if (this.#axes) this.kept.cells += cellsOf(this.#axes);
    takeCells(this.kept, axes, this.wished.spec.expressions.map(titleOf).join(':'));
    this.#axes = axes;
    this.#sum = emptyFill(this.#form(axes));
  }

  #shape(axes: readonly Axis[]): HistogramShape {
    const { spec, request, asked, sources } = this.wished;
    return shapeOf(
      spec,
      request,
      asked,
      axes.map((axis, i) => {
        const unit = this.#units[i];
        return { ...axis, ...(unit !== undefined && { unit }), labels: sources[i]?.labels };
      }),
    );
  }

  #form(axes: readonly Axis[]): FillShape {
    const { sources, request } = this.wished;
    return { axes, dims: sources.length, profile: this.#profile, exact: request.exact };
  }

  async open(pass: MemberPass): Promise<Ask | undefined> {
    const { sources, cut, request } = this.wished;
    const { chosen, number, model } = pass.member;
    if (this.#round > 0 && !this.#unread.has(number)) return undefined;
    // A branch is filled with its stored values, unless sums have to be exact or an axis has labels.
    const stored = request.exact || sources[0]?.labels ? undefined : 'number';
    const compiled = await pass.compile(sources, cut, 'fill', stored);
    const { plain, placed, random, outputs } = compiled;
    if (request.exact && placed) throw placeError();
    this.#random ||= random;
    for (const [i, { integer }] of outputs.entries()) this.#integer[i] &&= integer;
    if (this.#round === 0) this.#entries += chosen;
    if (this.#units.length === 0)
      this.#units = (await branchesOf(sources, model.info)).map((branch) => branch?.unit);
    this.#tree = {
      of:
        stored && plain?.kind === stored
          ? { column: pass.column(plain) }
          : { program: pass.program(compiled), dims: sources.length },
      select: cut && { text: cut.text, program: pass.program(await pass.compile([], cut, 'table')) },
      ranges: new TreeRanges(this.#ranges, this.kept, !this.#axes),
      core: model.core,
    };
    return this.#final ? this.#fill(this.#tree) : this.#find(this.#tree);
  }

  #ask(goal: Goal, { select }: TreeValues, only?: readonly number[]): Ask {
    const onFailures: Ask['onFailures'] = (errors) => {
      // Errors were reported when the tree was read the first time.
      if (this.#round === 0) this.note.addErrors(errors);
    };
    return { goals: [goal], select, only, onFailures };
  }

  #fill(tree: TreeValues, only?: readonly number[]): Ask {
    const axes = this.#axes as Axis[];
    const take = (fill: Fill): void => addFill(this.#sum as Fill, fill);
    const goal = fillGoal(tree.of, this.#form(axes), take);
    return this.#ask(goal, tree, only);
  }

  #find(tree: TreeValues, only?: readonly number[]): Ask {
    const { of, ranges } = tree;
    const goal = rangeGoal(
      of,
      (number) => ranges.wish(number),
      (range, { number }) => ranges.take(number, range),
    );
    return this.#ask(goal, tree, only);
  }

  settle(): Ask | undefined {
    const tree = this.#tree;
    if (this.#final || !tree) return undefined;
    const border = tree.ranges.finish();
    return border === undefined ? undefined : this.#find(tree, [border]);
  }

  next({ member }: MemberPass): Ask | undefined {
    const tree = this.#tree;
    // A tree is not read again after it was filled.
    if (this.#final || !tree) return undefined;
    this.#tree = undefined;
    this.#core = member.model.core;
    const { values } = tree.ranges;
    if (this.#axes) this.#extend();
    else if (member.last || (this.#ranges.isFull && !this.shared && this.#wishes.every(isOfRoot)))
      this.#decide();
    else if (values) this.#waiting.push(...values);
    else {
      tree.ranges.forget();
      this.#unread.add(member.number);
    }
    if (!this.#axes) return undefined;
    if (values) return this.#fillKept(values);
    tree.ranges.forget();
    return this.#fill(tree, tree.ranges.filled);
  }

  /** Chooses the axes from the values so far, and fills the kept values. */
  #decide(): void {
    const { fills, whole, first } = this.#ranges;
    const found = { fills, whole, first, later: this.#ranges.takeSteps(), integer: this.#integer };
    const axes = this.shared?.axes ?? chooseAxes(this.#wishes, found, this.#profile);
    if (this.shared) this.shared.axes = axes;
    this.#begin(axes);
    this.#fillKept(this.#waiting.splice(0));
  }

  /** Doubles the axes until they contain the values that were added since, as TH1::ExtendAxis does. */
  #extend(): void {
    const steps = this.#ranges.takeSteps();
    for (const [k, wish] of this.#wishes.entries()) {
      if (wish.range || !isOfRoot(wish)) continue;
      for (const step of steps[k] ?? []) {
        const axes = this.#axes as Axis[];
        const double = (down: boolean): void => doubleAxis(this.#sum as Fill, axes, k, down);
        const axis = extended(axes[k] as Axis, step, double);
        this.#axes = axes.with(k, axis);
      }
    }
  }

  #fillKept(ranges: readonly ValueRange[]): undefined {
    this.#add(this.#core as Core, this.#sum as Fill, this.#axes as Axis[], ranges);
    for (const range of ranges) this.kept.left += bytesOf(range);
    return undefined;
  }

  #add(core: Core, sum: Fill, axes: readonly Axis[], ranges: readonly ValueRange[]): void {
    const form = this.#form(axes);
    let parts: ValueRange[] = [];
    let count = 0;
    for (const [i, range] of ranges.entries()) {
      parts.push(range);
      count += countOf(range);
      // Filling them together is faster than part by part.
      if (count < ESTIMATE && i + 1 < ranges.length) continue;
      if (count > 0) addFill(sum, fillOfValues(core, form, parts));
      parts = [];
      count = 0;
    }
  }

  again(): boolean {
    if (!this.#axes && this.#core) this.#decide();
    this.#final = this.#axes !== undefined;
    if (this.#round > 0) this.#unread.clear();
    this.#round += 1;
    return this.#unread.size > 0;
  }

  partial(): Histogram | undefined {
    return this.#axes ? this.result() : this.#provisional();
  }

  /** Returns a histogram of the values so far. Its axes change with later values. */
  #provisional(): Histogram | undefined {
    const { ranges, core } = this.#tree ?? {};
    const kept = [...this.#waiting, ...(ranges?.values ?? [])];
    const found = new Ranges(this.#integer.length);
    for (const one of kept) found.add(one, one.coordinates);
    const { fills, whole, first } = found;
    if (core === undefined || fills === 0) return undefined;
    const later = found.takeSteps();
    const axes = chooseAxes(
      this.#wishes,
      { fills, whole, first, later, integer: this.#integer },
      this.#profile,
    );
    const sum = emptyFill(this.#form(axes));
    this.#add(core, sum, axes, kept);
    return this.#histogram(axes, sum);
  }

  result(): Histogram {
    const none = { fills: 0, whole: [], first: [], later: [], integer: this.#integer };
    const axes = this.#axes ?? chooseAxes(this.#wishes, none, this.#profile);
    return this.#histogram(axes, this.#sum ?? emptyFill(this.#form(axes)));
  }

  #histogram(axes: readonly Axis[], fill: Fill): Histogram {
    const facts = { entries: this.#entries, integer: this.#integer, partial: this.note.toNote() };
    return { ...histogramOf(this.#shape(axes), fill, facts), ...(this.#random && { seed: this.seed }) };
  }
}

/** Returns the branches of expressions that are only branches. The language is loaded only if there are others. */
async function branchesOf(sources: Source[], tree: TreeInfo): Promise<(BranchInfo | undefined)[]> {
  const named = sources.every(({ branch }) => branch !== undefined)
    ? undefined
    : (await import('./language')).namedBranch;
  return sources.map((source) =>
    source.branch === undefined ? named?.(source, tree) : wholeBranch(tree.branches[source.branch], tree),
  );
}

function isOfRoot({ rule }: AxisWish): boolean {
  return rule === 'root';
}

/** Returns an axis with one bin for each label, unless the ends of the axis are given. */
function labelled(wish: AxisWish, labels: readonly string[] | undefined): AxisWish {
  if (!labels || wish.range) return wish;
  const bins = Math.max(1, labels.length);
  return { ...wish, bins, range: [0, bins] };
}
