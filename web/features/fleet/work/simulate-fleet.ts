import type { CallOptions } from '../../../api/api';
import type { FileUse, Reading } from '../../../api/reading';
import { throwIfAborted } from '../../../base/abort';
import { letMessagesIn } from '../../../base/messages';
import { type FleetReport, startFleet } from './fleet';
import type { Access } from './model';
import { parseFleetModel } from './parse-model';
import { type Sweep, withValue } from './sweep';
import { type FleetSources, fleetWorks } from './works';

/** A model, and options of its simulation. */
export interface FleetRequest {
  /** The model as parsed JSON. */
  model: unknown;
  access: readonly Access[];
  /** Replaces the seed of the model. */
  seed?: number | undefined;
  sweep?: Sweep | undefined;
  /** In a page: readings that uses of the model name as their trace. */
  readings?: readonly Reading[] | undefined;
  /** In a page: branches and cut of the selector that uses of the model name "selector.js". */
  selector?: FileUse['selector'];
}

/** One simulation. */
export interface FleetFinding {
  /** The value of the swept number; undefined without a sweep. */
  value: number | undefined;
  report: FleetReport;
}

/** Number of events between checks for messages and cancellation. */
const EVENTS = 50_000;

/** Simulates a model for each value and access. Rejects with XylemError: ARGUMENT for a mistake in the model. */
export async function simulateFleet(
  { model: json, access, seed, sweep }: FleetRequest,
  sources: FleetSources,
  { signal, onProgress }: CallOptions = {},
): Promise<FleetFinding[]> {
  const known = new Map<string, Promise<unknown>>();
  /** All values of a sweep need the same files. */
  const once = <T>(key: unknown, make: () => Promise<T>): Promise<T> => {
    const text = JSON.stringify(key);
    const made = (known.get(text) as Promise<T> | undefined) ?? make();
    known.set(text, made);
    return made;
  };
  const kept: FleetSources = {
    facts: (dataset) => once([dataset.file, dataset.tree], () => sources.facts(dataset)),
    use: (use, facts) => once([use.dataset, use.selector, use.trace], () => sources.use(use, facts)),
  };
  const found: FleetFinding[] = [];
  for (const value of sweep?.values ?? [undefined]) {
    const model = parseFleetModel(
      sweep === undefined || value === undefined ? json : withValue(json, sweep, value),
    );
    if (seed !== undefined) model.seed = seed;
    const works = await fleetWorks(model, kept);
    for (const way of access) {
      const run = startFleet(model, works, way);
      while (run.advance(EVENTS)) {
        await letMessagesIn();
        throwIfAborted(signal);
        const [entriesDone, entriesTotal] = [run.ended, model.jobs.count];
        onProgress?.({ label: 'Simulating jobs', bytesDone: 0, bytesTotal: 0, entriesDone, entriesTotal });
      }
      found.push({ value, report: run.report() });
    }
  }
  return found;
}
