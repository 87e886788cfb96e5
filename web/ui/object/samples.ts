import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { PlainObject } from '../../api/api';
import type { FunctionValues } from '../../api/engine-api';
import { toXylemError } from '../../base/errors';
import { type FunctionSamples, functionsWithin, samplesOf, samplesWanted } from '../../plot/stored/functions';
import { loadKinds } from '../../plot/stored/stored';
import type { ViewerStore } from '../state/viewer-state';

/** Values of functions are kept as long as the objects that hold them. */
const known = new WeakMap<PlainObject, FunctionSamples>();

const none: FunctionSamples = new Map();

/**
 * Values of the functions within an object, itself among them; undefined until they are computed and the code is loaded
 * that draws it, and without an object. `how` is ROOT's option for drawing it.
 */
export function useSamples(
  store: ViewerStore,
  object: PlainObject | undefined,
  how = '',
): FunctionSamples | undefined {
  const functions = useMemo(() => (object === undefined ? [] : functionsWithin(object)), [object]);
  const done = useSignal(0);
  const isLoaded = object === undefined || loadKinds(object, how) === undefined;
  const needsNothing = object === undefined || (functions.length === 0 && isLoaded);
  useEffect(() => {
    // The code may have arrived since it was missing here: then only a new drawing shows the object.
    if (needsNothing || (isLoaded && known.has(object))) return;
    let here = true;
    const requests = samplesWanted(functions);
    const keep = (answers: readonly FunctionValues[]): void => {
      known.set(object, samplesOf(requests, answers));
      if (here) done.value++;
    };
    const values =
      requests.length === 0
        ? Promise.resolve([])
        : store.session.call('functions', 'Computing functions', (api, _file, options) =>
            api.functionValues(requests, options),
          );
    Promise.all([values, loadKinds(object, how)])
      .then(([answers]) => keep(answers))
      .catch((thrown: unknown) => {
        const error = toXylemError(thrown).toRecord();
        keep(requests.map(() => ({ error })));
      });
    return () => {
      here = false;
    };
  }, [store, object, functions, isLoaded]);
  void done.value;
  if (object === undefined) return undefined;
  if (!isLoaded) return undefined;
  return needsNothing ? none : known.get(object);
}
