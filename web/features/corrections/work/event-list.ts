import type { EventList } from '../../../api/corrections';
import { argumentError } from '../../../base/errors';

/** Returns a list of events: lines "run:block:event", with comments after #. Throws ARGUMENT with the line of a mistake. */
export function eventListOf(text: string, name: string): EventList {
  const known = new Set<string>();
  for (const [i, line] of text.split('\n').entries()) {
    const plain = line.replace(/#.*/, '').trim();
    if (plain === '') continue;
    const numbers = plain.split(/[:,\s]+/);
    if (numbers.length !== 3 || numbers.some((one) => !/^\d{1,20}$/.test(one)))
      throw argumentError(
        `The list of events "${name}" is not valid: line ${i + 1} is "${plain.slice(0, 60)}".`,
        'Write run:block:event, as 1:23:456789.',
      );
    known.add(numbers.map(BigInt).join(':'));
  }
  return Object.freeze({
    count: known.size,
    has(run: number | bigint, block: number | bigint, event: number | bigint): boolean {
      for (const one of [run, block, event])
        if (typeof one !== 'bigint' && !Number.isSafeInteger(one))
          throw argumentError(
            `The number of a run, block or event is ${String(one).slice(0, 60)}; a whole number was expected.`,
          );
      return known.has(`${run}:${block}:${event}`);
    },
  });
}
