import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { PlainObject } from '../../api/api';
import type { FunctionValues } from '../../api/engine-api';
import { toXylemError } from '../../base/errors';
import { type FunctionSamples, functionsWithin, samplesOf, samplesWanted } from '../../plot/stored/functions';
import { loadKinds } from '../../plot/stored/stored';
import type { ViewerStore } from '../state/viewer-state';

/** Cache of values of functions, with the lifetime of their objects. */
const known = new WeakMap<PlainObject, FunctionSamples>();

const none: FunctionSamples = new Map();

/**
 * Returns the values of the functions in an object. Undefined until they are computed and the drawing code is loaded,
 * and without an object. `how` is ROOT's option for drawing.
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
    // The code may have been loaded meanwhile. Then only rendering again shows the object.
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
