import type { CallOptions } from '../../../api/api';
import type { FitOptions } from '../../../api/fit';
import { noModule } from '../../../core/modules/registry';
import type { InsightHost } from '../../../insight/api';
import { type Fitted, fit } from './fit';
import { type DrawnFit, drawnFit } from './plot';

declare module '../../../insight/api' {
  interface PageInsight {
    /** Fits a function in the worker of insight. Throws as `fitHistogram`. */
    fit(fitted: Fitted, text: string, options: FitOptions, call?: CallOptions): Promise<DrawnFit>;
  }
}

/** Time after which a fit of the page is given up, in ms. */
const LIMIT_MS = 10_000;

/** Implements `fit` of insight. */
export async function fitInWorker(
  { modules }: InsightHost,
  fitted: Fitted,
  text: string,
  options: FitOptions,
): Promise<DrawnFit> {
  if (!modules) throw noModule('fit');
  return drawnFit(await fit(() => modules('fit'), fitted, text, { limitMs: LIMIT_MS, ...options }));
}
