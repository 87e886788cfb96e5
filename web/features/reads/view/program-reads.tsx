import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { TreeLayout } from '../../../api/api';
import type { PerfReport } from '../../../api/reading';
import type { HealLevel } from '../../../api/write';
import { XylemError } from '../../../base/errors';
import { cyclePath } from '../../../model/keys';
import { FreePlot } from '../../../ui/plot/free-plot';
import { OwnTable } from '../../../ui/report/report';
import type { ViewProps } from '../../../ui/view-tabs';
import { Cancelled } from '../../../ui/widgets/cancelled';
import { ErrorPane } from '../../../ui/widgets/error-pane';
import { Select } from '../../../ui/widgets/segmented-control';
import { useRead } from '../../../ui/widgets/use-read';
import { DISK } from '../../whatif/work/layout-costs';
import { programName, programOf, type Strategy } from '../../whatif/work/programs';
import { describeRead } from '../work/describe-read';
import { alike, readPatternPlot } from '../work/read-pattern';
import { numbersTable, ordersTable } from '../work/reads-report';

const WORDS = {
  TTree: ['none', 'readahead:256k', 'cache:10M', 'cache:30M', 'cache-5.28:30M', 'uproot', 'coffea', 'jsroot'],
  RNTuple: ['none', 'readahead:256k', 'pool', 'uproot', 'jsroot'],
} as const;
const LEVELS: readonly (readonly [HealLevel, string])[] = [
  ['order', 'the file healed: baskets in order'],
  ['rebasket', 'the file healed: larger baskets'],
  ['clusters', 'the file healed: true clusters'],
];

interface Props extends ViewProps {
  tree: NonNullable<ViewProps['tree']>;
  layout: TreeLayout;
}

/** How another program would read all branches from a disk, and beside it the healed file or another program. */
export function ProgramReads({ store, open, tree, layout, theme }: Props): JSX.Element {
  const program = useSignal<string>('none');
  const beside = useSignal<string>('');
  const path = cyclePath(tree.key);
  const words = WORDS[layout.tree.kind];
  const { writer } = store;
  const choices = words.flatMap((word) => {
    const known = programOf(word);
    return known ? [[word, programName(known)] as const] : [];
  });
  const [read, again] = useRead(
    store,
    open,
    `program ${tree.keyIndex} ${program.value} ${beside.value}`,
    'Simulating how it would be read',
    async (_api, file, options): Promise<PerfReport[]> => {
      const branches = layout.tree.branches.map(({ index }) => index);
      const request = { tree: path, file: open.info.name, branches, from: DISK };
      const level = LEVELS.find(([name]) => name === beside.value)?.[0];
      const first = await store.insight.programReads(
        file,
        { ...request, program: strategyOf(program.value) },
        options,
      );
      if (beside.value === '') return [first];
      if (level === undefined || writer === undefined) {
        const other = { ...request, program: strategyOf(beside.value) };
        return [first, await store.insight.programReads(file, other, options)];
      }
      const { trees } = await writer.planHeal(open.info, { ...options, level, layouts: true });
      const healed = trees.find((one) => one.path === layout.tree.path)?.layoutAfter;
      if (healed === undefined)
        throw new XylemError({ code: 'NOT_FOUND', message: 'Only the newest cycle of a tree is healed.' });
      const other = {
        ...{ ...request, program: strategyOf(program.value) },
        healed: { layout: healed, form: `healed (${level})` },
      };
      return [first, await store.insight.programReads(file, other, options)];
    },
  );
  const reports = read.state === 'ready' ? read.value : [];
  const plots = useMemo(() => {
    const made = reports.map((report) => readPatternPlot(report, { note: describeRead }).model);
    return alike(made.map((model, i) => ({ ...model, title: reports[i]?.by ?? '' })));
  }, [read]);
  return (
    <section class="part-of-view" aria-label="As another program reads it">
      <h3>As another program reads it</h3>
      <div class="controls">
        <Select
          label="Program"
          options={choices}
          value={program.value}
          onChange={(word) => (program.value = word)}
        />
        <Select
          label="Beside"
          options={[['', 'nothing'], ...(writer && open.info.files === undefined ? LEVELS : []), ...choices]}
          value={beside.value}
          onChange={(word) => (beside.value = word)}
        />
      </div>
      <p class="hint">
        Simulated from the places of the baskets: all branches and entries, one read after the other from a
        disk with seeks of 5 ms and 150 MB/s.
      </p>
      {read.state === 'failed' && <ErrorPane error={read.error} onRetry={again} />}
      {read.state === 'cancelled' && <Cancelled onAgain={again} />}
      {read.state === 'reading' && <p class="hint">Simulating…</p>}
      {reports.length > 0 && (
        <>
          <div class="beside">
            {plots.map((model, i) => (
              <div key={i}>
                <h4>{reports[i]?.by}</h4>
                <FreePlot model={model} theme={theme} />
              </div>
            ))}
          </div>
          <OwnTable table={ordersTable(reports)} />
          <OwnTable table={numbersTable(reports)} />
        </>
      )}
    </section>
  );
}

const strategyOf = (word: string): Strategy => {
  const program = programOf(word);
  return program === undefined || program.kind === 'xylem' ? { kind: 'none' } : program;
};
