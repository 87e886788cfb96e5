import type { CallOptions } from '../../api/api';
import { throwIfAborted } from '../../base/abort';
import { letMessagesIn } from '../../base/messages';
import { type FleetReport, startFleet } from './fleet';
import type { Access, DatasetModel } from './model';
import { parseFleetModel } from './parse-model';
import { type Sweep, withValue } from './sweep';
import { type DatasetFacts, fleetWorks } from './works';

/** A model, and what is simulated of it. */
export interface FleetRequest {
  /** The model as parsed JSON. */
  model: unknown;
  access: readonly Access[];
  /** Another seed than that of the model. */
  seed?: number | undefined;
  sweep?: Sweep | undefined;
}

/** One simulation. */
export interface FleetFinding {
  /** The value of the number that was changed; undefined without a sweep. */
  value: number | undefined;
  report: FleetReport;
}

/** Events between two looks at other messages: signals, and the end of a call. */
const EVENTS = 50_000;

/** Simulates a model for each value and access. Rejects with XylemError: ARGUMENT for a mistake in it. */
export async function simulateFleet(
  { model: json, access, seed, sweep }: FleetRequest,
  factsOf: (dataset: DatasetModel) => Promise<DatasetFacts>,
  { signal, onProgress }: CallOptions = {},
): Promise<FleetFinding[]> {
  const known = new Map<string, Promise<DatasetFacts>>();
  const onceFor = (dataset: DatasetModel): Promise<DatasetFacts> => {
    const key = JSON.stringify([dataset.file, dataset.tree]);
    const facts = known.get(key) ?? factsOf(dataset);
    known.set(key, facts);
    return facts;
  };
  const found: FleetFinding[] = [];
  for (const value of sweep?.values ?? [undefined]) {
    const model = parseFleetModel(
      sweep === undefined || value === undefined ? json : withValue(json, sweep, value),
    );
    if (seed !== undefined) model.seed = seed;
    const works = await fleetWorks(model, onceFor);
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
