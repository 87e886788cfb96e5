import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { DoctorFinding, DoctorReport } from '../../../api/doctor';
import { DOCTOR_RULES } from '../../../api/doctor-rules';
import type { FileUse } from '../../../api/reading';
import type { Place } from '../../../report/report';
import { FileWords } from '../../../ui/plot/explained';
import { Commands, Part, ReportHead, Tables } from '../../../ui/report/report';
import { SaveReport } from '../../../ui/report/save-report';
import type { HealChoice, HealCodec } from '../../../ui/save/heal-choice';
import { heldSelector } from '../../../ui/state/held-selector';
import { mapOf } from '../../../ui/state/map-link';
import type { ViewProps } from '../../../ui/view-tabs';
import { Cancelled } from '../../../ui/widgets/cancelled';
import { Notes } from '../../../ui/widgets/definition-list';
import { ErrorPane } from '../../../ui/widgets/error-pane';
import { Placeholder } from '../../../ui/widgets/progress';
import { slot } from '../../../ui/widgets/slot';
import { useRead } from '../../../ui/widgets/use-read';
import { type Healing, healingOf, repairs } from '../work/doctor-remedies';
import { doctorReport } from '../work/doctor-report';
import { askedUse, asksSelector, UseForm } from './doctor-use-form';

const Heal = slot('heal');

/** Report on the layout of the file, or of one of its trees, from metadata. */
export function DoctorView({ store, open, tree, theme }: ViewProps): JSX.Element {
  const reading = store.traffic.savedReading.value;
  const asked = store.selection.viewParams.value;
  const useOf = async (signal: AbortSignal | undefined): Promise<FileUse | undefined> => {
    if (reading) return { name: `what ${reading.by} read`, reading };
    if (tree === undefined || !asksSelector(asked)) return tree && askedUse(asked);
    return { name: 'the selector', selector: await heldSelector(store, open, tree, signal) };
  };
  const [read, again] = useRead(
    store,
    open,
    `doctor ${tree?.keyIndex ?? ''} ${reading?.by ?? asked}`,
    'Looking at how everything lies',
    async (_api, _file, options) => {
      const use = await useOf(options.signal);
      const report = await store.insight.doctor(open.info, { ...options, tree: tree?.key.path, use });
      return { use, report };
    },
  );
  const form = tree !== undefined && reading === undefined && (
    <UseForm
      asked={asked}
      selects={store.selectors !== undefined}
      onAsk={(next) => {
        // The text of the selector may have changed.
        if (next === asked) again();
        else store.selection.setView('doctor', next);
      }}
    />
  );
  return (
    <>
      {form}
      {read.state === 'failed' && <ErrorPane error={read.error} onRetry={again} />}
      {read.state === 'cancelled' && <Cancelled onAgain={again} />}
      {read.state === 'reading' && <Placeholder store={store} />}
      {read.state === 'ready' && <Report {...{ store, open, tree, theme }} {...read.value} />}
    </>
  );
}

function Report({
  store,
  open,
  tree,
  theme,
  use,
  report,
}: ViewProps & { use: FileUse | undefined; report: DoctorReport }): JSX.Element {
  const { findings } = report;
  const heal = useRef<HTMLHeadingElement>(null);
  const choice = useSignal(choiceFor(healingOf(findings)));
  const writer = Heal.isEmpty || open.info.files !== undefined ? undefined : store.writer;
  /** Adds the repair of this finding to the earlier choices, and shows it. */
  const repair = (finding: DoctorFinding) => {
    const planned = findings.filter((one) => one === finding || isRepaired(one, choice.peek()));
    choice.value = choiceFor(healingOf(planned), choice.peek().codec);
    heal.current?.focus({ preventScroll: true });
    heal.current?.scrollIntoView({ block: 'start' });
  };
  const data = useMemo(() => doctorReport(report), [report]);
  const { notes = [], parts = [], commands = [] } = data;
  const showMap = mapOf(store);
  const show = ({ offset, length = 0, branches = [] }: Place) =>
    offset !== undefined && showMap?.({ place: { offset, length }, branches: [...branches] });
  return (
    <>
      <ReportHead report={data} />
      <FileWords
        {...{ store, open, theme, tree }}
        words={
          tree?.info.kind === 'RNTuple'
            ? ['Pages', 'Clusters', 'Calls', 'Round trip', 'Cluster pool']
            : ['Baskets', 'Clusters', 'Calls', 'Round trip', 'TTreeCache']
        }
      />
      {use !== undefined && (
        <p class="hint">
          Judged for {use.name}
          {use.reading !== undefined && ` of ${use.reading.file}`}.{' '}
          <button
            type="button"
            class="quiet"
            onClick={() => {
              store.traffic.savedReadings.value = [];
              store.selection.setView('doctor');
            }}
          >
            Judge for usual uses
          </button>
        </p>
      )}
      <Notes notes={notes} />
      <Tables report={data} />
      <SaveReport store={store} report={data} name={`${report.file.replace(/\.root$/, '')}-layout.html`} />
      {findings.length === 0 && (
        <p class="hint">
          Nothing was found that is worth changing.
          {use === undefined &&
            ' To know whether the file is good for your job, name its branches or drawing above, or drop a trace of it.'}
        </p>
      )}
      {findings.map((finding, i) => {
        const part = parts[i];
        const canRepair = writer !== undefined && healingOf([finding]) !== undefined;
        return (
          part && (
            <Part key={`${finding.rule} ${i}`} report={part} onPlace={showMap && show}>
              {canRepair && (
                <p>
                  <button type="button" onClick={() => repair(finding)}>
                    Repair this
                  </button>
                </p>
              )}
            </Part>
          )
        );
      })}
      {writer !== undefined && (
        <Heal
          {...{ store, open, tree, theme, writer, choice }}
          repaired={(asked) => repairedBy(asked, findings)}
          heading={heal}
        />
      )}
      {commands.map((one) => (
        <Commands key={one.lines.join()} {...one} />
      ))}
    </>
  );
}

/** Returns the choice for a healing. If nothing needs healing, the order of the baskets is the most useful level. */
function choiceFor(healing: Healing | undefined, codec: HealCodec = 'keep'): HealChoice {
  return { level: healing?.level ?? 'order', codec: codec === 'keep' ? (healing?.codec ?? 'keep') : codec };
}

function isRepaired(finding: DoctorFinding, { level, codec }: HealChoice): boolean {
  return repairs({ level, codec: codec !== 'keep' }, finding);
}

/** Returns the names of the findings that a healing repairs, and of those that it leaves. */
function repairedBy(
  choice: HealChoice,
  findings: readonly DoctorFinding[],
): Record<'repaired' | 'left', string> {
  const worth = findings.filter(({ grade, remedies }) => grade !== 'note' || remedies.length > 0);
  const names = (whether: boolean) => {
    const found = worth.filter((finding) => isRepaired(finding, choice) === whether);
    return [...new Set(found.map(({ rule }) => DOCTOR_RULES[rule]))].join('; ');
  };
  return { repaired: names(true), left: names(false) };
}
