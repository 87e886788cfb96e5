import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { formatBytes, formatCount } from '../../base/format';
import { type Healing, healingOf, repairs } from '../../insight/doctor/doctor-remedies';
import { DOCTOR_RULES, type DoctorRule } from '../../insight/doctor/doctor-rules';
import type {
  DoctorFinding,
  DoctorGrade,
  DoctorRemedy,
  DoctorReport,
} from '../../insight/doctor/doctor-types';
import { type DoctorUse, verdictSentence } from '../../insight/doctor/doctor-use';
import { becomes, headline, VERDICTS } from '../../insight/doctor/headline';
import { costsToldBefore } from '../../insight/doctor/told-costs';
import type { MapPlace } from '../../plot/file-map/file-map-place';
import { FileWords } from '../plot/explained';
import { saveText } from '../save/save-blob';
import { formatMapState, type MapState } from '../state/map-state';
import type { ViewProps } from '../view-tabs';
import { Cancelled } from '../widgets/cancelled';
import { CopyButton } from '../widgets/copy-button';
import { Notes } from '../widgets/definition-list';
import { ErrorPane } from '../widgets/error-pane';
import { Placeholder } from '../widgets/progress';
import { useRead } from '../widgets/use-read';
import { CostTable } from './cost-table';
import { askedUse, asksSelector, UseForm } from './doctor-use-form';
import { type CodecName, type HealChoice, HealSection } from './heal-section';

/** Maximum number of branches that are coloured on the map. */
const MAX_COLOURED = 8;

const GRADE_NAMES: Record<DoctorGrade, string> = { bad: 'Bad', poor: 'Poor', note: 'Note' };
/** Report on the layout of the file, or of one of its trees; from metadata alone. */
export function DoctorView({ store, open, tree, theme }: ViewProps): JSX.Element {
  const reading = store.traffic.savedReading.value;
  const asked = store.selection.viewParams.value;
  const useOf = async (signal: AbortSignal | undefined): Promise<DoctorUse | undefined> => {
    if (reading) return { name: `what ${reading.by} read`, reading };
    if (tree === undefined || !asksSelector(asked)) return tree && askedUse(asked);
    const { heldSelector } = await import('../selector/held-selector');
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
        // The text of the selector may be another one now.
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
}: ViewProps & { use: DoctorUse | undefined; report: DoctorReport }): JSX.Element {
  const { grade, verdicts, findings, notes } = report;
  const heal = useRef<HTMLHeadingElement>(null);
  const choice = useSignal(choiceFor(healingOf(findings)));
  const writer = open.info.files === undefined ? store.writer : undefined;
  /** Chooses what repairs this finding, and what was to be repaired before, and goes there. */
  const repair = (finding: DoctorFinding) => {
    const planned = findings.filter((one) => one === finding || isRepaired(one, choice.peek()));
    choice.value = choiceFor(healingOf(planned), choice.peek().codec);
    heal.current?.focus({ preventScroll: true });
    heal.current?.scrollIntoView({ block: 'start' });
  };
  const paths = [...new Set(verdicts.map((verdict) => verdict.tree))];
  const toldBefore = costsToldBefore(findings);
  const goodFor = paths.length === 1 ? verdictSentence(verdicts) : '';
  return (
    <>
      <p class={`verdict ${grade}`}>{grade === 'good' ? goodFor || VERDICTS.good : headline(report)}</p>
      {goodFor !== '' && <p>{grade === 'good' ? `${VERDICTS.good}.` : goodFor}</p>}
      {paths.length > 1 &&
        paths.map((path) => (
          <p key={path}>
            <strong>{path}: </strong>
            {verdictSentence(verdicts.filter((verdict) => verdict.tree === path))}
          </p>
        ))}
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
      <p>
        <button
          type="button"
          title="All of this as one HTML file, without scripts"
          onClick={() => saveReport(report)}
        >
          Save the report
        </button>
      </p>
      {findings.length === 0 && (
        <p class="hint">
          Nothing was found that is worth changing.
          {use === undefined &&
            ' To know whether the file is good for your job, name its branches or drawing above, or drop a trace of it.'}
        </p>
      )}
      {findings.map((finding, i) => (
        <Finding
          key={`${finding.rule} ${i}`}
          finding={finding}
          named={tree === undefined}
          told={toldBefore.get(finding)}
          onPlace={(place) => store.selection.setView('map', formatMapState(placeState(finding, place)))}
          onRepair={writer && healingOf([finding]) && (() => repair(finding))}
        />
      ))}
      {writer !== undefined && (
        <HealSection {...{ store, open, tree, theme, writer, choice, findings }} heading={heal} />
      )}
      {remediesOf(findings).map(({ remedy, rules }) => (
        <Remedy key={remedy.lines.join()} remedy={remedy} rules={rules} />
      ))}
    </>
  );
}

/** The choice that heals so; without anything to heal the order of the baskets is what is most worth having. */
function choiceFor(healing: Healing | undefined, codec: CodecName = 'keep'): HealChoice {
  return { level: healing?.level ?? 'order', codec: codec === 'keep' ? (healing?.codec ?? 'keep') : codec };
}

function isRepaired(finding: DoctorFinding, { level, codec }: HealChoice): boolean {
  return repairs({ level, codec: codec !== 'keep' }, finding);
}

/** Each remedy once, with the rules that it repairs. */
function remediesOf(findings: readonly DoctorFinding[]): { remedy: DoctorRemedy; rules: string[] }[] {
  const found = new Map<string, { remedy: DoctorRemedy; rules: string[] }>();
  for (const { rule, remedies } of findings) {
    for (const remedy of remedies) {
      const key = remedy.lines.join('\n');
      const known = found.get(key) ?? { remedy, rules: [] };
      if (!known.rules.includes(DOCTOR_RULES[rule])) known.rules.push(DOCTOR_RULES[rule]);
      found.set(key, known);
    }
  }
  return [...found.values()];
}

/** Lines that write a new file, and how they are run. */
function Remedy({ remedy, rules }: { remedy: DoctorRemedy; rules: string[] }): JSX.Element {
  const { for: tool, file, run, lines } = remedy;
  const text = lines.join('\n');
  return (
    <section class="finding">
      <h3>How to repair it with {tool}</h3>
      <p>
        This repairs: {rules.join('; ')}. It writes a new file{' '}
        {remedy.keeps === 'all'
          ? 'and drops nothing.'
          : 'with the newest cycle of each tree, and drops nothing else.'}
        {run !== undefined && (
          <>
            {' '}
            Save the lines as <code>{file}</code> beside the file, and run <code>{run}</code>
          </>
        )}
      </p>
      <p>
        <CopyButton label="Copy" text={() => text} />
        {file !== undefined && (
          <button type="button" class="quiet" onClick={() => saveText(file, text, 'text/plain')}>
            Save {file}
          </button>
        )}
      </p>
      <details open={lines.length < 10}>
        <summary>{lines.length === 1 ? 'The line' : `The ${formatCount(lines.length)} lines`}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <pre class="lines" tabIndex={0}>
          {text}
        </pre>
      </details>
    </section>
  );
}

/** State of the map that shows a finding's place, and its branches in colours. */
function placeState({ branches = [] }: DoctorFinding, place: MapPlace): Partial<MapState> {
  return { place, branches: branches.slice(0, MAX_COLOURED) };
}

interface FindingProps {
  finding: DoctorFinding;
  named: boolean;
  /** The rule of an earlier finding that shows the same costs. */
  told: DoctorRule | undefined;
  onPlace(place: MapPlace): void;
  /** Goes to what repairs it, where healing does. */
  onRepair: (() => void) | undefined;
}

function Finding({ finding, named, told, onPlace, onRepair }: FindingProps): JSX.Element {
  const { rule, grade, evidence, costs, remedies, branches, branchCount = 0, place, promises } = finding;
  return (
    <section class={`finding ${grade}`}>
      <h3>
        <span class="grade">{GRADE_NAMES[grade]}</span> {sentence(DOCTOR_RULES[rule])}
      </h3>
      <p>
        {named && finding.tree !== undefined && <strong>{finding.tree}: </strong>}
        {evidence}
      </p>
      {place !== undefined && (
        <p>
          <button type="button" onClick={() => onPlace(place)}>
            Show on the map
          </button>{' '}
          <span class="hint">
            {formatBytes(place.length)} at byte {formatCount(place.offset)}
          </span>
        </p>
      )}
      {told !== undefined && (
        <p>What reading costs is in the table above: “{sentence(DOCTOR_RULES[told])}”.</p>
      )}
      {told === undefined && costs.length > 0 && <CostTable costs={costs} after="Repaired" />}
      {promises.length > 0 && <p>Repaired: {promises.map(becomes).join(', ')}.</p>}
      {onRepair !== undefined && (
        <p>
          <button type="button" onClick={onRepair}>
            Repair this
          </button>
        </p>
      )}
      {remedies.length === 0 && <p class="hint">For information only: there is nothing to repair.</p>}
      {branches !== undefined && branches.length > 0 && (
        <details>
          <summary>
            Branches ({branchCount > branches.length && `${formatCount(branches.length)} of `}
            {formatCount(branchCount)})
          </summary>
          <p class="hint">{branches.join(', ')}</p>
        </details>
      )}
    </section>
  );
}

async function saveReport(report: DoctorReport): Promise<void> {
  const [{ diagnosisHtml }, { diagnoseDataset }] = await Promise.all([
    import('../../insight/doctor/doctor-html'),
    import('../../insight/doctor/doctor-dataset'),
  ]);
  const html = diagnosisHtml(diagnoseDataset([report]), [report], `Layout of ${report.file}`);
  saveText(`${report.file.replace(/\.root$/, '')}-layout.html`, html, 'text/html');
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
