import { argumentError, type XylemError } from '../../../base/errors';

/** One number of a model, and the values to try. */
export interface Sweep {
  /** Its path in the model, for example "sites[0].link.latencyMs". */
  name: string;
  values: number[];
}

const MAX_VALUES = 100;

/** Parses "NAME=V,V,…". Throws XylemError ARGUMENT. */
export function sweepOf(text: string): Sweep {
  const at = text.lastIndexOf('=');
  const values = text
    .slice(at + 1)
    .split(',')
    .map((value) => (value.trim() === '' ? Number.NaN : Number(value)));
  if (at < 1 || values.length > MAX_VALUES || !values.every(Number.isFinite)) {
    throw argumentError(
      `"${text}" does not name a number of the model and its values.`,
      `Write NAME=V,V,… with at most ${MAX_VALUES} values, as in jobs.perSecond=1,10,100.`,
    );
  }
  return { name: text.slice(0, at), values };
}

/** Returns a copy of a model, as parsed JSON, with this value. */
export function withValue(json: unknown, { name }: Sweep, value: number): unknown {
  const copy = structuredClone(json);
  const steps = name.split(/[.[\]]+/).filter((step) => step !== '');
  let place = copy;
  for (const step of steps.slice(0, -1)) place = memberOf(place, step, name);
  const last = steps.at(-1) ?? '';
  if (typeof place !== 'object' || place === null) throw missing(name);
  Object.defineProperty(place, last, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}

function memberOf(place: unknown, step: string, name: string): unknown {
  if (typeof place !== 'object' || place === null || !Object.hasOwn(place, step)) throw missing(name);
  return (place as Record<string, unknown>)[step];
}

function missing(name: string): XylemError {
  return argumentError(
    `The model has no place "${name}".`,
    'Name it by members and positions, as in sites[0].link.latencyMs.',
  );
}
