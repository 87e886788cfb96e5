import type { Members } from '../../bins/object-values';
import type { TapeValue } from '../../core/tape';

/**
 * Whether an object has numbers of process ids (TProcessID): it holds TRefs, or objects that TRefs refer to. They count
 * from the number in the object's key, which grows by the process ids that a file has already.
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
