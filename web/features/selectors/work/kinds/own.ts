import type { Gathered } from '../../../../api/selector';
import type { ResultKind } from './kind';

/**
 * A member of the state that `begin` did not create with its job. The selector's own merge adds it: see gathered.ts.
 */
export interface OwnResult extends Gathered {
  kind: 'own';
  value: unknown;
}

export const own: ResultKind<OwnResult> = {
  add() {},
  scaled: (one) => one,
  json: ({ value }) => ({ value }),
  from: ({ value }, wrong, source) =>
    source ? { kind: 'own', value } : wrong('a part of its state is of no known kind'),
  value: ({ value }) => value,
};
