import type { TreeInfo } from '../../../../api/api';
import { translate, Untranslated, withoutNeeds } from '../../../snippets/work/translate/translate';
import type { Filling, Loop, Value } from '../../../snippets/work/translate/value';

/** A cut as a condition on an entry. */
export interface Condition extends Pick<Filling, 'loop' | 'columns'> {
  value: Value;
  /** Whether the value differs between the instances of the loop: then the entry passes if one of them does. */
  isList: boolean;
}

/** Translates a cut. Throws Untranslated with the reason. */
export function conditionOf(tree: TreeInfo, cut: string): Condition {
  const { loop, weight, columns } = translate(tree, { expr: '0', cut });
  const plain: Value = weight ?? { kind: 'number', value: 1, loops: false, isTruth: true };
  const whole = withoutNeeds(plain);
  const truth: Value = whole.isTruth
    ? whole
    : { kind: 'binary', op: 'ne', left: whole, right: NOTHING, loops: whole.loops, isTruth: true };
  // A loop without instances has nothing that passes.
  const value = loop.lists.length > 0 && !truth.loops ? both(countIn(loop), truth) : truth;
  return { loop, columns, isList: value.loops, value };
}

/** Translates a weight. Throws Untranslated for one that has not one value for each entry. */
export function weightOf(tree: TreeInfo, weight: string): Pick<Condition, 'columns' | 'value'> {
  const { values, columns, loop } = translate(tree, { expr: weight, cut: '' });
  if (loop.lists.length + loop.needed.length > 0)
    throw new Untranslated('The weight does not have one value for each entry.');
  return { columns, value: values[0] ?? NOTHING };
}

const NOTHING: Value = { kind: 'number', value: 0, loops: false, isTruth: true };

/** Whether a loop has an instance. */
const countIn = (loop: Loop): Value => ({
  ...{ kind: 'binary', op: 'gt', right: NOTHING, loops: false, isTruth: true },
  left: { kind: 'count', loop, loops: false, isTruth: false },
});

const both = (left: Value, right: Value): Value => ({
  ...{ kind: 'binary', op: 'and', left, right, loops: false, isTruth: true },
});
