import type { PlainValue } from '../../api/api';

export { number, numbers, record } from '../../model/plain-members';

/** A stored name or title, as it is: see latex.ts. */
export function label(value: PlainValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
