import { type Signal, signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Histogram, Progress } from '../../../api/api';
import { toXylemError } from '../../../base/errors';
import { isGraphClass, storedGraph } from '../../../bins/stored-graph';
import { binned, histogramIfAny } from '../../../bins/stored-histogram';
import type { OwnPlot } from '../../../ui/plot/own-plot';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import type { Fitted } from '../work/fit';
import { formatFitText, optionsOfText, parseFitText } from '../work/fit-text';
import type { AskedValues } from '../work/insight';
import type { DrawnFit } from '../work/plot';
import { joinedBins } from '../work/rebin';

/** A fit of the page: the last one of the same data stays while another is made. */
export interface MadeFit {
  drawn?: DrawnFit | undefined;
  error?: string | undefined;
  isBusy: boolean;
  /** How far the values that are fitted have been read. */
  progress?: Progress | undefined;
  /** Ends the fit that runs. */
  cancel(): void;
}

/** A fit that has run for so long is given up when it is no longer wanted, in ms. Shorter ones end sooner by themselves. */
const LONG = 150;
/** The same for a fit of values, because the worker that is ended has them. */
const LONG_OF_VALUES = 5000;

const NO_VALUES =
  'This plot has no values to fit without bins: they are there for one expression of a tree. Choose another method.';

const ranges = new WeakMap<ViewerStore, Signal<string | undefined>>();

/** The range that is being dragged; undefined if none is. */
export function draggedRange(store: ViewerStore): Signal<string | undefined> {
  const found = ranges.get(store) ?? signal<string | undefined>(undefined);
  ranges.set(store, found);
  return found;
}

/** Returns what of a plot can be fitted, as it is shown; undefined if it is neither bins nor points, or not there yet. */
export function fittedOf(
  own: OwnPlot | undefined,
  made: Histogram | undefined,
  rebin: number,
): Fitted | undefined {
  if (made) return made;
  if (own?.filled) return own.filled.histogram;
  if (!own?.object) return undefined;
  const object = binned(own.object);
  if (isGraphClass(object._typename)) return storedGraph(object);
  const histogram = histogramIfAny(object);
  return histogram && joinedBins(histogram, rebin);
}

/** Returns the values that a plot was filled with; undefined for a stored object, several axes, a profile and what was computed. */
export function valuesOf(own: OwnPlot | undefined, made: Histogram | undefined): AskedValues | undefined {
  if (made || !own?.filled) return undefined;
  const { tree, histogram, draw } = own.filled;
  const { expr, branch, cut } = draw;
  if (histogram.axes.length !== 1 || histogram.profile || histogram.means) return undefined;
  return { tree, ...(branch === undefined ? { expr } : { branch }), cut, keep: true };
}

/** Fits a function to the shown plot in a worker, again after each change. While a range is dragged, the fit follows. */
export function useFit(
  store: ViewerStore,
  own: OwnPlot | undefined,
  computed: Histogram | undefined,
  text: string,
): MadeFit {
  const made = useSignal<Omit<MadeFit, 'cancel'> & { of?: unknown }>({ isBusy: true });
  const running = useMemo(
    () => ({ end: undefined as AbortController | undefined, isOfValues: false, done: Promise.resolve() }),
    [],
  );
  const { rebin } = store.plot.look.value;
  const dragged = draggedRange(store).value;
  const asked = dragged === undefined ? text : formatFitText({ ...parseFitText(text), range: dragged });
  const data = computed ?? own?.filled?.histogram ?? own?.object;
  useEffect(() => {
    if (own === undefined) return;
    let isCurrent = true;
    const tell = (next: Partial<MadeFit>) => {
      if (isCurrent) made.value = { drawn: made.peek().drawn, of: data, isBusy: false, ...next };
    };
    // A function is drawn only over the data that it was fitted to.
    if (made.peek().of !== data) made.value = { isBusy: true };
    const before = running.end;
    const spec = parseFitText(asked);
    const isOfValues = spec.unbinned !== '';
    const timer = setTimeout(() => before?.abort(), running.isOfValues ? LONG_OF_VALUES : LONG);
    const run = async () => {
      if (!isCurrent) return;
      made.value = { ...made.peek(), isBusy: true };
      const options = optionsOfText(spec);
      if (typeof options === 'string') return tell({ error: options });
      const end = new AbortController();
      running.end = end;
      running.isOfValues = isOfValues;
      try {
        const call = { signal: end.signal };
        if (isOfValues) {
          const values = valuesOf(own, computed);
          const file = store.session.file.peek()?.info.id;
          if (!values || file === undefined) return tell({ drawn: undefined, error: NO_VALUES });
          const onProgress = (progress: Progress) => tell({ isBusy: true, progress });
          const how = { ...call, onProgress };
          tell({ drawn: await store.insight.fitValues(file, values, spec.function, options, how) });
          return;
        }
        const fitted = fittedOf(own, computed, rebin);
        if (!fitted)
          return tell({ drawn: undefined, error: 'This plot has neither bins nor points to fit.' });
        tell({ drawn: await store.insight.fit(fitted, spec.function, options, call) });
      } catch (thrown) {
        const { message, fix, code } = toXylemError(thrown);
        if (code === 'ABORTED') tell({ drawn: undefined, error: 'The fit was cancelled.' });
        else tell({ drawn: undefined, error: `${message} ${fix ?? ''}`.trim() });
      } finally {
        if (running.end === end) running.end = undefined;
      }
    };
    running.done = running.done.then(run).finally(() => clearTimeout(timer));
    return () => {
      isCurrent = false;
    };
  }, [data, asked, rebin]);
  useEffect(() => () => running.end?.abort(), []);
  return { ...made.value, cancel: () => running.end?.abort() };
}
