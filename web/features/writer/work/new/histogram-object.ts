import type { Histogram } from '../../../../api/api';
import { rootMembers } from '../../../../bins/to-root';
import type { TapeValue } from '../../../../core/tape';
import type { ObjectData } from '../encode/types';
import type { Templates } from './templates';

type Data = { [member: string]: TapeValue };

/** Returns a filled histogram as TH1D, TH2D, TH3D, TProfile or TProfile2D. */
export function histogramObject(histogram: Histogram, templates: Templates): ObjectData {
  // A drawn histogram has no fitted functions, so its list stays empty.
  const { fFunctions: _none, ...members } = rootMembers(histogram);
  const object = templates.make(String(members._typename));
  put(object, members);
  object.fN = histogram.sums.length;
  return object;
}

/** Sets members of an object. Lists of numbers become arrays; members that are not given do not change. */
export function put(object: Data, members: object): void {
  for (const [name, value] of Object.entries(members)) {
    const old = object[name];
    if (ArrayBuffer.isView(old)) object[name] = Float64Array.from(value);
    else if (name === 'fLabels') object[name] = value && { ...value, fUniqueID: 0, fBits: 0, name: '' };
    else if (typeof old === 'object' && old !== null) put(old as Data, value);
    else object[name] = value;
  }
}
