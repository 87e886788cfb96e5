import type { PlainObject } from '../../api/api';
import { unsupported } from '../../base/data-errors';
import { type ErrorRecord, XylemError } from '../../base/errors';
import { unreadBins } from '../../bins/stored-histogram';
import { isDrawableClass } from './classes';
import type { FunctionSamples } from './functions';
import { label } from './members';

/** Returns why an object cannot be drawn, with the same text in all places. */
export function whyNotDrawable(object: PlainObject, samples: FunctionSamples): ErrorRecord {
  const failed = samples.get(object)?.find(({ error }) => error)?.error;
  if (failed !== undefined) return failed;
  const unread = unreadBins(object);
  if (unread !== undefined) return unread.toRecord();
  const { _typename: kind } = object;
  const fix = 'Its members can be looked at as they are stored.';
  const error = isDrawableClass(kind)
    ? new XylemError({
        code: 'CORRUPT',
        message: `The members of the ${kind} "${label(object.fName)}" do not fit together.`,
        fix,
      })
    : unsupported(
        `It is a ${kind}, which is not drawn here; histograms and their stacks, profiles, graphs, efficiencies, functions, matrices and canvases are.`,
        fix,
      );
  return error.toRecord();
}
