import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { toXylemError } from '../../../base/errors';
import { isGraphClass, storedGraph } from '../../../bins/stored-graph';
import { binned, histogramIfAny } from '../../../bins/stored-histogram';
import type { OwnPlot } from '../../../ui/plot/own-plot';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import type { Fitted } from '../work/fit';
import { optionsOfText, parseFitText } from '../work/fit-text';
import type { DrawnFit } from '../work/plot';

/** A fit of the page: the last one stays while another is made. */
export interface MadeFit {
  drawn?: DrawnFit | undefined;
  error?: string | undefined;
  isBusy: boolean;
}

/** Milliseconds without a change before a fit begins. */
const PAUSE = 40;

/** Returns what of a plot can be fitted; undefined if it is neither bins nor points, or not there yet. */
export function fittedOf(own: OwnPlot | undefined): Fitted | undefined {
  if (own?.filled) return own.filled.histogram;
  if (!own?.object) return undefined;
  const object = binned(own.object);
  return isGraphClass(object._typename) ? storedGraph(object) : histogramIfAny(object);
}

/** Fits a function to the shown plot in the worker, again after each change. */
export function useFit(store: ViewerStore, own: OwnPlot | undefined, text: string): MadeFit {
  const made = useSignal<MadeFit>({ isBusy: true });
  const data = own?.filled?.histogram ?? own?.object;
  useEffect(() => {
    if (own === undefined) return;
    let isCurrent = true;
    const end = new AbortController();
    const tell = (next: Partial<MadeFit>) => {
      if (isCurrent) made.value = { drawn: made.value.drawn, isBusy: false, ...next };
    };
    const timer = setTimeout(async () => {
      made.value = { ...made.value, isBusy: true };
      try {
        const spec = parseFitText(text);
        const options = optionsOfText(spec);
        const fitted = fittedOf(own);
        if (typeof options === 'string') return tell({ error: options });
        if (!fitted)
          return tell({ drawn: undefined, error: 'This plot has neither bins nor points to fit.' });
        const drawn = await store.insight.fit(fitted, spec.function, options, { signal: end.signal });
        return tell({ drawn, error: undefined });
      } catch (thrown) {
        const { message, fix, code } = toXylemError(thrown);
        return code === 'ABORTED' ? undefined : tell({ error: `${message} ${fix ?? ''}`.trim() });
      }
    }, PAUSE);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
      end.abort();
    };
  }, [data, text]);
  return made.value;
}
