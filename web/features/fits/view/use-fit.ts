import { type Signal, signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { CallOptions, Histogram, Progress } from '../../../api/api';
import type { FitOptions, FitResult, TogetherResult } from '../../../api/fit';
import { argumentError, toXylemError } from '../../../base/errors';
import { isGraphClass, storedGraph } from '../../../bins/stored-graph';
import { binned, histogramIfAny } from '../../../bins/stored-histogram';
import type { AnyPlot } from '../../../plot/model';
import type { Places } from '../../../ui/part';
import type { DrawnLayer, OwnPlot } from '../../../ui/plot/own-plot';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import type { BelowFit } from '../work/below';
import type { Fitted } from '../work/fit';
import { type FitText, formatFitText, optionsOfText, parseFitText, togetherOfText } from '../work/fit-text';
import type { AskedValues } from '../work/insight';
import { type DrawnFit, withFit, withFits } from '../work/plot';
import { joinedBins } from '../work/rebin';
import type { PartOfFit } from '../work/together';

/** A fit, or several together, and how it is added to the plot. */
interface DrawnFits {
  result: FitResult | TogetherResult;
  add(model: AnyPlot, below: BelowFit): AnyPlot;
}

/** A fit of the page: the last one of the same data stays while another is made. */
export interface MadeFit {
  drawn?: DrawnFits | undefined;
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

const ranges = new WeakMap<ViewerStore, Signal<string | undefined>>();

/** The range that is being dragged; undefined if none is. */
export function draggedRange(store: ViewerStore): Signal<string | undefined> {
  const found = ranges.get(store) ?? signal<string | undefined>(undefined);
  ranges.set(store, found);
  return found;
}

const results = new WeakMap<ViewerStore, Signal<FitResult | TogetherResult | undefined>>();

/** The result of the last fit; undefined if it failed. */
export function lastResult(store: ViewerStore): Signal<FitResult | TogetherResult | undefined> {
  const found = results.get(store) ?? signal<FitResult | TogetherResult | undefined>(undefined);
  results.set(store, found);
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

/** A plot, and what is drawn of it. */
export type FittedPlot = Pick<Places['plot'], 'own' | 'made' | 'why' | 'layers' | 'reading'>;

/** Makes a fit. Throws the errors of fits, and ARGUMENT for plots and texts that do not fit together. */
async function fitted(
  store: ViewerStore,
  { own, made, why, layers }: FittedPlot,
  spec: FitText,
  call: CallOptions,
): Promise<DrawnFits> {
  if (why !== undefined) throw argumentError(`${why} There is nothing to fit.`, 'Take back the last step.');
  const options = optionsOfText(spec);
  if (typeof options === 'string') throw argumentError(options);
  const { insight } = store;
  if (spec.shared !== '') {
    if (layers === undefined)
      throw argumentError('There are no layers to fit together.', 'Add a layer, or fit the plot alone.');
    const together = togetherOfText(spec, layers.length);
    if (typeof together === 'string') throw argumentError(together);
    const parts = partsOf(layers, together.functions);
    const drawn = await insight.fitTogether(parts, { ...options, shared: together.shared }, call);
    const labelled = drawn.parts.map((one, i) => ({ label: layers[i]?.label ?? '', made: one }));
    return { result: drawn.result, add: (model, below) => withFits(model, labelled, below) };
  }
  const drawn =
    spec.unbinned === ''
      ? await insight.fit(dataOf(own, made, store.plot.look.peek().rebin), spec.function, options, call)
      : await ofValues(store, valuesOf(own, made), spec.function, options, call);
  return { result: drawn.result, add: (model, below) => withFit(model, drawn, below) };
}

function dataOf(own: OwnPlot | undefined, made: Histogram | undefined, rebin: number): Fitted {
  const found = fittedOf(own, made, rebin);
  if (found) return found;
  throw argumentError('This plot has neither bins nor points to fit.');
}

/** The data of layers, with the function of each. */
export const partsOf = (layers: readonly DrawnLayer[], functions: readonly string[]): PartOfFit[] =>
  layers.map((layer, i) => ({ fitted: layerData(layer), text: functions[i] ?? '' }));

function layerData({ label, histogram, object }: DrawnLayer): Fitted {
  const stored = object && binned(object);
  if (stored && isGraphClass(stored._typename)) return storedGraph(stored);
  if (histogram) return histogram;
  throw argumentError(`${label} has neither bins nor points to fit.`, 'Hide or remove this layer.');
}

async function ofValues(
  { insight, session }: ViewerStore,
  values: AskedValues | undefined,
  text: string,
  options: FitOptions,
  call: CallOptions,
): Promise<DrawnFit> {
  const file = session.file.peek()?.info.id;
  if (values && file !== undefined) return await insight.fitValues(file, values, text, options, call);
  throw argumentError(
    'This plot has no values to fit without bins: they are there for one expression of a tree.',
    'Choose another method.',
  );
}

/** Fits a function to the shown plot in a worker, again after each change. While a range is dragged, the fit follows. */
export function useFit(store: ViewerStore, plot: FittedPlot, text: string): MadeFit {
  const { own, made: computed, why, layers, reading = false } = plot;
  const made = useSignal<Omit<MadeFit, 'cancel'> & { of?: unknown }>({ isBusy: true });
  const running = useMemo(
    () => ({ end: undefined as AbortController | undefined, isOfValues: false, done: Promise.resolve() }),
    [],
  );
  const { rebin } = store.plot.look.value;
  const dragged = draggedRange(store).value;
  const asked = dragged === undefined ? text : formatFitText({ ...parseFitText(text), range: dragged });
  const spec = parseFitText(asked);
  // Layers over a plot do not change the fit of the plot alone.
  const isTogether = spec.shared !== '';
  const data = (isTogether ? layers : undefined) ?? computed ?? own?.filled?.histogram ?? own?.object;
  const isComing =
    own === undefined || (reading && (isTogether || layers === undefined) && computed === undefined);
  useEffect(() => {
    if (isComing) return;
    let isCurrent = true;
    const tell = (next: Partial<MadeFit>) => {
      if (!isCurrent) return;
      made.value = { drawn: made.peek().drawn, of: data, isBusy: false, ...next };
      lastResult(store).value = made.value.drawn?.result;
    };
    // A function is drawn only over the data that it was fitted to.
    if (made.peek().of !== data) made.value = { isBusy: true };
    const before = running.end;
    const timer = setTimeout(() => before?.abort(), running.isOfValues ? LONG_OF_VALUES : LONG);
    const run = async () => {
      if (!isCurrent) return;
      made.value = { ...made.peek(), isBusy: true };
      const end = new AbortController();
      running.end = end;
      running.isOfValues = spec.unbinned !== '';
      const onProgress = (progress: Progress) => tell({ isBusy: true, progress });
      try {
        tell({ drawn: await fitted(store, plot, spec, { signal: end.signal, onProgress }) });
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
  }, [data, asked, text, rebin, why, isComing]);
  useEffect(() => () => running.end?.abort(), []);
  return { ...made.value, cancel: () => running.end?.abort() };
}
