import type { CallOptions, FileId } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import type { FitOptions, TogetherOptions, TogetherResult } from '../../../api/fit';
import { onAbort } from '../../../base/abort';
import { abortError, throwIfAborted } from '../../../base/errors';
import { noModule } from '../../../core/modules/registry';
import type { InsightHost } from '../../../insight/api';
import { type Fit, type Fitted, type FittedValues, fit } from './fit';
import { type DrawnFit, drawnFit } from './plot';
import { fitAll, type PartOfFit } from './together';
import { readValues, type ValuesRequest } from './values';

/** Values that are fitted, and whether they are kept for the next fit. */
export interface AskedValues extends ValuesRequest {
  keep?: boolean | undefined;
}

/** A simultaneous fit, and what a plot shows of each part. */
export interface DrawnTogether {
  result: TogetherResult;
  parts: DrawnFit[];
}

declare module '../../../insight/api' {
  interface PageInsight {
    /** Fits a function in the worker of insight. Throws as `fitHistogram`. */
    fit(fitted: Fitted, text: string, options: FitOptions, call?: CallOptions): Promise<DrawnFit>;
    /** Fits functions to several data at once in the worker of insight. Throws as `fitTogether`. */
    fitTogether(
      parts: readonly PartOfFit[],
      options: TogetherOptions,
      call?: CallOptions,
    ): Promise<DrawnTogether>;
    /**
     * Fits a function to the values of a tree, without bins. They are read to the worker of insight, and do not pass through the
     * page. Throws as `fitHistogram`, BUDGET for more values than memory, and the errors of reading.
     */
    fitValues(
      file: FileId,
      values: AskedValues,
      text: string,
      options: FitOptions,
      call?: CallOptions,
    ): Promise<DrawnFit>;
  }
}

/** Time after which a fit of the page is given up, in ms; of values, of which there may be millions. */
const LIMIT_MS = 10_000;
const VALUES_LIMIT_MS = 60_000;

/** Implements `fit` of insight. */
export async function fitInWorker(
  { modules }: InsightHost,
  fitted: Fitted,
  text: string,
  options: FitOptions,
): Promise<DrawnFit> {
  if (!modules) throw noModule('fit');
  return drawnAndReleased(await fit(() => modules('fit'), fitted, text, { limitMs: LIMIT_MS, ...options }));
}

/** Implements `fitTogether` of insight. */
export async function fitTogetherInWorker(
  { modules }: InsightHost,
  parts: readonly PartOfFit[],
  options: TogetherOptions,
): Promise<DrawnTogether> {
  if (!modules) throw noModule('fit');
  const { result, fits } = await fitAll(() => modules('fit'), parts, { limitMs: LIMIT_MS, ...options });
  const drawn = fits.map(drawnFit);
  fits[0]?.release();
  return { result, parts: drawn };
}

/** Implements `fitValues` of insight. */
export async function fitValuesInWorker(
  { modules, reader }: InsightHost,
  file: FileId,
  { keep = false, ...request }: AskedValues,
  text: string,
  options: FitOptions,
  { signal, onProgress }: CallOptions = {},
): Promise<DrawnFit> {
  if (!modules) throw noModule('fit');
  const values = keep
    ? await keptValues(reader, file, request, { signal, onProgress })
    : await readValues(reader, file, request, { signal, onProgress });
  throwIfAborted(signal);
  return drawnAndReleased(
    await fit(() => modules('fit'), values, text, { limitMs: VALUES_LIMIT_MS, ...options }),
  );
}

function drawnAndReleased(made: Fit): DrawnFit {
  const drawn = drawnFit(made);
  made.release();
  return drawn;
}

/** Values that are being read, or that were read last. */
interface Reading {
  key: string;
  values: Promise<FittedValues>;
  isDone: boolean;
  /** Calls that wait for them, which are told the progress. */
  waiting: Set<NonNullable<CallOptions['onProgress']>>;
  end: AbortController;
  forgotten?: ReturnType<typeof setTimeout> | undefined;
}

const readings = new WeakMap<EngineApi, Reading>();

/** A reading for which no call waits any more goes on for this time, in ms: while a range is dragged, one call follows another. */
const GRACE_MS = 500;
/** Values for which no call came are kept for this time, in ms. */
const KEPT_MS = 60_000;

/** Reads values, or returns those that were read last, if they are the same. */
async function keptValues(
  reader: EngineApi,
  file: FileId,
  request: ValuesRequest,
  { signal, onProgress = () => {} }: CallOptions,
): Promise<FittedValues> {
  const key = JSON.stringify([file, request]);
  const before = readings.get(reader);
  if (before && before.key !== key) forget(reader, before);
  const reading = before?.key === key ? before : newReading(reader, file, request, key);
  clearTimeout(reading.forgotten);
  reading.waiting.add(onProgress);
  let stop = () => {};
  const cancelled = new Promise<never>((_, reject) => {
    stop = onAbort(signal, () => reject(abortError(signal?.reason)));
  });
  try {
    return await Promise.race([reading.values, cancelled]);
  } finally {
    stop();
    reading.waiting.delete(onProgress);
    clearTimeout(reading.forgotten);
    if (reading.waiting.size === 0)
      reading.forgotten = setTimeout(() => forget(reader, reading), reading.isDone ? KEPT_MS : GRACE_MS);
  }
}

function newReading(reader: EngineApi, file: FileId, request: ValuesRequest, key: string): Reading {
  const end = new AbortController();
  const waiting: Reading['waiting'] = new Set();
  const values = readValues(reader, file, request, {
    signal: end.signal,
    onProgress: (progress) => {
      for (const tell of waiting) tell(progress);
    },
  });
  const reading: Reading = { key, values, isDone: false, waiting, end };
  readings.set(reader, reading);
  values.then(
    () => {
      reading.isDone = true;
    },
    // A reading that failed is begun again by the next call.
    () => forget(reader, reading),
  );
  return reading;
}

function forget(reader: EngineApi, reading: Reading): void {
  clearTimeout(reading.forgotten);
  if (readings.get(reader) === reading) readings.delete(reader);
  reading.end.abort();
}
