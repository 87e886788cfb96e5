import type { Gathered } from '../../../../api/selector';
import { itemsOf, recordOf } from '../../../../measure/json';
import { NOMINAL } from '../vary';
import type { ResultKind } from './kind';

/** A result for each variation, and for what is not varied. */
export interface VariedResult extends Gathered {
  kind: 'varied';
  of: Map<string, Gathered>;
}

/** Results of `job.vary`. `kindOf` returns the kind of one, and `isKind` whether a name is that of a kind. */
export function variedKind(
  kindOf: (one: Gathered) => ResultKind,
  isKind: (name: unknown) => boolean,
): ResultKind<VariedResult, Record<string, unknown>> {
  const mapped = ({ of }: VariedResult, to: (one: Gathered) => Gathered): VariedResult => ({
    kind: 'varied',
    of: new Map([...of].map(([name, one]) => [name, to(one)])),
  });
  return {
    form({ of }) {
      const one = of.get(NOMINAL);
      return one && [one.kind, kindOf(one).form?.(one)];
    },
    add({ of }, more) {
      for (const [name, one] of more.of) {
        const there = of.get(name);
        if (there) kindOf(one).add(there, one);
        else of.set(name, one);
      }
    },
    scaled: (one, scale) => mapped(one, (part) => kindOf(part).scaled(part, scale)),
    joined: (one, place) => mapped(one, (part) => kindOf(part).joined?.(part, place) ?? part),
    json: ({ of }) => ({
      of: inOrder(of).map(([name, one]) => [name, { kind: one.kind, ...kindOf(one).json(one) }]),
    }),
    from({ of }, wrong, source) {
      const pairs =
        itemsOf(of instanceof Map ? [...of] : of) ?? wrong('the variations of a result are missing');
      const all = new Map(
        pairs.map((pair): [string, Gathered] => {
          const [name, given] = itemsOf(pair) ?? wrong('a variation is missing');
          const { kind, ...json } = recordOf(given) ?? wrong('a variation is missing');
          if (typeof name !== 'string') return wrong('a variation has no name');
          if (!isKind(kind) || kind === 'varied' || kind === 'own')
            return wrong('a variation is of no known kind');
          return [name, kindOf({ kind: kind as string }).from(json, wrong, source)];
        }),
      );
      if (!all.has(NOMINAL)) wrong('a varied result has nothing that is not varied');
      return { kind: 'varied', of: all };
    },
    lines: (value) => [`variations: ${Object.keys(value).join(', ')}`],
    value: ({ of }, name, entries) =>
      Object.fromEntries(
        inOrder(of).map(([variation, one]) => [variation, kindOf(one).value(one, name, entries)]),
      ),
  };
}

/** The result that is not varied first, then the others by their names. */
export function inOrder(of: VariedResult['of']): [variation: string, one: Gathered][] {
  const rank = (name: string): string => (name === NOMINAL ? '' : name);
  return [...of].sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1));
}
