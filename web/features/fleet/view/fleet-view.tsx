import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type ErrorRecord, toXylemError } from '../../../base/errors';
import { cyclePath } from '../../../model/keys';
import { FileWords } from '../../../ui/plot/explained';
import { FreePlot } from '../../../ui/plot/free-plot';
import { ReportView } from '../../../ui/report/report';
import { saveText } from '../../../ui/save/save-blob';
import { heldSelector } from '../../../ui/state/held-selector';
import type { ViewProps } from '../../../ui/view-tabs';
import { ErrorPane } from '../../../ui/widgets/error-pane';
import { FileButton } from '../../../ui/widgets/file-button';
import { Choice } from '../../../ui/widgets/segmented-control';
import { fleetPlot } from '../work/fleet-drawing';
import { fleetReport } from '../work/fleet-report';
import { ACCESS, type Access, modelJson } from '../work/model';
import type { FleetFinding } from '../work/simulate-fleet';
import { sweepOf } from '../work/sweep';
import { fleetModelOf, sampleModel } from './fleet-model';

/** Ways of data access that are simulated: both side by side, or one. */
const WAYS: Record<'both' | Access, readonly Access[]> = {
  both: ACCESS,
  push: ['push'],
  pull: ['pull'],
};

/** Simulates jobs at several sites that read files like this one, with a model that can be edited. */
export function FleetView({ store, open, tree, theme }: ViewProps): JSX.Element | null {
  const fleetModel = fleetModelOf(open);
  const text = fleetModel.value ?? (tree === undefined ? '' : sampleModel(open.info.name, tree.info));
  const ways = useSignal<keyof typeof WAYS>('both');
  const sweep = useSignal('');
  const found = useSignal<{ findings: FleetFinding[]; swept: string | undefined } | undefined>(undefined);
  const failed = useSignal<ErrorRecord | undefined>(undefined);
  const busy = useSignal(false);
  const { findings, swept } = found.value ?? {};
  const plot = useMemo(() => findings && fleetPlot(findings, swept), [findings, swept]);
  const simulate = async (): Promise<void> => {
    if (tree === undefined || busy.peek()) return;
    failed.value = undefined;
    busy.value = true;
    try {
      const asked = sweep.peek().trim();
      const model = modelJson(text);
      const request = {
        model,
        access: WAYS[ways.peek()],
        sweep: asked === '' ? undefined : sweepOf(asked),
        readings: store.traffic.savedReadings.peek(),
      };
      const findings = await store.session.call('fleet', 'Simulating jobs', async (_api, _file, options) => {
        const selector = namesSelector(model)
          ? await heldSelector(store, open, tree, options.signal)
          : undefined;
        return store.insight.fleet(open.info, cyclePath(tree.key), { ...request, selector }, options);
      });
      found.value = { findings, swept: request.sweep?.name };
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (error.code !== 'ABORTED') failed.value = error.toRecord();
    } finally {
      busy.value = false;
    }
  };
  // A model is shown with its result, also one that was dropped on the page.
  useEffect(() => {
    if (found.peek() === undefined) void simulate();
  }, []);
  if (tree === undefined) return null;
  return (
    <>
      <p class="hint">
        Jobs at several sites read files like this one: as whole copies that are pushed to their site, or in
        parts that they pull from the origin, perhaps through a cache. The model says which sites, links,
        caches and jobs there are.
      </p>
      <FileWords
        {...{ store, open, theme, tree }}
        words={['Baskets', 'Round trip', 'TTreeCache', 'Push', 'Pull']}
      />
      {findings === undefined && !busy.value && failed.value === undefined && (
        <p class="hint">Choose Simulate: the model below is an example with this file.</p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void simulate();
        }}
      >
        <label class="field model">
          Model
          <textarea
            rows={16}
            spellcheck={false}
            value={text}
            onInput={(event) => {
              fleetModel.value = event.currentTarget.value;
            }}
          />
        </label>
        <div class="controls">
          <Choice
            label="Files"
            options={[
              ['both', 'Pushed and pulled'],
              ['push', 'Pushed'],
              ['pull', 'Pulled'],
            ]}
            value={ways.value}
            onChange={(next) => (ways.value = next)}
          />
          <label class="field">
            Change one number
            <input
              type="text"
              size={36}
              placeholder="sites[1].link.latencyMs=1,10,100"
              spellcheck={false}
              autocomplete="off"
              value={sweep.value}
              onInput={(event) => (sweep.value = event.currentTarget.value)}
            />
          </label>
          <button type="submit" disabled={busy.value}>
            {busy.value ? 'Simulating…' : 'Simulate'}
          </button>
          <FileButton
            class="quiet"
            label="Open a model"
            onFiles={([file]) => {
              void file?.text().then((next) => (fleetModel.value = next));
            }}
          />
          <button type="button" class="quiet" onClick={() => saveText('model.json', text)}>
            Save the model
          </button>
          {findings !== undefined && (
            <button
              type="button"
              class="quiet"
              onClick={() => saveText('fleet.json', JSON.stringify(findings, null, 1))}
            >
              Save the result
            </button>
          )}
        </div>
      </form>
      {failed.value !== undefined && <ErrorPane error={failed.value} />}
      {findings !== undefined && plot !== undefined && (
        <>
          <ReportView report={fleetReport(findings, swept)} />
          <FreePlot model={plot} theme={theme} />
        </>
      )}
    </>
  );
}

/** Whether a use of a model is a selector. */
function namesSelector(model: unknown): boolean {
  const { uses } = Object(model) as { uses?: unknown };
  return Array.isArray(uses) && uses.some((use) => Boolean((Object(use) as { selector?: unknown }).selector));
}
