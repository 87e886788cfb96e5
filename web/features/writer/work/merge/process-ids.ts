import type { Members } from '../../../../bins/object-values';
import type { TapeValue } from '../../../../core/tape';

/**
 * Whether an object has numbers of process ids (TProcessID): it contains TRefs, or objects that TRefs refer to. These
 * numbers are relative to the one in the object's key, which is raised by the number of process ids that the file
 * already has.
 */
export function hasProcessIds(object: Members): boolean {
  const seen = new Set<object>();
  const left: TapeValue[] = [object];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null || ArrayBuffer.isView(next) || seen.has(next)) continue;
    seen.add(next);
    if (Array.isArray(next)) {
      for (const item of next) left.push(item);
      continue;
    }
    for (const [name, value] of Object.entries(next)) {
      if (name === 'fPID' || name === '$pid' || name.startsWith('$pid:')) return true;
      left.push(value);
    }
  }
  return false;
}
