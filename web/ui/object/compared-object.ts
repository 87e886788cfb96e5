import { useMemo } from 'preact/hooks';
import type { PlainObject } from '../../api/api';
import { XylemError } from '../../base/errors';
import type { AnyPlot } from '../../plot/model';
import { modelOfObject } from '../../plot/stored/stored';
import { partAt } from '../jsroot/items';
import { type Compared, useFromReference } from '../plot/compare';
import type { ViewerStore } from '../state/viewer-state';
import { useSamples } from './samples';

/** The plot of the object of the same path in the other file. */
export function useComparedObject(store: ViewerStore): Compared<AnyPlot> {
  const chosen = store.selection.chosen.value;
  const path = chosen?.kind === 'key' ? chosen.key.path : undefined;
  const part = store.plot.part.value;
  const { found, error, again } = useFromReference(
    store,
    path === undefined ? undefined : JSON.stringify([path, part]),
    async (reference): Promise<PlainObject> => {
      const whole = await reference.object(path ?? '');
      const object = partAt(whole, part);
      if (object !== undefined) return object;
      throw new XylemError({ code: 'NOT_FOUND', message: `${path} has no "${part}" there.` });
    },
  );
  const samples = useSamples(store, found);
  const model = useMemo(() => found && samples && modelOfObject(found, samples), [found, samples]);
  const isStrange = found !== undefined && samples !== undefined && model === undefined;
  const message = `The ${found?._typename} of this name there cannot be drawn.`;
  return { found: model, error: isStrange ? { code: 'UNSUPPORTED', message } : error, again };
}
